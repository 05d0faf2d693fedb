//! Training data files: appending games, recovering truncated files and rejecting damaged ones. A file grows game by
//! game; a file truncated within a game continues after the last complete game, and a game with a wrong checksum is an
//! error.
//!
//! A power failure may leave zeros at the end in place of games that were not yet on the disk. The zeros may begin
//! anywhere, so a last game that ends with zeros and has a wrong checksum counts as truncated.

mod error;
mod format;
mod reader;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use error::DataFileError;
pub use reader::DataReader;

use crate::sample::Sample;
use crate::self_play::Recipe;

/// Appends games to a file.
pub struct DataWriter {
    path: PathBuf,
    file: BufWriter<File>,
}

impl DataWriter {
    /// Opens or creates a file for games of a recipe, locked against other writers until this is dropped. Also returns
    /// how many games and samples it has already.
    ///
    /// # Errors
    /// If it cannot be opened, is in use, or holds something else.
    pub fn open(path: &Path, recipe: Recipe) -> Result<(DataWriter, Counts), DataFileError> {
        let io = |error| DataFileError::Io { path: path.to_owned(), error };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => DataFileError::InUse(path.to_owned()),
            TryLockError::Error(error) => io(error),
        })?;
        let mut counts = Counts::default();
        if file.metadata().map_err(io)?.len() == 0 {
            file.write_all(&format::header(recipe)).map_err(io)?;
        } else {
            // Read through the same handle: on systems with mandatory locks, no other handle can read the file.
            let mut games = DataReader::read_from(file, path)?;
            if games.recipe.play_version != recipe.play_version {
                return Err(DataFileError::OtherVersion(path.to_owned()));
            }
            if games.recipe != recipe {
                return Err(DataFileError::OtherRecipe {
                    path: path.to_owned(),
                    found: games.recipe,
                    expected: recipe,
                });
            }
            while games.read()?.is_some() {}
            counts = games.counts;
            file = games.file.into_inner();
            // The incomplete game is played again.
            file.set_len(games.intact_bytes).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
        }
        Ok((DataWriter { path: path.to_owned(), file: BufWriter::new(file) }, counts))
    }

    /// Adds a game. It must have samples: a block without any would look like the zeros of a power failure.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &[Sample]) -> Result<(), DataFileError> {
        debug_assert!(!game.is_empty(), "a game without samples");
        self.file
            .write_all(&format::block(game))
            .map_err(|error| DataFileError::Io { path: self.path.clone(), error })
    }

    /// Hands everything to the operating system, so that it survives the end of the program. A power failure may lose
    /// the last games, which are then played again; waiting for the disk would take longer than many a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> Result<(), DataFileError> {
        self.file.flush().map_err(|error| DataFileError::Io { path: self.path.clone(), error })
    }
}

/// The numbers of games and samples in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Complete games.
    pub games: u64,
    /// Samples in them.
    pub samples: u64,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::{NonZeroU8, NonZeroU16};

    use crownhead_rules::Position;
    use crownhead_tablebase::Wdl;

    use super::format::{HEADER_BYTES, MAGIC_BYTES};
    use super::*;

    const RECIPE: Recipe = Recipe {
        seed: 7,
        nodes: 100,
        weights: Some(5),
        table_pieces: NonZeroU8::new(4),
        scale: NonZeroU16::new(90).unwrap(),
        play_version: Some(3),
    };

    /// A file of the previous version, with one game.
    const PREVIOUS: [u8; 56] = *b"CHGAMES2\x07\0\0\0\0\0\0\0\x64\0\0\0\0\0\0\0\x05\0\0\0\x01\x04\0\0\
        \x01\0\0\0\xfc\xe5\xd3\xb5\xff\x0f\0\0\0\0\xf0\xff\0\0\0\0\xf4\xff\0\x02";

    fn game(scores: &[i16]) -> Vec<Sample> {
        let sample = |&score: &i16| Sample { position: Position::start(), score, result: Wdl::Loss };
        scores.iter().map(sample).collect()
    }

    fn add(mut writer: DataWriter, games: &[Vec<Sample>]) {
        for game in games {
            writer.add(game).unwrap();
        }
    }

    fn read(path: &Path) -> Vec<Vec<Sample>> {
        DataReader::open(path).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn a_file_truncated_anywhere_keeps_its_complete_games_and_can_be_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let games = [game(&[0, 2]), game(&[1]), game(&[0, 3])];
        let (writer, counts) = DataWriter::open(&path, RECIPE).unwrap();
        assert_eq!(counts, Counts::default());
        add(writer, &games);
        let whole = fs::read(&path).unwrap();
        let ends = [40, 64, 104].map(|end| HEADER_BYTES + end);
        assert_eq!(whole.len(), ends[2]);
        for cut in HEADER_BYTES..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let left = ends.iter().filter(|&&end| end <= cut).count();
            let (writer, counts) = DataWriter::open(&path, RECIPE).unwrap();
            assert_eq!(counts.games, left as u64, "cut at {cut}");
            add(writer, &games[left..]);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
            assert_eq!(read(&path), games);
        }
    }

    #[test]
    fn zeros_are_truncated_at_the_end_and_rejected_before_a_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (writer, _) = DataWriter::open(&path, RECIPE).unwrap();
        add(writer, &[game(&[1]), game(&[2])]);
        let whole = fs::read(&path).unwrap();
        let (first, second) = whole.split_at(HEADER_BYTES + 24);
        for zeros in [1, 7, 8, 12, 16, 100_000] {
            let zeros = vec![0; zeros];
            fs::write(&path, [&whole[..], &zeros].concat()).unwrap();
            assert_eq!(read(&path), [game(&[1]), game(&[2])], "{} zeros", zeros.len());
            let (_, counts) = DataWriter::open(&path, RECIPE).unwrap();
            assert_eq!(counts, Counts { games: 2, samples: 2 });
            assert_eq!(fs::read(&path).unwrap(), whole, "{} zeros", zeros.len());

            let damaged = [first, &zeros, second].concat();
            fs::write(&path, &damaged).unwrap();
            let error = DataWriter::open(&path, RECIPE).err();
            assert!(matches!(error, Some(DataFileError::Damaged { offset: 64, games: 1, .. })), "{error:?}");
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn zeros_from_anywhere_to_the_end_leave_the_complete_games_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (writer, _) = DataWriter::open(&path, RECIPE).unwrap();
        // The number of samples of the third has two bytes, so that zeros can leave one of them.
        let games = [game(&[1, 0]), game(&[2]), game(&[3; 300]), game(&[0, 4, 0])];
        add(writer, &games);
        let whole = fs::read(&path).unwrap();
        let mut ends = vec![HEADER_BYTES];
        ends.extend(games.iter().map(|game| format::block(game).len()));
        for place in 1..ends.len() {
            ends[place] += ends[place - 1];
        }
        // In the middle of the long game one sample is like another.
        let boring = ends[2] + 50..ends[3] - 50;
        for from in (HEADER_BYTES..whole.len()).filter(|from| !boring.contains(from)) {
            for more in [0, 1, 5000] {
                let mut bytes = whole.clone();
                bytes[from..].fill(0);
                let left = ends[1..].iter().filter(|&&end| bytes[..end] == whole[..end]).count();
                bytes.extend(vec![0; more]);
                fs::write(&path, &bytes).unwrap();
                let (_, counts) =
                    DataWriter::open(&path, RECIPE).unwrap_or_else(|error| panic!("{from}: {error}"));
                assert_eq!(counts.games, left as u64, "{more} zeros more than from {from}");
                assert_eq!(fs::read(&path).unwrap(), whole[..ends[left]], "zeros from {from}");
            }
        }
    }

    #[test]
    fn a_file_without_its_header_is_told_from_a_foreign_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        drop(DataWriter::open(&path, RECIPE).unwrap());
        let head = fs::read(&path).unwrap();
        for kept in 0..HEADER_BYTES {
            for zeros in [0, 1, HEADER_BYTES - kept, 5000] {
                let bytes = [&head[..kept], &vec![0; zeros]].concat();
                if bytes.is_empty() {
                    continue;
                }
                fs::write(&path, &bytes).unwrap();
                for error in [DataWriter::open(&path, RECIPE).err(), DataReader::open(&path).err()] {
                    assert!(
                        matches!(error, Some(DataFileError::Truncated(_))),
                        "{kept}, {zeros} zeros: {error:?}"
                    );
                }
                assert_eq!(fs::read(&path).unwrap(), bytes);
                if kept < MAGIC_BYTES {
                    fs::write(&path, [&bytes[..], b"letter"].concat()).unwrap();
                    let error = DataWriter::open(&path, RECIPE).err();
                    assert!(
                        matches!(error, Some(DataFileError::Foreign(_))),
                        "{kept}, {zeros} zeros: {error:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_file_in_use_is_rejected_until_it_is_free_but_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (mut writer, _) = DataWriter::open(&path, RECIPE).unwrap();
        writer.add(&game(&[1])).unwrap();
        writer.flush().unwrap();
        assert!(matches!(DataWriter::open(&path, RECIPE), Err(DataFileError::InUse(_))));
        assert_eq!(read(&path), [game(&[1])]);
        add(writer, &[game(&[2])]);
        let (_, counts) = DataWriter::open(&path, RECIPE).unwrap();
        assert_eq!(counts, Counts { games: 2, samples: 2 });
    }

    #[test]
    fn damage_is_reported_with_its_offset_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (writer, _) = DataWriter::open(&path, RECIPE).unwrap();
        let mut games = [game(&[1]), game(&[2, 3]), game(&[4])];
        games[2][0].result = Wdl::Win;
        add(writer, &games);
        let whole = fs::read(&path).unwrap();
        let begins = [HEADER_BYTES, HEADER_BYTES + 24, HEADER_BYTES + 24 + 40];
        for (at, bit) in (HEADER_BYTES..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            // A zero at the very end may come from a power failure; that game is played again.
            if bytes.ends_with(&[0]) {
                continue;
            }
            fs::write(&path, &bytes).unwrap();
            let before = begins[1..].iter().filter(|&&begin| begin <= at).count();
            match DataWriter::open(&path, RECIPE).err() {
                Some(DataFileError::Damaged { offset, games, .. }) => {
                    assert_eq!((offset, games), (begins[before] as u64, before as u64), "byte {at}");
                }
                other => panic!("{other:?} for bit {bit} of byte {at}"),
            }
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let error = DataReader::open(&path).unwrap().find_map(Result::err).unwrap().to_string();
        assert!(error.contains("games is damaged at byte 104 (whole games before: 2)"), "{error}");
    }

    #[test]
    fn a_file_of_the_previous_version_is_read_but_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let before = Recipe { scale: NonZeroU16::new(86).unwrap(), play_version: None, ..RECIPE };
        let mut unstated = PREVIOUS;
        unstated[29] = 0;
        for (bytes, recipe) in [(PREVIOUS, before), (unstated, Recipe { table_pieces: None, ..before })] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(DataReader::open(&path).unwrap().recipe, recipe);
            let sample = Sample { position: Position::start(), score: -12, result: Wdl::Win };
            assert_eq!(read(&path), [vec![sample]]);
            let error = DataWriter::open(&path, RECIPE).err().unwrap().to_string();
            assert!(error.contains("games was started by another version of the program"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::write(&path, &PREVIOUS[..20]).unwrap();
        assert!(matches!(DataReader::open(&path), Err(DataFileError::Truncated(_))));
    }

    #[test]
    fn games_of_another_play_version_are_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (writer, _) = DataWriter::open(&path, RECIPE).unwrap();
        add(writer, &[game(&[1])]);
        let other = Recipe { play_version: Some(4), ..RECIPE };
        assert!(matches!(DataWriter::open(&path, other), Err(DataFileError::OtherVersion(_))));
        assert_eq!(read(&path), [game(&[1])]);
    }

    #[test]
    fn a_damaged_header_is_reported_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (writer, _) = DataWriter::open(&path, RECIPE).unwrap();
        add(writer, &[game(&[1])]);
        let whole = fs::read(&path).unwrap();
        for at in MAGIC_BYTES..HEADER_BYTES {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            for error in [DataWriter::open(&path, RECIPE).err(), DataReader::open(&path).err()] {
                assert!(matches!(error, Some(DataFileError::DamagedHeader(_))), "byte {at}: {error:?}");
            }
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_files_and_other_recipes_are_rejected_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, "a letter to my grandmother").unwrap();
        assert!(matches!(DataWriter::open(&path, RECIPE), Err(DataFileError::Foreign(_))));
        assert_eq!(fs::read(&path).unwrap(), b"a letter to my grandmother");
        fs::remove_file(&path).unwrap();
        drop(DataWriter::open(&path, RECIPE).unwrap());
        for other in [
            Recipe { nodes: 5, ..RECIPE },
            Recipe { weights: None, ..RECIPE },
            Recipe { table_pieces: NonZeroU8::new(6), ..RECIPE },
            Recipe { scale: NonZeroU16::new(86).unwrap(), ..RECIPE },
        ] {
            let error = DataWriter::open(&path, other).err().unwrap().to_string();
            let expected =
                "games of seed 7, 100 nodes a move, weights 00000005, tables of 4 pieces, scale 90, not of ";
            assert!(error.contains(expected), "{error}");
        }
    }
}
