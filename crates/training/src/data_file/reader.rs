//! The reader of training data files: iterates over the games, up to where the file is truncated.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::format::{self, BLOCK_HEADER_BYTES, MAGIC_BYTES, MAX_SAMPLES};
use super::{Counts, DataFileError};
use crate::sample::Sample;
use crate::self_play::Recipe;

/// Iterates over the games of a file. An incomplete game at the end is left out.
pub struct DataReader {
    path: PathBuf,
    pub(super) file: BufReader<File>,
    /// How the games were played.
    pub recipe: Recipe,
    /// What has been read so far.
    pub(super) counts: Counts,
    /// Where the last intact game ends.
    pub(super) intact_bytes: u64,
}

impl DataReader {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or holds something else.
    pub fn open(path: &Path) -> Result<DataReader, DataFileError> {
        let file = File::open(path).map_err(|error| DataFileError::Io { path: path.to_owned(), error })?;
        DataReader::read_from(file, path)
    }

    /// Reads from an open file.
    pub(super) fn read_from(file: File, path: &Path) -> Result<DataReader, DataFileError> {
        let io = |error| DataFileError::Io { path: path.to_owned(), error };
        let mut file = BufReader::new(file);
        let mut header = Vec::new();
        read_bytes(&mut file, MAGIC_BYTES, &mut header).map_err(io)?;
        let header_bytes = format::header_bytes(&header);
        read_bytes(&mut file, header_bytes.unwrap_or(MAGIC_BYTES) - MAGIC_BYTES, &mut header).map_err(io)?;
        if let Some(recipe) = format::recipe(&header) {
            let intact_bytes = header.len() as u64;
            return Ok(DataReader {
                path: path.to_owned(),
                file,
                recipe,
                counts: Counts::default(),
                intact_bytes,
            });
        }
        let is_truncated = format::is_partial_header(&header) && only_zeros(&mut file).map_err(io)?;
        let error = match header_bytes {
            _ if is_truncated => DataFileError::Truncated,
            Some(_) => DataFileError::DamagedHeader,
            None => DataFileError::Foreign,
        };
        Err(error(path.to_owned()))
    }

    /// The next game; `None` at the end or where the file is truncated.
    pub(super) fn read(&mut self) -> Result<Option<Vec<Sample>>, DataFileError> {
        let mut block = Vec::new();
        if !self.read_bytes(BLOCK_HEADER_BYTES, &mut block)? {
            return Ok(None);
        }
        let count = block.first_chunk().map_or(0, |&count| u32::from_le_bytes(count));
        if count <= MAX_SAMPLES {
            let is_complete = self.read_bytes(count as usize * Sample::BYTES, &mut block)?;
            if let Some(game) = format::read_game(&block) {
                self.counts.games += 1;
                self.counts.samples += u64::from(count);
                self.intact_bytes += block.len() as u64;
                return Ok(Some(game));
            }
            let is_truncated = !is_complete || (block.ends_with(&[0]) && self.has_only_zeros_left()?);
            if is_truncated && !format::is_miscounted(&block) {
                return Ok(None);
            }
        }
        Err(DataFileError::Damaged {
            path: self.path.clone(),
            offset: self.intact_bytes,
            games: self.counts.games,
        })
    }

    /// Appends `count` bytes of the file; false if it ends before.
    fn read_bytes(&mut self, count: usize, bytes: &mut Vec<u8>) -> Result<bool, DataFileError> {
        let is_complete = read_bytes(&mut self.file, count, bytes);
        is_complete.map_err(|error| DataFileError::Io { path: self.path.clone(), error })
    }

    fn has_only_zeros_left(&mut self) -> Result<bool, DataFileError> {
        let is_zero = only_zeros(&mut self.file);
        is_zero.map_err(|error| DataFileError::Io { path: self.path.clone(), error })
    }
}

impl Iterator for DataReader {
    type Item = Result<Vec<Sample>, DataFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Appends `count` bytes of the file; false if it ends before.
fn read_bytes(file: &mut impl Read, count: usize, bytes: &mut Vec<u8>) -> io::Result<bool> {
    Ok(file.take(count as u64).read_to_end(bytes)? == count)
}

/// Is the rest of the file zeros?
fn only_zeros(file: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        let count = bytes.len();
        file.consume(count);
    }
}
