//! The lock on a database file: one server at a time, because the players of two would not see each other.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::online::store::StoreError;

/// A lock that is held until it is dropped or the process ends, in whatever way.
pub struct DatabaseLock {
    _file: File,
}

impl DatabaseLock {
    /// Takes the lock.
    ///
    /// # Errors
    /// If another server holds it, or the lock file cannot be opened.
    pub fn take(database: &Path) -> Result<DatabaseLock, StoreError> {
        let path = lock_file(database);
        let failed = |problem: String| StoreError::File { file: database.to_owned(), problem };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(|error| failed(error.to_string()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut process = String::new();
                // The process id only makes the message clearer.
                let _ = file.read_to_string(&mut process);
                let process = Some(process.trim().to_owned()).filter(|process| !process.is_empty());
                return Err(StoreError::Locked { database: database.to_owned(), process });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error.to_string())),
        }
        let note = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        // A full disk must not keep a server from starting: the lock itself takes no space.
        if let Err(error) = note(&mut file) {
            tracing::debug!(%error, "cannot write the process id into the lock file");
        }
        Ok(DatabaseLock { _file: file })
    }
}

fn lock_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_locked_once_and_free_again_when_the_lock_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("games.sqlite");
        let lock = DatabaseLock::take(&database).expect("the lock");
        let refused = DatabaseLock::take(&database).err().expect("a refusal").to_string();
        assert!(
            refused.contains(&std::process::id().to_string()) && refused.contains("games.sqlite"),
            "{refused}"
        );
        drop(lock);
        DatabaseLock::take(&database).expect("free again");
    }

    #[test]
    fn a_lock_file_without_a_process_id_is_reported_without_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("games.sqlite");
        let _lock = DatabaseLock::take(&database).expect("the lock");
        std::fs::write(lock_file(&database), "").expect("an empty file");
        let refused = DatabaseLock::take(&database).err().expect("a refusal").to_string();
        assert!(refused.contains("by another server; stop it"), "{refused}");
    }
}
