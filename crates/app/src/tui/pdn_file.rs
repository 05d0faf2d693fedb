//! PDN files: saves the current game and reads files to step through.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use crownhead_game::Game;
use crownhead_pdn::{Game as Recorded, ReadGame, Reader};

use crate::atomic_file::AtomicFile;

/// The most games that are read from a file.
const MAX_GAMES: usize = 100_000;

/// Appends a game to a file and returns a sentence that says so.
///
/// # Errors
/// A sentence if the file cannot be written; the file is then unchanged.
pub(crate) fn save(game: &Game, path: &Path) -> Result<String, String> {
    let today = jiff::Zoned::now().strftime("%Y.%m.%d").to_string();
    append(&game.to_pdn(Some(&today)), path)
        .map_err(|error| format!("{} cannot be written: {}.", path.display(), error.root_cause()))
}

fn append(game: &Recorded, path: &Path) -> anyhow::Result<String> {
    let old = match fs::read(path) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let mut file = AtomicFile::create(path)?;
    file.write_all(&old)?;
    if !old.is_empty() {
        file.write_all(if old.ends_with(b"\n") { b"\n" } else { b"\n\n" })?;
    }
    write!(file, "{game}")?;
    file.commit()?;
    let verb = if old.is_empty() { "saved as" } else { "added to" };
    Ok(format!("The game is {verb} {}.", path.display()))
}

/// All games of a file.
///
/// # Errors
/// If the file cannot be read or has no game in it.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<ReadGame>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let games: Vec<ReadGame> = Reader::new(file)
        .take(MAX_GAMES)
        .collect::<Result<_, _>>()
        .with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(!games.is_empty(), "there is no game in {}", path.display());
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Player, Start, Time};

    fn game(moves: &[&str]) -> Recorded {
        let mut game = Recorded::default();
        for text in moves {
            game.line.play(text).unwrap();
        }
        game
    }

    #[test]
    fn games_are_added_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        assert!(append(&game(&["11-15"]), &path).unwrap().starts_with("The game is saved as "));
        assert!(append(&game(&["9-14", "22-18"]), &path).unwrap().starts_with("The game is added to "));
        let games = read(&path).unwrap();
        let lengths: Vec<_> = games.iter().map(|read| read.game.moves().len()).collect();
        assert_eq!(lengths, [1, 2]);
    }

    #[test]
    fn what_cannot_be_read_or_written_is_told_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no/such.pdn");
        let (live, _) = Game::start(Start::new([Player::human(""), Player::human("")], 1), Time(0)).unwrap();
        let why = save(&live, &missing).unwrap_err();
        assert!(
            why.ends_with("such.pdn cannot be written: No such file or directory (os error 2)."),
            "{why}"
        );
        assert!(format!("{:#}", read(&missing).unwrap_err()).contains("such.pdn"));
        let empty = folder.path().join("empty.pdn");
        fs::write(&empty, "").unwrap();
        assert!(read(&empty).unwrap_err().to_string().starts_with("there is no game in "));
    }
}
