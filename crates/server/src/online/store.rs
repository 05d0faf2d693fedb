//! The games as they are stored: what is written and read, and the queue through which everything is written.
//!
//! Two databases keep games: SQLite in a file ([`sqlite`]) and PostgreSQL ([`postgres`]), behind one [`Backend`]. All
//! writes go through one queue, which puts whatever waits into one transaction, so that many games share a write to the
//! disk. Nothing counts as written before its transaction is.

mod names;
mod postgres;
mod queries;
mod row;
mod sqlite;
mod writer;

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use crownhead_game::{Record, Start, Time};
use tokio::sync::mpsc;

use crate::Database;
use crate::online::cluster::ClusterMessage;
use crate::online::ids::{GameId, Owner};
use crate::online::outages::Outages;
use crate::online::summary::Summary;

pub(crate) use names::without_names;
pub use postgres::ClusterFeed;
pub use sqlite::SqliteFile;

/// A database that keeps games.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Writes all jobs in one transaction and tells which of them were written. A job is left out, with all of its
    /// changes, if a game does not have exactly the events that its first change follows.
    ///
    /// # Errors
    /// If the database fails; whether anything was written is then unknown.
    async fn write(&self, jobs: Arc<Vec<Vec<Change>>>) -> Result<Vec<bool>, StoreError>;
    /// Notes that a server runs, in a transaction that needs the disk as a move does, and reads it back by another
    /// connection. The time is asked for as late as the database allows.
    async fn heartbeat(&self, beat: Heartbeat) -> Result<(), StoreError>;
    /// When a server last noted that it runs.
    async fn last_heartbeat(&self) -> Result<Option<Time>, StoreError>;
    /// A game with all its events.
    async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError>;
    /// The events of a game from a number on, as they are stored.
    async fn events(&self, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError>;
    /// The games of a browser, the latest first, without invitations that were withdrawn.
    async fn games_of(&self, owner: &Owner, limit: usize) -> Result<Vec<ListedGame>, StoreError>;
    /// All games, the latest first, for whoever runs the server.
    async fn all_games(&self, limit: usize) -> Result<Vec<ListedGame>, StoreError>;
    /// The games whose ids begin with this, `limit` at most.
    async fn find(&self, beginning: &str, limit: usize) -> Result<Vec<GameId>, StoreError>;
    /// How many open games a browser has.
    async fn open_games_of(&self, owner: &Owner) -> Result<usize, StoreError>;
    /// How many open games were invited to from an address.
    async fn open_games_from(&self, address: &str) -> Result<usize, StoreError>;
    /// How many games an address has started on a day, counted from 1970.
    async fn started_from(&self, address: &str, day: u64) -> Result<usize, StoreError>;
    /// Games in which the time of the side to move is up.
    async fn due(&self, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError>;
    /// The outages that ended after `since`, in order.
    async fn outages(&self, since: Time) -> Result<Vec<Outage>, StoreError>;
    /// Tells something to all servers on this database. Where there is only one, nothing happens.
    async fn tell(&self, message: &ClusterMessage) -> Result<(), StoreError>;
    /// Removes what has had its time, and tells how many games that were.
    async fn clean(&self, terms: Retention) -> Result<u64, StoreError>;
    /// Removes a game with all that belongs to it. Tells whether there was one.
    async fn delete(&self, id: GameId) -> Result<bool, StoreError>;
    /// Unlinks a browser from its seats, removes its names, and tells from which games.
    async fn forget(&self, owner: &Owner) -> Result<Vec<GameId>, StoreError>;
    /// A value that all servers on this database share; `first` is stored if there is none yet.
    async fn setting(&self, name: &str, first: &str) -> Result<String, StoreError>;
    /// How many bytes the database has.
    async fn size(&self) -> Result<u64, StoreError>;
    /// How many bytes are free on the disk that it is on; nothing if that is not ours to know.
    fn disk_free(&self) -> Option<u64>;
    /// What other servers on this database tell.
    fn feed(&self) -> ClusterFeed;
    /// Finishes what is under way and hangs up.
    async fn close(&self);
}

/// The games in a database. Reads go to the [`Backend`] at once, writes through a queue.
pub struct Store {
    backend: Arc<dyn Backend>,
    jobs: mpsc::Sender<writer::Job>,
    outages: Arc<Outages>,
}

impl Store {
    /// Opens a database and brings it up to date.
    ///
    /// # Errors
    /// If it cannot be reached, cannot be written, or is not ours.
    pub async fn open(database: &Database, outages: Arc<Outages>) -> Result<Store, StoreError> {
        let backend = backend(database).await?;
        let jobs = writer::start(backend.clone(), outages.clone());
        Ok(Store { backend, jobs, outages })
    }

    /// Writes all of it or nothing. When this returns, it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if a game has other events by now than the changes follow.
    pub async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        writer::write(&self.jobs, changes).await
    }

    /// Waits until what is being written is, and hangs up. What still waits is not written, and nobody was told that it is.
    pub async fn close(&self) {
        self.backend.close().await;
    }

    /// How many changes wait to be written.
    pub fn queue_length(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    pub(crate) fn outages_seen(&self) -> &Arc<Outages> {
        &self.outages
    }
}

impl Deref for Store {
    type Target = dyn Backend;

    fn deref(&self) -> &(dyn Backend + 'static) {
        &*self.backend
    }
}

/// Opens a database without a queue, for commands that only read, or that change something rare.
///
/// # Errors
/// As [`Store::open`].
pub async fn backend(database: &Database) -> Result<Arc<dyn Backend>, StoreError> {
    if let Some(file) = database.file() {
        return Ok(Arc::new(sqlite::Sqlite::open(file).await?));
    }
    match database {
        Database::Address(address) if address.starts_with("postgres") => {
            Ok(Arc::new(postgres::Postgres::open(address).await?))
        }
        Database::Address(address) => Err(StoreError::Address(address.clone())),
        Database::File(file) => unreachable!("{} is a file", file.display()),
    }
}

/// Seat 0 is the inviter's, seat 1 the guest's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Sits at the bottom of a shared screen, if there were one.
    Inviter,
    /// Came by the link.
    Guest,
}

impl Seat {
    /// Both.
    pub const BOTH: [Seat; 2] = [Seat::Inviter, Seat::Guest];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A change to one game.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which.
    pub game: GameId,
    /// If it is new: what was chosen, and where.
    pub new: Option<NewGame>,
    /// Seats that are taken with it.
    pub seats: Vec<TakenSeat>,
    /// What happened, numbered from `seq` on.
    pub events: Vec<StoredEvent>,
    /// How many events the game has before, which is the number of the first of these.
    pub seq: usize,
    /// How things stand afterwards.
    pub status: GameStatus,
    /// The rematch that was agreed on.
    pub next: Option<GameId>,
}

/// A game that is not in the database yet.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// What was chosen.
    pub start: Start,
    /// A keyed hash of the network address that it was chosen at, for as long as the game is open.
    pub address: String,
}

/// A seat that somebody takes. Names are stored here and not in the log, so that they can be removed.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// Which.
    pub seat: Seat,
    /// Who.
    pub owner: Owner,
    /// Under which name.
    pub name: String,
}

/// How a game stands, as far as games are searched by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// When it changed last.
    pub updated: Time,
    /// When the time of the side to move is up.
    pub wake_at: Option<Time>,
    /// How many moves were made.
    pub plies: usize,
    /// What lists show.
    pub summary: Summary,
}

/// A record of a game's log, with the command that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The record.
    pub record: Record,
    /// The record as JSON, as it is sent.
    pub json: String,
    /// The command, as its sender called it; empty if it was nobody's.
    pub command: String,
}

/// A game as it is stored.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// What the inviter chose.
    pub start: Start,
    /// When.
    pub created: Time,
    /// Who has the seats.
    pub owners: [Option<Owner>; 2],
    /// The names of those who have them, as far as they are stored beside the log.
    pub names: [String; 2],
    /// The rematch.
    pub next: Option<GameId>,
    /// All that happened.
    pub events: Vec<StoredEvent>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// Which.
    pub game: GameId,
    /// The browser's seat.
    pub seat: Seat,
    /// When something happened last.
    pub updated: Time,
    /// How things stand.
    pub summary: Summary,
}

/// A time at which no server ran, or none could store a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outage {
    /// The beginning.
    pub since: Time,
    /// The end.
    pub until: Time,
}

/// What a server notes twice a second.
#[derive(Clone)]
pub struct Heartbeat {
    /// Which server.
    pub server: u64,
    /// Tells the time.
    pub now: Arc<dyn Fn() -> Time + Send + Sync>,
    /// Outages that are not stored yet.
    pub outages: Vec<Outage>,
}

impl Heartbeat {
    /// The game that the heartbeats of a server are events of. It has no log, and no list has it.
    fn game(&self) -> String {
        format!("{:022}", self.server)
    }
}

/// How long what is stored is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Games without a move, whose clock does not run, and in which nothing happened since then, are removed, whether they
    /// have a result or not.
    pub unplayed_before: Time,
    /// Finished games in which nothing happened since then are removed; none if missing.
    pub finished_before: Option<Time>,
    /// Outages that ended before are of no use.
    pub outages_before: Time,
    /// The first day whose counts of started games are kept.
    pub first_day: u64,
}

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

// The messages tell what the database says, so it is no cause beside them: whoever prints causes would say it twice.
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
