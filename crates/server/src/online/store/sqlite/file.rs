//! The SQLite file: permissions, integrity checks, migrations and backups.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::online::store::StoreError;
use crate::online::store::queries::MIGRATIONS;

/// Another process may hold the lock for this long.
const BUSY: Duration = Duration::from_secs(10);
/// A transaction is on the disk when it is committed, and readers do not wait for the writer. The operating system
/// caches the file anyway, so each connection has only a small cache (256 KiB).
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                       PRAGMA cache_size = -256;";
/// Up to this size the whole file is checked when it is opened; larger files would take too long.
const CHECKED_BYTES: u64 = 64 << 20;

/// Opens the file for the first time: checks and migrates it, and names the problem if it cannot be used.
pub(super) fn open(file: &Path) -> Result<Connection, StoreError> {
    claim(file)?;
    let named = |error| name_problem(file, error);
    let mut connection = connect(file).map_err(named)?;
    check(file, &connection).map_err(named)?;
    migrate(&mut connection).map_err(named)?;
    Ok(connection)
}

/// Creates the file if it is missing. Only its owner may read it, because it holds the hashes that identify browsers.
fn claim(file: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let failed = |error: io::Error| {
        let problem = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                format!("{error}; it has to be writable for the user that runs the server")
            }
            _ => error.to_string(),
        };
        StoreError::File { file: file.to_owned(), problem }
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(0o600).open(file).map_err(failed)?;
        // Older versions left it readable for all.
        for file in [file.to_owned(), beside(file, "-wal"), beside(file, "-shm")] {
            if file.exists() {
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).map_err(failed)?;
            }
        }
    }
    #[cfg(not(unix))]
    options.open(file).map_err(failed)?;
    Ok(())
}

pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// One more connection.
pub(super) fn connect(file: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch(PRAGMAS)?;
    Ok(connection)
}

fn check(file: &Path, connection: &Connection) -> Result<(), StoreError> {
    if connection.is_readonly("main")? {
        let problem = "it is read-only; it has to be writable for the user that runs the server".to_owned();
        return Err(StoreError::File { file: file.to_owned(), problem });
    }
    if size(file) <= CHECKED_BYTES {
        let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            return Err(damaged(file, &found));
        }
    }
    Ok(())
}

fn damaged(file: &Path, what: &str) -> StoreError {
    // SQLite reports on several lines.
    let what = what.replace("*** in database main ***", "").replace('\n', " ");
    let what = what.trim();
    let problem =
        format!("it is damaged or not a database ({what}); restore a backup with `crownhead restore`");
    StoreError::File { file: file.to_owned(), problem }
}

fn name_problem(file: &Path, error: StoreError) -> StoreError {
    let StoreError::Sqlite(cause) = &error else { return error };
    match cause.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(file, &cause.to_string()),
        _ => StoreError::File { file: file.to_owned(), problem: cause.to_string() },
    }
}

/// Migrates an older file. Older files recorded their version in a table of the library that was in use then.
fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let mut version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let counted_by_library = version == 0 && connection.table_exists(None, "_sqlx_migrations")?;
    if counted_by_library {
        version = connection.query_row("SELECT MAX(version) FROM _sqlx_migrations", [], |row| row.get(0))?;
    }
    if version > MIGRATIONS.len() as i64 {
        return Err(StoreError::Migration(format!("it has version {version}")));
    }
    for (number, migration) in (1_i64..).zip(MIGRATIONS).skip(version as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

/// The size of the file and its write-ahead log, in bytes.
pub(super) fn size(file: &Path) -> u64 {
    let bytes = |file: &Path| fs::metadata(file).map_or(0, |found| found.len());
    bytes(file) + bytes(&beside(file, "-wal"))
}

/// The free bytes on the disk of the file.
#[cfg(unix)]
pub(super) fn disk_free(file: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(file).ok()?;
    Some(found.f_bavail * found.f_frsize)
}

/// The free bytes on the disk of the file: unknown on this system.
#[cfg(not(unix))]
pub(super) fn disk_free(_file: &Path) -> Option<u64> {
    None
}

/// The database file, for backups and restores.
pub struct SqliteFile(pub(super) PathBuf);

impl SqliteFile {
    /// The database at a path.
    pub fn at(file: &Path) -> SqliteFile {
        SqliteFile(file.to_owned())
    }

    /// Writes a consistent copy, also while a server runs. Returns its size in bytes.
    ///
    /// # Errors
    /// If the file is damaged, or the copy cannot be written.
    pub fn copy_to(&self, target: &Path) -> Result<u64, StoreError> {
        let named = |error: rusqlite::Error| name_problem(&self.0, error.into());
        let source =
            Connection::open_with_flags(&self.0, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(named)?;
        source.busy_timeout(BUSY)?;
        claim(target)?;
        // SQLite writes into an empty file as if there were none.
        source.execute("VACUUM INTO $1", [target.to_string_lossy()]).map_err(named)?;
        SqliteFile::at(target).check()?;
        Ok(size(target))
    }

    /// The number of games in it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn games(&self) -> Result<u64, StoreError> {
        let named = |error: rusqlite::Error| name_problem(&self.0, error.into());
        let connection =
            Connection::open_with_flags(&self.0, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(named)?;
        let games: i64 = connection
            .query_row("SELECT COUNT(*) FROM games WHERE finished <> 2", [], |row| row.get(0))
            .map_err(named)?;
        Ok(games.max(0) as u64)
    }

    /// Checks the whole file.
    ///
    /// # Errors
    /// If it is damaged, or not a database of Crownhead's.
    pub fn check(&self) -> Result<(), StoreError> {
        let named = |error: rusqlite::Error| name_problem(&self.0, error.into());
        let connection =
            Connection::open_with_flags(&self.0, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(named)?;
        let found: String =
            connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(named)?;
        let is_ours = connection.table_exists(None, "events").map_err(named)?;
        let version: i64 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(named)?;
        if version > MIGRATIONS.len() as i64 {
            return Err(StoreError::Migration(format!("{} has version {version}", self.0.display())));
        }
        match (found.as_str(), is_ours) {
            ("ok", true) => Ok(()),
            ("ok", false) => Err(damaged(&self.0, "it has no games of Crownhead's")),
            _ => Err(damaged(&self.0, &found)),
        }
    }
}
