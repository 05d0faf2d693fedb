//! The store of unfinished games: one file per game with its log, one line per record.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crownhead_game::{Game, Record, Time};
use crownhead_rules::Position;

/// The folder of unfinished games.
#[derive(Clone, Debug)]
pub(crate) struct SavedGames {
    folder: PathBuf,
}

/// The file of a game, locked against other processes until it is dropped.
#[derive(Debug)]
pub(crate) struct Kept {
    path: PathBuf,
    file: File,
    /// The number of records in the file.
    written: usize,
}

/// An unfinished game read from disk.
pub(crate) struct Unfinished {
    pub(crate) kept: Kept,
    pub(crate) log: Vec<Record>,
    pub(crate) game: Game,
    /// The last time at which the program that played it was known to be running.
    pub(crate) alive: Time,
}

const ENDING: &str = "jsonl";

impl SavedGames {
    /// The store in a data folder.
    pub(crate) fn in_folder(data: &Path) -> SavedGames {
        SavedGames { folder: data.join("unfinished") }
    }

    /// Creates the file of a game.
    pub(crate) fn keep(&self, log: &[Record]) -> io::Result<Kept> {
        fs::create_dir_all(&self.folder)?;
        let started = log.first().map_or(0, |record| record.at.0);
        let mut n = 0;
        let (path, file) = loop {
            let path = self.folder.join(format!("{started}-{n}.{ENDING}"));
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => break (path, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => n += 1,
                Err(error) => return Err(error),
            }
        };
        file.lock()?;
        let mut kept = Kept { path, file, written: 0 };
        kept.catch_up(log)?;
        Ok(kept)
    }

    /// The games that no process is playing now, most recent first, and messages about files that cannot be read.
    /// Unreadable files are set aside; games that cannot be resumed are deleted.
    pub(crate) fn unfinished(&self) -> (Vec<Unfinished>, Vec<String>) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let (mut games, mut troubles) = (Vec::new(), Vec::new());
        for path in entries.filter(|path| path.extension().is_some_and(|ending| ending == ENDING)) {
            match read(&path) {
                Ok(None) => {}
                Ok(Some(found)) if !can_go_on(&found.game) => found.kept.throw_away(),
                Ok(Some(found)) => games.push(found),
                Err(error) => {
                    let aside = path.with_extension("damaged");
                    let _ = fs::rename(&path, &aside);
                    troubles.push(format!(
                        "A saved game cannot be read: {error}. It is now {}.",
                        aside.display()
                    ));
                }
            }
        }
        games.sort_by_key(|found| std::cmp::Reverse(found.alive));
        (games, troubles)
    }
}

impl Kept {
    /// Appends the new records. After this they survive a crash of the program and of the machine: each record is one
    /// line, and an incomplete line does not count. On an error the file stays as it was, and the next call writes
    /// everything that is missing.
    pub(crate) fn catch_up(&mut self, log: &[Record]) -> io::Result<()> {
        let mut lines = Vec::new();
        for record in &log[self.written..] {
            serde_json::to_writer(&mut lines, record)?;
            lines.push(b'\n');
        }
        let before = self.file.metadata()?.len();
        let done = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        if done.is_ok() {
            self.written = log.len();
        } else {
            self.file.set_len(before)?;
            self.file.seek(io::SeekFrom::End(0))?;
        }
        done
    }

    /// Records that the program is still running: a resumed game charges its clock up to this time.
    pub(crate) fn touch(&self) {
        // If this fails, a clock may be charged too little.
        let _ = self.file.set_modified(SystemTime::now());
    }

    /// Deletes the game.
    pub(crate) fn throw_away(self) {
        // A game that cannot be deleted is offered again.
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Closing is not enough: a child process that has not yet closed its copy of the descriptor would hold the
        // lock.
        let _ = self.file.unlock();
    }
}

/// Has a human player moved, and is the game not over?
pub(crate) fn can_go_on(game: &Game) -> bool {
    let given = game.started().opening.as_ref().map_or(0, |opening| opening.moves.len());
    let mut movers = game.history().positions().iter().skip(given).map(Position::side_to_move);
    let made = game.history().moves().len().saturating_sub(given);
    let is_human = |side| game.started().player(side).level().is_none();
    game.outcome().is_none() && movers.by_ref().take(made).any(is_human)
}

/// Reads a game, unless another process is playing it.
fn read(path: &Path) -> anyhow::Result<Option<Unfinished>> {
    let mut file = File::options().read(true).write(true).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error.into()),
        Ok(()) => {}
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let log: Vec<Record> = text[..whole].lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let game = Game::replay(&log)?;
    file.set_len(whole as u64)?;
    file.seek(io::SeekFrom::End(0))?;
    let modified = file.metadata()?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let last = log.last().map_or(Time(0), |record| record.at);
    let alive = last.max(Time(u64::try_from(modified.as_millis()).unwrap_or(0)));
    let kept = Kept { path: path.to_owned(), file, written: log.len() };
    Ok(Some(Unfinished { kept, log, game, alive }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Command, Moment, Player, Start, Who};

    struct Played {
        folder: tempfile::TempDir,
        saved_games: SavedGames,
        game: Game,
        log: Vec<Record>,
    }

    fn played() -> Played {
        let folder = tempfile::tempdir().unwrap();
        let saved_games = SavedGames::in_folder(folder.path());
        let start = Start::new([Player::human("Ann"), Player::human("Bob")], 1);
        let (mut game, step) = Game::start(start, Time(1_000)).unwrap();
        let mut log = step.records;
        for text in ["11-15", "22-18"] {
            let command = Command::Move { text: text.into() };
            log.extend(game.handle(Who::Screen, &command, Moment::at(Time(2_000))).unwrap().records);
        }
        Played { folder, saved_games, game, log }
    }

    fn file_of(played: &Played) -> PathBuf {
        fs::read_dir(played.folder.path().join("unfinished")).unwrap().next().unwrap().unwrap().path()
    }

    #[test]
    fn a_kept_game_is_found_again() {
        let played = played();
        drop(played.saved_games.keep(&played.log).unwrap());
        let (games, troubles) = played.saved_games.unfinished();
        assert_eq!((games.len(), troubles.len()), (1, 0));
        assert_eq!((&games[0].game, &games[0].log), (&played.game, &played.log));
    }

    #[test]
    fn a_game_that_is_being_played_is_not_offered() {
        let played = played();
        let kept = played.saved_games.keep(&played.log).unwrap();
        assert!(played.saved_games.unfinished().0.is_empty());
        drop(kept);
        assert_eq!(played.saved_games.unfinished().0.len(), 1);
    }

    #[test]
    fn a_line_that_was_cut_off_does_not_count() {
        let played = played();
        drop(played.saved_games.keep(&played.log).unwrap());
        let path = file_of(&played);
        let whole = fs::read(&path).unwrap();
        let last_line = serde_json::to_string(&played.log[2]).unwrap().len() + 1;
        for cut in 1..=last_line {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let (mut games, _) = played.saved_games.unfinished();
            let mut found = games.pop().expect("the first move is there");
            assert_eq!(found.log.len(), 2);
            found.kept.catch_up(&played.log).unwrap();
            drop(found);
            assert_eq!(fs::read(&path).unwrap(), whole, "the log goes on where it was whole");
        }
    }

    #[test]
    fn a_damaged_game_is_set_aside_and_told() {
        let played = played();
        drop(played.saved_games.keep(&played.log).unwrap());
        let path = file_of(&played);
        fs::write(&path, "{\"v\":1}\n").unwrap();
        let (games, troubles) = played.saved_games.unfinished();
        assert!(games.is_empty());
        assert!(troubles[0].starts_with("A saved game cannot be read: "), "{troubles:?}");
        assert!(path.with_extension("damaged").exists());
        assert!(played.saved_games.unfinished().1.is_empty(), "told once");
    }

    #[test]
    fn a_game_that_is_over_is_not_offered() {
        let mut played = played();
        let step = played.game.handle(Who::Screen, &Command::Resign, Moment::at(Time(3_000))).unwrap();
        played.log.extend(step.records);
        drop(played.saved_games.keep(&played.log).unwrap());
        assert!(played.saved_games.unfinished().0.is_empty());
        assert_eq!(fs::read_dir(played.folder.path().join("unfinished")).unwrap().count(), 0);
    }
}
