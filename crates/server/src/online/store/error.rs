//! Why something could not be stored or read.

use std::path::PathBuf;

use crate::online::ids::GameId;

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The game has other events by now: read again.
    #[error("the game has changed meanwhile")]
    Taken,
    /// PostgreSQL failed.
    #[error("the database failed: {0}")]
    Postgres(sqlx::Error),
    /// SQLite failed.
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
    /// A file cannot be used, and why.
    #[error("{} cannot be used: {problem}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Another server runs on it.
    #[error(
        "{} is in use by another server (process {process}), whose players would not be seen here; stop it, or give \
         another folder with --data DIR",
        database.display()
    )]
    Locked {
        /// The database.
        database: PathBuf,
        /// The other one's number.
        process: String,
    },
    /// It could not be brought up to date.
    #[error("the database cannot be used: {0}; was it written by a newer Crownhead?")]
    Migration(String),
    /// What was written could not be read back.
    #[error("the database does not show what was written to it")]
    NotReadBack,
    /// It takes nothing at the moment.
    #[error("the database cannot write at the moment")]
    Unavailable,
    /// It did not answer in time.
    #[error("the database does not answer")]
    Timeout,
    /// What it holds makes no sense.
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
    /// The program ends.
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
    /// Has the game other events by now?
    pub(crate) fn is_taken(&self) -> bool {
        matches!(self, StoreError::Taken)
    }

    /// Does the database itself work, and only one job cannot be written?
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

    /// Does only what is stored tell what became of a change? A database can fail after it has written.
    pub(crate) fn is_in_doubt(&self) -> bool {
        !matches!(self, StoreError::Damaged { .. } | StoreError::Address(_) | StoreError::Migration(_))
    }
}
