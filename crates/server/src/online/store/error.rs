//! Errors of the store: conflicts, database failures and unusable files.

use std::path::PathBuf;

use crate::online::ids::GameId;

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another writer has appended to the game: read it again.
    #[error("the game has changed in the meantime")]
    Taken,
    /// PostgreSQL failed.
    #[error("the database failed: {0}")]
    Postgres(sqlx::Error),
    /// SQLite failed.
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
    /// A file cannot be used.
    #[error("{} cannot be used: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Another server runs on the database.
    #[error(
        "{} is in use by another server{}; stop it, or choose another folder with --data DIR",
        database.display(),
        process.as_ref().map(|id| format!(" (process {id})")).unwrap_or_default()
    )]
    Locked {
        /// The database.
        database: PathBuf,
        /// The id of its process, if the lock file says so.
        process: Option<String>,
    },
    /// The database could not be migrated.
    #[error("the database cannot be used: {0}; was it written by a newer Crownhead?")]
    Migration(String),
    /// The key that signs cookies is damaged.
    #[error(
        "the server key in the database is damaged; restore a backup, or delete server_key from the table settings: \
         the server then makes a new key, and browsers keep their seats"
    )]
    DamagedKey,
    /// What was written could not be read back.
    #[error("the database did not return what was written to it")]
    NotReadBack,
    /// The database cannot write at the moment.
    #[error("the database cannot write at the moment")]
    Unavailable,
    /// The database did not answer in time.
    #[error("the database does not answer")]
    Timeout,
    /// A stored game is damaged.
    #[error("game {game} in the database is damaged: {problem}")]
    Damaged {
        /// Which game.
        game: GameId,
        /// What is wrong.
        problem: String,
    },
    /// The database's address is wrong.
    #[error("{0:?} is not a database: give sqlite://FILE or postgres://USER@HOST/NAME")]
    Address(String),
    /// The store is closed.
    #[error("the server is stopping")]
    Closed,
}

// The messages contain the text of the database error, so it is not a source as well: a printed chain would repeat it.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Postgres(error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sqlite(error)
    }
}

impl StoreError {
    /// Did another writer append to the game first?
    pub(crate) fn is_taken(&self) -> bool {
        matches!(self, StoreError::Taken)
    }

    /// Is one job at fault, and not the database?
    pub(crate) fn is_about_one_job(&self) -> bool {
        match self {
            StoreError::Sqlite(error) => {
                error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
            }
            StoreError::Postgres(sqlx::Error::Database(error)) => {
                !matches!(error.kind(), sqlx::error::ErrorKind::Other)
            }
            _ => false,
        }
    }

    /// May the change have been stored nevertheless? A database can fail after it has written.
    pub(crate) fn is_in_doubt(&self) -> bool {
        !matches!(self, StoreError::Damaged { .. } | StoreError::Address(_) | StoreError::Migration(_))
    }
}
