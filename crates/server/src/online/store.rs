//! What keeps the games: one trait, so that rooms do not know which database it is.

use async_trait::async_trait;
use crownhead_game::{Record, Start, Time};

use crate::online::code::{GameId, Owner};
use crate::online::summary::Summary;
use crate::online::word::Word;

/// Games, and when a server ran.
#[async_trait]
pub trait Store: Send + Sync {
    /// Writes all of it or nothing. When this returns, it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if somebody else wrote an event with such a number before.
    async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError>;
    /// A game with all its events.
    async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError>;
    /// The events of a game from a number on.
    async fn events(&self, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError>;
    /// The games of a browser, the latest first, without invitations that were withdrawn.
    async fn games_of(&self, owner: &Owner, limit: usize) -> Result<Vec<Listed>, StoreError>;
    /// How many open games a browser has.
    async fn open_games_of(&self, owner: &Owner) -> Result<usize, StoreError>;
    /// How many open games were invited to from an address.
    async fn open_games_from(&self, address: &str) -> Result<usize, StoreError>;
    /// Games in which the time of the side to move is up.
    async fn due(&self, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError>;
    /// Notes that a server runs. If none did for longer than `patience_ms`, that is noted too.
    async fn beat(&self, now: Time, patience_ms: u64) -> Result<(), StoreError>;
    /// The times after `since` at which no server ran, in order.
    async fn outages(&self, since: Time) -> Result<Vec<Outage>, StoreError>;
    /// Tells something to all servers on this database. Where there is only one, nothing happens.
    async fn tell(&self, word: &Word) -> Result<(), StoreError>;
    /// Removes games that nobody made a move in, whose clock does not run, and that nothing happened in since then,
    /// whether they have a result or not. Games with moves are kept.
    async fn clean(&self, before: Time) -> Result<u64, StoreError>;
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
    /// If it is new: what was chosen, and a hash of the address that it was chosen at.
    pub new: Option<(Start, String)>,
    /// Seats that are taken with it.
    pub seats: Vec<(Seat, Owner)>,
    /// What happened, numbered from `seq` on.
    pub events: Vec<StoredEvent>,
    /// The number of the first of these events.
    pub seq: usize,
    /// How things stand afterwards.
    pub standing: Standing,
    /// The rematch that was agreed on.
    pub next: Option<GameId>,
}

/// How a game stands, as far as games are searched by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
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
    /// The record as JSON, as it is stored and sent.
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
    /// The rematch.
    pub next: Option<GameId>,
    /// All that happened.
    pub events: Vec<StoredEvent>,
}

/// A game in the list of a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which.
    pub game: GameId,
    /// The browser's seat.
    pub seat: Seat,
    /// When something happened last.
    pub updated: Time,
    /// How things stand.
    pub summary: Summary,
}

/// A time at which no server ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When one was last alive.
    pub since: Time,
    /// When one was alive again.
    pub until: Time,
}

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else wrote that number first: read again.
    #[error("somebody else was faster")]
    Taken,
    /// The database failed.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
    /// It could not be brought up to date.
    #[error("the database cannot be used: {0}; was it written by a newer Crownhead?")]
    Migration(sqlx::migrate::MigrateError),
    /// What it holds makes no sense.
    #[error("game {game} in the database is damaged: {problem}")]
    Damaged {
        /// Which game.
        game: GameId,
        /// What is wrong.
        problem: String,
    },
    /// The database's address is wrong.
    #[error("{0:?} is no database: give sqlite://FILE or postgres://USER@HOST/NAME")]
    Address(String),
    /// The program ends.
    #[error("the server is stopping")]
    Closed,
}

// The messages tell what the database says, so it is no cause beside them: whoever prints causes would say it twice.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(error)
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> StoreError {
        StoreError::Migration(error)
    }
}

impl StoreError {
    /// Did somebody else write that number first?
    pub(crate) fn is_taken(&self) -> bool {
        matches!(self, StoreError::Taken)
    }

    /// Does only what is stored tell what became of a change? A database can fail after it has written.
    pub(crate) fn is_in_doubt(&self) -> bool {
        matches!(self, StoreError::Taken | StoreError::Database(_) | StoreError::Closed)
    }
}
