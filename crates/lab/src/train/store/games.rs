//! The games of a file as they are read, up to where it was cut off.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::super::sample::Sample;
use super::super::self_play::Recipe;
use super::format::{self, BLOCK_HEAD_BYTES, MAGIC_BYTES, MOST_SAMPLES};
use super::{Held, StoreError};

/// The games of a file, one after the other. A last one that was cut off is left out.
pub struct Games {
    path: PathBuf,
    pub(super) file: BufReader<File>,
    /// How the games were made.
    pub recipe: Recipe,
    /// What was read so far.
    pub(super) held: Held,
    /// Where the last whole game ended.
    pub(super) whole_bytes: u64,
}

impl Games {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is something else.
    pub fn open(path: &Path) -> Result<Games, StoreError> {
        let file = File::open(path).map_err(|error| StoreError::Io { path: path.to_owned(), error })?;
        Games::read_from(file, path)
    }

    /// Reads by a handle of the file.
    pub(super) fn read_from(file: File, path: &Path) -> Result<Games, StoreError> {
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        let mut file = BufReader::new(file);
        let mut head = Vec::new();
        fetch(&mut file, MAGIC_BYTES, &mut head).map_err(io)?;
        let head_bytes = format::head_bytes(&head);
        fetch(&mut file, head_bytes.unwrap_or(MAGIC_BYTES) - MAGIC_BYTES, &mut head).map_err(io)?;
        if let Some(recipe) = format::recipe(&head) {
            let whole_bytes = head.len() as u64;
            return Ok(Games { path: path.to_owned(), file, recipe, held: Held::default(), whole_bytes });
        }
        let is_cut_off = format::is_begun(&head) && only_zeros(&mut file).map_err(io)?;
        let error = match head_bytes {
            _ if is_cut_off => StoreError::CutOff,
            Some(_) => StoreError::DamagedHead,
            None => StoreError::Foreign,
        };
        Err(error(path.to_owned()))
    }

    /// The next game, or nothing at the end or where the file was cut off.
    pub(super) fn read(&mut self) -> Result<Option<Vec<Sample>>, StoreError> {
        let mut block = Vec::new();
        if !self.fetch(BLOCK_HEAD_BYTES, &mut block)? {
            return Ok(None);
        }
        let count = block.first_chunk().map_or(0, |&count| u32::from_le_bytes(count));
        if count <= MOST_SAMPLES {
            let is_complete = self.fetch(count as usize * Sample::BYTES, &mut block)?;
            if let Some(game) = format::whole_game(&block) {
                self.held.games += 1;
                self.held.samples += u64::from(count);
                self.whole_bytes += block.len() as u64;
                return Ok(Some(game));
            }
            let is_cut_off = !is_complete || (block.ends_with(&[0]) && self.has_only_zeros_left()?);
            if is_cut_off && !format::is_miscounted(&block) {
                return Ok(None);
            }
        }
        Err(StoreError::Damaged { path: self.path.clone(), place: self.whole_bytes, games: self.held.games })
    }

    /// Reads so many bytes more, or says that the file ended before.
    fn fetch(&mut self, count: usize, bytes: &mut Vec<u8>) -> Result<bool, StoreError> {
        let is_whole = fetch(&mut self.file, count, bytes);
        is_whole.map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }

    fn has_only_zeros_left(&mut self) -> Result<bool, StoreError> {
        let is_zero = only_zeros(&mut self.file);
        is_zero.map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }
}

impl Iterator for Games {
    type Item = Result<Vec<Sample>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Reads so many bytes more, or says that the file ended before.
fn fetch(file: &mut impl Read, count: usize, bytes: &mut Vec<u8>) -> io::Result<bool> {
    Ok(file.take(count as u64).read_to_end(bytes)? == count)
}

/// Are there only zeros up to the end?
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
