//! The store in SQLite or PostgreSQL: one set of statements for both, through the driver of sqlx that takes either.
//!
//! Everything is written on one connection by one task, which puts all that is waiting into one transaction, so that
//! many games share a write to the disk. Nothing counts as written before that transaction is.

mod notify;
mod read;
mod schema;
mod writer;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use crownhead_game::Time;
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor};
use tokio::sync::mpsc;

use crate::online::code::{GameId, Owner};
use crate::online::store::{Change, Listed, Outage, Store, StoreError, StoredEvent, StoredGame};
use crate::online::word::Word;
use writer::Job;

pub use notify::News;

/// Reads go on beside the writer.
const READERS: u32 = 4;
/// A database that does not answer for so long is told to the one who asks.
const PATIENCE: Duration = Duration::from_secs(10);
/// Each transaction is on the disk when it is over, and readers do not wait for the writer. The system keeps what was
/// read in any case, so a connection keeps little of it (256 KiB) for itself.
const SQLITE_PRAGMAS: &str = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                              PRAGMA foreign_keys = ON; PRAGMA cache_size = -256;";

/// What `games.finished` says: there may be more to come, there is a result, or there never will be one.
const OPEN: i64 = 0;
const OVER: i64 = 1;
const WITHDRAWN: i64 = 2;

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Sqlite,
    /// A server, perhaps for several of us.
    Postgres,
}

/// Games in a database.
pub struct SqlStore {
    kind: Kind,
    address: String,
    readers: AnyPool,
    /// Has one connection only.
    writer: AnyPool,
    jobs: mpsc::Sender<Job>,
}

impl SqlStore {
    /// Opens a database and brings it up to date: `sqlite://FILE` or `postgres://USER@HOST/NAME`.
    ///
    /// # Errors
    /// If it cannot be reached or is not ours.
    pub async fn open(address: &str) -> Result<SqlStore, StoreError> {
        sqlx::any::install_default_drivers();
        let (kind, address) = match address.split_once("://") {
            Some(("sqlite", _)) => (Kind::Sqlite, format!("{address}?mode=rwc")),
            Some(("postgres" | "postgresql", _)) => (Kind::Postgres, address.to_owned()),
            _ => return Err(StoreError::Address(address.to_owned())),
        };
        let writer = connect(kind, &address, 1).await?;
        schema::migrate(&writer).await?;
        let readers = connect(kind, &address, READERS).await?;
        let jobs = writer::start(kind, writer.clone());
        Ok(SqlStore { kind, address, readers, writer, jobs })
    }

    /// Opens the file, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be written or is not ours.
    pub async fn open_file(file: &Path) -> Result<SqlStore, StoreError> {
        let path = file.display().to_string();
        // In an address these have a meaning of their own.
        let path = path.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
        SqlStore::open(&format!("sqlite://{path}")).await
    }

    /// Which database it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A setting of SQLite on the very connection that writes.
    ///
    /// # Errors
    /// If there is no such setting.
    pub async fn pragma(&self, name: &str) -> Result<String, StoreError> {
        let row: (String,) = sqlx::query_as(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"))
            .fetch_one(&self.writer)
            .await?;
        Ok(row.0)
    }

    /// Word of what other servers write to the same database.
    pub fn news(&self) -> News {
        News::new(self.kind, &self.address)
    }

    /// Waits until what is being written is, and hangs up. What still waits is not written, and nobody was told that it is.
    pub async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

async fn connect(kind: Kind, address: &str, connections: u32) -> Result<AnyPool, sqlx::Error> {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if kind == Kind::Sqlite {
                    connection.execute(SQLITE_PRAGMAS).await?;
                }
                Ok(())
            })
        })
        .connect(address)
        .await
}

#[async_trait]
impl Store for SqlStore {
    async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        writer::write(&self.jobs, changes).await
    }

    async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        read::game(&self.readers, id).await
    }

    async fn events(&self, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError> {
        read::events(&self.readers, id, from).await
    }

    async fn games_of(&self, owner: &Owner, limit: usize) -> Result<Vec<Listed>, StoreError> {
        read::games_of(&self.readers, owner, limit).await
    }

    async fn open_games_of(&self, owner: &Owner) -> Result<usize, StoreError> {
        read::open_games_of(&self.readers, owner).await
    }

    async fn open_games_from(&self, address: &str) -> Result<usize, StoreError> {
        read::open_games_from(&self.readers, address).await
    }

    async fn due(&self, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError> {
        read::due(&self.readers, now, limit).await
    }

    async fn beat(&self, now: Time, patience_ms: u64) -> Result<(), StoreError> {
        writer::beat(&self.writer, now, patience_ms).await
    }

    async fn outages(&self, since: Time) -> Result<Vec<Outage>, StoreError> {
        read::outages(&self.readers, since).await
    }

    async fn tell(&self, word: &Word) -> Result<(), StoreError> {
        match self.kind {
            Kind::Sqlite => Ok(()),
            Kind::Postgres => notify::tell(&self.readers, word).await,
        }
    }

    async fn clean(&self, before: Time) -> Result<u64, StoreError> {
        writer::clean(&self.writer, before).await
    }
}
