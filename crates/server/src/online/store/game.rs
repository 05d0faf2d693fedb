//! The types of stored games: changes to write, and games as they are read.

use crownhead_game::{Record, Start, Time};

use crate::online::ids::{GameId, Owner};
use crate::online::summary::Summary;

/// Seat 0 is the inviter's, seat 1 the guest's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatRole {
    /// The player who sent the invitation.
    Inviter,
    /// The player who joined by the link.
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
    /// The game.
    pub game: GameId,
    /// The settings of the game, if it is new.
    pub new: Option<NewGame>,
    /// The seats that are taken with it.
    pub seats: Vec<TakenSeat>,
    /// The new events, numbered from `seq` on.
    pub events: Vec<StoredEvent>,
    /// The number of events before the change, which is the number of the first new one.
    pub seq: usize,
    /// The status of the game afterwards.
    pub status: GameStatus,
    /// The rematch that was agreed on.
    pub next: Option<GameId>,
}

/// A game that is not in the database yet.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The settings that were chosen.
    pub start: Start,
    /// A keyed hash of the network address that the game was created from, kept while the game is open.
    pub address: String,
}

/// A seat that is taken. Names are stored here and not in the log, so that they can be removed.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// The seat.
    pub seat: SeatRole,
    /// The browser that takes it.
    pub owner: Owner,
    /// The player's name.
    pub name: String,
}

/// The status of a game, in the columns that queries use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// When it changed last.
    pub updated: Time,
    /// When the flag of the side to move falls.
    pub wake_at: Option<Time>,
    /// The number of moves.
    pub plies: usize,
    /// The summary for lists.
    pub summary: Summary,
}

/// A record of a game's log, with the command that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The record.
    pub record: Record,
    /// The record as JSON, as it is sent.
    pub json: String,
    /// The idempotency key of the command; empty for events of the server.
    pub command: String,
}

/// A game as it is stored.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// What the inviter chose.
    pub start: Start,
    /// When the game was created.
    pub created: Time,
    /// The browsers that have the seats.
    pub owners: [Option<Owner>; 2],
    /// The names of their players, as far as they are stored beside the log.
    pub names: [String; 2],
    /// The rematch.
    pub next: Option<GameId>,
    /// All events.
    pub events: Vec<StoredEvent>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// The game.
    pub game: GameId,
    /// The browser's seat.
    pub seat: SeatRole,
    /// When the game last changed.
    pub updated: Time,
    /// The summary of the game.
    pub summary: Summary,
}
