//! A file of games to learn from. It grows game by game, and one that was cut off in the middle of a game is whole
//! again up to the game before; one with a game that is not as it was written is refused.
//!
//! Zeros up to the end are what a power failure leaves of games that were not on the disk yet. They begin anywhere, and a
//! last game that ends with zeros and is not as it was written is cut off with them.

mod error;
mod format;
mod games;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::sample::Sample;
use super::self_play::Recipe;
pub use error::StoreError;
pub use games::Games;

/// A file that games are added to.
pub struct Store {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Store {
    /// Opens or begins a file for games of a recipe, which nobody else can add to until this is dropped. Says how many
    /// games and samples it has already.
    ///
    /// # Errors
    /// If it cannot be opened, is in use, or holds something else.
    pub fn open(path: &Path, recipe: Recipe) -> Result<(Store, Held), StoreError> {
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StoreError::InUse(path.to_owned()),
            TryLockError::Error(error) => io(error),
        })?;
        let mut held = Held::default();
        if file.metadata().map_err(io)?.len() == 0 {
            file.write_all(&format::head(recipe)).map_err(io)?;
        } else {
            // Read by the same handle: where locks are strict they hold off any other.
            let mut games = Games::read_from(file, path)?;
            if games.recipe.play_version != recipe.play_version {
                return Err(StoreError::OtherPlay(path.to_owned()));
            }
            if games.recipe != recipe {
                return Err(StoreError::OtherRecipe {
                    path: path.to_owned(),
                    found: games.recipe,
                    asked: recipe,
                });
            }
            while games.read()?.is_some() {}
            held = games.held;
            file = games.file.into_inner();
            // What was cut off is made anew.
            file.set_len(games.whole_bytes).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
        }
        Ok((Store { path: path.to_owned(), file: BufWriter::new(file) }, held))
    }

    /// Adds a game. It has samples: one without them would be read as zeros that a power failure left.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn add(&mut self, game: &[Sample]) -> Result<(), StoreError> {
        debug_assert!(!game.is_empty(), "a game without samples");
        self.file
            .write_all(&format::block(game))
            .map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }

    /// Hands everything to the system, so that it is there when the program ends in whatever way. After a power failure
    /// the last games may be missing; to wait for the disk would take longer than many a game, and they are made anew.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.file.flush().map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }
}

/// What a file has already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Whole games.
    pub games: u64,
    /// Samples in them.
    pub samples: u64,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::{NonZeroU8, NonZeroU16};

    use crownhead_rules::Position;

    use super::format::{HEAD_BYTES, MAGIC_BYTES};
    use super::*;
    use crate::rating::Point;

    const RECIPE: Recipe = Recipe {
        seed: 7,
        nodes: 100,
        weights: Some(5),
        table_pieces: NonZeroU8::new(4),
        scale: NonZeroU16::new(90).unwrap(),
        play_version: Some(3),
    };

    /// A file of the version before, with one game.
    const BEFORE: [u8; 56] = *b"CHGAMES2\x07\0\0\0\0\0\0\0\x64\0\0\0\0\0\0\0\x05\0\0\0\x01\x04\0\0\
        \x01\0\0\0\xfc\xe5\xd3\xb5\xff\x0f\0\0\0\0\xf0\xff\0\0\0\0\xf4\xff\0\x02";

    fn game(scores: &[i16]) -> Vec<Sample> {
        let sample = |&score: &i16| Sample { position: Position::start(), score, result: Point::Loss };
        scores.iter().map(sample).collect()
    }

    fn add(mut store: Store, games: &[Vec<Sample>]) {
        for game in games {
            store.add(game).unwrap();
        }
    }

    fn read(path: &Path) -> Vec<Vec<Sample>> {
        Games::open(path).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn games_cut_off_anywhere_leave_the_whole_ones_and_can_be_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let games = [game(&[0, 2]), game(&[1]), game(&[0, 3])];
        let (store, held) = Store::open(&path, RECIPE).unwrap();
        assert_eq!(held, Held::default());
        add(store, &games);
        let whole = fs::read(&path).unwrap();
        let ends = [40, 64, 104].map(|end| HEAD_BYTES + end);
        assert_eq!(whole.len(), ends[2]);
        for cut in HEAD_BYTES..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let left = ends.iter().filter(|&&end| end <= cut).count();
            let (store, held) = Store::open(&path, RECIPE).unwrap();
            assert_eq!(held.games, left as u64, "cut at {cut}");
            add(store, &games[left..]);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
            assert_eq!(read(&path), games);
        }
    }

    #[test]
    fn zeros_are_cut_off_at_the_end_and_refused_before_a_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (store, _) = Store::open(&path, RECIPE).unwrap();
        add(store, &[game(&[1]), game(&[2])]);
        let whole = fs::read(&path).unwrap();
        let (first, second) = whole.split_at(HEAD_BYTES + 24);
        for zeros in [1, 7, 8, 12, 16, 100_000] {
            let zeros = vec![0; zeros];
            fs::write(&path, [&whole[..], &zeros].concat()).unwrap();
            assert_eq!(read(&path), [game(&[1]), game(&[2])], "{} zeros", zeros.len());
            let (_, held) = Store::open(&path, RECIPE).unwrap();
            assert_eq!(held, Held { games: 2, samples: 2 });
            assert_eq!(fs::read(&path).unwrap(), whole, "{} zeros", zeros.len());

            let damaged = [first, &zeros, second].concat();
            fs::write(&path, &damaged).unwrap();
            let error = Store::open(&path, RECIPE).err();
            assert!(matches!(error, Some(StoreError::Damaged { place: 64, games: 1, .. })), "{error:?}");
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn zeros_from_anywhere_to_the_end_leave_the_whole_games_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (store, _) = Store::open(&path, RECIPE).unwrap();
        // The number of samples of the third has two bytes, so that zeros can leave one of them.
        let games = [game(&[1, 0]), game(&[2]), game(&[3; 300]), game(&[0, 4, 0])];
        add(store, &games);
        let whole = fs::read(&path).unwrap();
        let mut ends = vec![HEAD_BYTES];
        ends.extend(games.iter().map(|game| format::block(game).len()));
        for place in 1..ends.len() {
            ends[place] += ends[place - 1];
        }
        // In the middle of the long game one sample is like another.
        let boring = ends[2] + 50..ends[3] - 50;
        for from in (HEAD_BYTES..whole.len()).filter(|from| !boring.contains(from)) {
            for more in [0, 1, 5000] {
                let mut bytes = whole.clone();
                bytes[from..].fill(0);
                let left = ends[1..].iter().filter(|&&end| bytes[..end] == whole[..end]).count();
                bytes.extend(vec![0; more]);
                fs::write(&path, &bytes).unwrap();
                let (_, held) = Store::open(&path, RECIPE).unwrap_or_else(|error| panic!("{from}: {error}"));
                assert_eq!(held.games, left as u64, "{more} zeros more than from {from}");
                assert_eq!(fs::read(&path).unwrap(), whole[..ends[left]], "zeros from {from}");
            }
        }
    }

    #[test]
    fn a_file_that_has_lost_its_head_is_told_from_a_foreign_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        drop(Store::open(&path, RECIPE).unwrap());
        let head = fs::read(&path).unwrap();
        for kept in 0..HEAD_BYTES {
            for zeros in [0, 1, HEAD_BYTES - kept, 5000] {
                let bytes = [&head[..kept], &vec![0; zeros]].concat();
                if bytes.is_empty() {
                    continue;
                }
                fs::write(&path, &bytes).unwrap();
                for error in [Store::open(&path, RECIPE).err(), Games::open(&path).err()] {
                    assert!(matches!(error, Some(StoreError::CutOff(_))), "{kept}, {zeros} zeros: {error:?}");
                }
                assert_eq!(fs::read(&path).unwrap(), bytes);
                if kept < MAGIC_BYTES {
                    fs::write(&path, [&bytes[..], b"letter"].concat()).unwrap();
                    let error = Store::open(&path, RECIPE).err();
                    assert!(
                        matches!(error, Some(StoreError::Foreign(_))),
                        "{kept}, {zeros} zeros: {error:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_file_in_use_is_refused_until_it_is_free_but_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (mut store, _) = Store::open(&path, RECIPE).unwrap();
        store.add(&game(&[1])).unwrap();
        store.flush().unwrap();
        assert!(matches!(Store::open(&path, RECIPE), Err(StoreError::InUse(_))));
        assert_eq!(read(&path), [game(&[1])]);
        add(store, &[game(&[2])]);
        let (_, held) = Store::open(&path, RECIPE).unwrap();
        assert_eq!(held, Held { games: 2, samples: 2 });
    }

    #[test]
    fn damage_is_told_with_its_place_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (store, _) = Store::open(&path, RECIPE).unwrap();
        let mut games = [game(&[1]), game(&[2, 3]), game(&[4])];
        games[2][0].result = Point::Win;
        add(store, &games);
        let whole = fs::read(&path).unwrap();
        let begins = [HEAD_BYTES, HEAD_BYTES + 24, HEAD_BYTES + 24 + 40];
        for (at, bit) in (HEAD_BYTES..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            // A zero at the very end is what a power failure may have left; that game is made anew.
            if bytes.ends_with(&[0]) {
                continue;
            }
            fs::write(&path, &bytes).unwrap();
            let before = begins[1..].iter().filter(|&&begin| begin <= at).count();
            match Store::open(&path, RECIPE).err() {
                Some(StoreError::Damaged { place, games, .. }) => {
                    assert_eq!((place, games), (begins[before] as u64, before as u64), "byte {at}");
                }
                other => panic!("{other:?} for bit {bit} of byte {at}"),
            }
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let error = Games::open(&path).unwrap().find_map(Result::err).unwrap().to_string();
        assert!(error.contains("games is damaged at byte 104 (whole games before: 2)"), "{error}");
    }

    #[test]
    fn a_file_of_the_version_before_is_read_but_not_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let before = Recipe { scale: NonZeroU16::new(86).unwrap(), play_version: None, ..RECIPE };
        let mut untold = BEFORE;
        untold[29] = 0;
        for (bytes, recipe) in [(BEFORE, before), (untold, Recipe { table_pieces: None, ..before })] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(Games::open(&path).unwrap().recipe, recipe);
            let sample = Sample { position: Position::start(), score: -12, result: Point::Win };
            assert_eq!(read(&path), [vec![sample]]);
            let error = Store::open(&path, RECIPE).err().unwrap().to_string();
            assert!(error.contains("games was begun by another version of the program"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::write(&path, &BEFORE[..20]).unwrap();
        assert!(matches!(Games::open(&path), Err(StoreError::CutOff(_))));
    }

    #[test]
    fn games_that_were_played_in_another_way_are_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (store, _) = Store::open(&path, RECIPE).unwrap();
        add(store, &[game(&[1])]);
        let other = Recipe { play_version: Some(4), ..RECIPE };
        assert!(matches!(Store::open(&path, other), Err(StoreError::OtherPlay(_))));
        assert_eq!(read(&path), [game(&[1])]);
    }

    #[test]
    fn a_head_that_is_damaged_is_told_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (store, _) = Store::open(&path, RECIPE).unwrap();
        add(store, &[game(&[1])]);
        let whole = fs::read(&path).unwrap();
        for at in MAGIC_BYTES..HEAD_BYTES {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            for error in [Store::open(&path, RECIPE).err(), Games::open(&path).err()] {
                assert!(matches!(error, Some(StoreError::DamagedHead(_))), "byte {at}: {error:?}");
            }
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_files_and_other_recipes_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, "a letter to my grandmother").unwrap();
        assert!(matches!(Store::open(&path, RECIPE), Err(StoreError::Foreign(_))));
        assert_eq!(fs::read(&path).unwrap(), b"a letter to my grandmother");
        fs::remove_file(&path).unwrap();
        drop(Store::open(&path, RECIPE).unwrap());
        for other in [
            Recipe { nodes: 5, ..RECIPE },
            Recipe { weights: None, ..RECIPE },
            Recipe { table_pieces: NonZeroU8::new(6), ..RECIPE },
            Recipe { scale: NonZeroU16::new(86).unwrap(), ..RECIPE },
        ] {
            let error = Store::open(&path, other).err().unwrap().to_string();
            let told =
                "games of seed 7, 100 nodes a move, weights 00000005, tables of 4 pieces, scale 90, not of ";
            assert!(error.contains(told), "{error}");
        }
    }
}
