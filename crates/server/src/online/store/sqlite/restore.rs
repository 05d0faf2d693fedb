//! Restores a backup, and keeps the database that it replaces.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::file::{SqliteFile, beside};
use crate::online::store::StoreError;

/// The suffixes of the files that SQLite keeps beside a database.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

impl SqliteFile {
    /// Replaces the database with a copy of a backup, and returns where the old one is kept. No server may run on it:
    /// take the [`DatabaseLock`](crate::online::DatabaseLock) first.
    ///
    /// # Errors
    /// If the backup is damaged or cannot be copied; the database then stays as it is.
    pub fn replace_with(&self, backup: &Path) -> Result<Option<PathBuf>, StoreError> {
        let SqliteFile(file) = self;
        let new = beside(file, ".new");
        // An interrupted attempt may have left one.
        let _ = fs::remove_file(&new);
        let replaced = SqliteFile::at(backup).copy_to(&new).and_then(|_| {
            let kept = self.keep()?;
            sync(&new).and_then(|()| fs::rename(&new, file)).map_err(|error| failed(file, &error))?;
            sync_folder(file).map_err(|error| failed(file, &error))?;
            Ok(kept)
        });
        if replaced.is_err() {
            let _ = fs::remove_file(&new);
        }
        replaced
    }

    /// Keeps the database under another name, and leaves no companion files that SQLite would take for those of the new
    /// one.
    fn keep(&self) -> Result<Option<PathBuf>, StoreError> {
        let SqliteFile(file) = self;
        if !file.exists() {
            // A write-ahead log without its database is unreadable.
            return remove_companions(file).map(|()| None).map_err(|error| failed(file, &error));
        }
        let kept = free_name(file);
        if self.copy_to(&kept).is_ok() && self.fold_log().is_ok() {
            let removed = sync(&kept).and_then(|()| remove_companions(file));
            return removed.map(|()| Some(kept)).map_err(|error| failed(file, &error));
        }
        // The database is damaged, so it is kept as it is.
        let _ = fs::remove_file(&kept);
        let mut renamed = Ok(());
        for companion in COMPANIONS {
            let from = beside(file, companion);
            if from.exists() {
                renamed = renamed.and_then(|()| fs::rename(from, beside(&kept, companion)));
            }
        }
        renamed = renamed.and_then(|()| fs::rename(file, &kept));
        renamed.map(|()| Some(kept)).map_err(|error| failed(file, &error))
    }

    /// Checkpoints the write-ahead log, so that the file alone is the database.
    fn fold_log(&self) -> Result<(), rusqlite::Error> {
        let connection = Connection::open_with_flags(&self.0, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

/// `games.sqlite.before-restore`, or the same with a number if that name is taken.
fn free_name(file: &Path) -> PathBuf {
    let names = (1_u32..).map(|n| match n {
        1 => beside(file, ".before-restore"),
        _ => beside(file, &format!(".before-restore-{n}")),
    });
    names.into_iter().find(|name| !name.exists()).expect("some number is free")
}

fn remove_companions(file: &Path) -> io::Result<()> {
    for companion in COMPANIONS {
        match fs::remove_file(beside(file, companion)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn sync(file: &Path) -> io::Result<()> {
    File::options().write(true).open(file)?.sync_all()
}

/// Makes a rename durable: on Unix the folder has to be synced as well.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn failed(file: &Path, error: &io::Error) -> StoreError {
    StoreError::File { file: file.to_owned(), problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::file::{connect, open};
    use super::*;

    const COUNT: &str = "SELECT COUNT(*) FROM settings";

    fn note(file: &Path, name: &str) -> Connection {
        drop(open(file).expect("a database"));
        let connection = connect(file).expect("a connection");
        connection.execute("INSERT INTO settings (name, value) VALUES ($1, '')", [name]).expect("a row");
        connection
    }

    fn notes(file: &Path) -> i64 {
        connect(file).expect("a database").query_row(COUNT, [], |row| row.get(0)).expect("a count")
    }

    #[test]
    fn what_was_only_in_the_log_is_in_the_kept_database_and_not_in_the_new_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, backup) = (folder.path().join("games.sqlite"), folder.path().join("backup"));
        drop(note(&backup, "backup"));
        // A process that is killed leaves its log.
        std::mem::forget(note(&file, "one"));
        std::mem::forget(note(&file, "two"));
        assert!(beside(&file, "-wal").exists());
        let kept = SqliteFile::at(&file).replace_with(&backup).expect("restored").expect("a kept one");
        assert_eq!((notes(&kept), notes(&file)), (2, 1));
        let next = SqliteFile::at(&file).replace_with(&backup).expect("restored").expect("a kept one");
        assert_eq!(next, folder.path().join("games.sqlite.before-restore-2"));
        assert_eq!((notes(&kept), notes(&next)), (2, 1));
    }

    #[test]
    fn a_damaged_database_is_replaced_and_kept_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, backup) = (folder.path().join("games.sqlite"), folder.path().join("backup"));
        drop(note(&backup, "backup"));
        let damaged = "no database".repeat(1_000);
        fs::write(&file, &damaged).expect("a file");
        fs::write(beside(&file, "-wal"), "no log").expect("a file");
        let kept = SqliteFile::at(&file).replace_with(&backup).expect("restored").expect("a kept one");
        assert_eq!(fs::read_to_string(&kept).expect("the old one"), damaged);
        assert!(!beside(&file, "-wal").exists(), "the old log is not part of the new database");
        assert_eq!(notes(&file), 1);
    }

    #[test]
    fn a_backup_that_cannot_be_used_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, backup) = (folder.path().join("games.sqlite"), folder.path().join("backup"));
        drop(note(&file, "one"));
        fs::write(&backup, "no database").expect("a file");
        let refused = SqliteFile::at(&file).replace_with(&backup).expect_err("a refusal").to_string();
        assert!(refused.contains(&*backup.to_string_lossy()), "{refused}");
        assert_eq!(notes(&file), 1);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
