//! What is stored of a game: changes that are written, and rows that are read.

use crownhead_game::{Record, Start, Time};

use crate::online::ids::{GameId, Owner};
use crate::online::summary::Summary;

/// Seat 0 is the inviter's, seat 1 the guest's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatRole {
    /// Sits at the bottom of a shared screen, if there were one.
    Inviter,
    /// Came by the link.
    Guest,
}

impl SeatRole {
    /// Both.
    pub const BOTH: [SeatRole; 2] = [SeatRole::Inviter, SeatRole::Guest];

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

/// A seat that is taken. Names are stored here and not in the log, so that they can be removed.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// Which.
    pub seat: SeatRole,
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
    /// The command, as its sender called it; empty for events of the server.
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
    pub seat: SeatRole,
    /// When something happened last.
    pub updated: Time,
    /// How things stand.
    pub summary: Summary,
}
