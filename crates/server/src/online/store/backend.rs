//! The database backend: SQLite or PostgreSQL behind one type.

use std::sync::Arc;

use crownhead_game::Time;

use super::postgres::Postgres;
use super::sqlite::Sqlite;
use super::{Change, ClusterFeed, Heartbeat, ListedGame, Outage, StoreError, StoredEvent, StoredGame};
use crate::Database;
use crate::online::cluster::ClusterMessage;
use crate::online::ids::{GameId, Owner};

/// A database that keeps games: SQLite in a file, or PostgreSQL.
pub struct Backend(Kind);

enum Kind {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

/// Calls the same method of whichever database it is.
macro_rules! either {
    ($backend:expr, $database:ident => $call:expr) => {
        match &$backend.0 {
            Kind::Sqlite($database) => $call,
            Kind::Postgres($database) => $call,
        }
    };
}

/// The retention policy: what is old enough to be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Games without a move, without a running clock and unchanged since then are removed, with or without a result.
    pub unplayed_before: Time,
    /// Finished games that are unchanged since then are removed; none if missing.
    pub finished_before: Option<Time>,
    /// Outages that ended before this are removed.
    pub outages_before: Time,
    /// The first day whose counts of started games are kept.
    pub first_day: u64,
}

impl Backend {
    /// Opens a database without a write queue, for commands that only read or that rarely write.
    ///
    /// # Errors
    /// As [`Store::open`](super::Store::open).
    pub async fn open(database: &Database) -> Result<Backend, StoreError> {
        if let Some(file) = database.file() {
            return Ok(Backend(Kind::Sqlite(Sqlite::open(file).await?)));
        }
        match database {
            Database::Address(address) if address.starts_with("postgres") => {
                Ok(Backend(Kind::Postgres(Box::new(Postgres::open(address).await?))))
            }
            Database::Address(address) => Err(StoreError::Address(address.clone())),
            Database::File(file) => unreachable!("{} is a file", file.display()),
        }
    }

    /// Writes all jobs in one transaction and returns which of them were written. A job is left out, with all of its
    /// changes, if a game does not have exactly the events that its first change follows.
    ///
    /// # Errors
    /// If the database fails; whether anything was written is then unknown.
    pub async fn write(&self, jobs: Arc<Vec<Vec<Change>>>) -> Result<Vec<bool>, StoreError> {
        either!(self, database => database.write(jobs).await)
    }

    /// Stores a heartbeat, in a transaction that writes to the disk as a move does, and reads it back on another
    /// connection. The time is taken as late as the database allows.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn heartbeat(&self, beat: Heartbeat) -> Result<(), StoreError> {
        either!(self, database => database.heartbeat(beat).await)
    }

    /// The time of the last heartbeat of any server.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn last_heartbeat(&self) -> Result<Option<Time>, StoreError> {
        either!(self, database => database.last_heartbeat().await)
    }

    /// A game with all its events.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        either!(self, database => database.game(id).await)
    }

    /// The events of a game from a number on, as they are stored.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn events(&self, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError> {
        either!(self, database => database.events(id, from).await)
    }

    /// The games of a browser, the latest first, without invitations that were withdrawn.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn games_of(&self, owner: &Owner, limit: usize) -> Result<Vec<ListedGame>, StoreError> {
        either!(self, database => database.games_of(owner, limit).await)
    }

    /// All games, the latest first, for the host.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn all_games(&self, limit: usize) -> Result<Vec<ListedGame>, StoreError> {
        either!(self, database => database.all_games(limit).await)
    }

    /// The games whose ids begin with this, `limit` at most.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn find(&self, beginning: &str, limit: usize) -> Result<Vec<GameId>, StoreError> {
        either!(self, database => database.find(beginning, limit).await)
    }

    /// How many open games a browser has.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_games_of(&self, owner: &Owner) -> Result<usize, StoreError> {
        either!(self, database => database.open_games_of(owner).await)
    }

    /// How many open games were created from an address.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open_games_from(&self, address: &str) -> Result<usize, StoreError> {
        either!(self, database => database.open_games_from(address).await)
    }

    /// How many games an address has started on a day, counted from 1970.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn started_from(&self, address: &str, day: u64) -> Result<usize, StoreError> {
        either!(self, database => database.started_from(address, day).await)
    }

    /// Games in which the side to move has run out of time.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn due(&self, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError> {
        either!(self, database => database.due(now, limit).await)
    }

    /// The outages that ended after `since`, in order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn outages(&self, since: Time) -> Result<Vec<Outage>, StoreError> {
        either!(self, database => database.outages(since).await)
    }

    /// Sends a message to all servers on this database. Does nothing on SQLite.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn tell(&self, message: &ClusterMessage) -> Result<(), StoreError> {
        match &self.0 {
            // No other server has this file open.
            Kind::Sqlite(_) => Ok(()),
            Kind::Postgres(database) => database.tell(message).await,
        }
    }

    /// Applies the retention policy and returns the number of removed games.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn clean(&self, terms: Retention) -> Result<u64, StoreError> {
        either!(self, database => database.clean(terms).await)
    }

    /// Deletes a game with all its data. Returns whether it existed.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        either!(self, database => database.delete(id).await)
    }

    /// Unlinks a browser from its seats, removes its names, and returns the games concerned.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn forget(&self, owner: &Owner) -> Result<Vec<GameId>, StoreError> {
        either!(self, database => database.forget(owner).await)
    }

    /// A value that all servers on this database share; `first` is stored if there is none yet.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn setting(&self, name: &str, first: &str) -> Result<String, StoreError> {
        either!(self, database => database.setting(name, first).await)
    }

    /// The size of the database in bytes.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn size(&self) -> Result<u64, StoreError> {
        either!(self, database => database.size().await)
    }

    /// The free bytes on the disk of the database; `None` if unknown.
    pub fn disk_free(&self) -> Option<u64> {
        match &self.0 {
            Kind::Sqlite(database) => database.disk_free(),
            // The disk is that of another process, perhaps on another machine.
            Kind::Postgres(_) => None,
        }
    }

    /// The messages of other servers on this database.
    pub fn feed(&self) -> ClusterFeed {
        match &self.0 {
            Kind::Sqlite(_) => ClusterFeed::silent(),
            Kind::Postgres(database) => database.feed(),
        }
    }

    /// Finishes the operations in progress and disconnects.
    pub async fn close(&self) {
        either!(self, database => database.close().await);
    }
}
