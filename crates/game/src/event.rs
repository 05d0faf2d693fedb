//! Events: the log of a game, from which its state is folded.

use crownhead_rules::{Outcome, Rulebook, Side};
use serde::{Deserialize, Serialize};

use crate::clock::ClockRule;
use crate::player::{Place, Player};
use crate::start::Start;
use crate::time::Time;

/// The version of the log that this program writes. It reads all earlier ones.
pub const LOG_VERSION: u16 = 1;

/// One line of a log: an event with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version of the format, [`LOG_VERSION`] when written.
    pub v: u16,
    /// When it happened. Never earlier than the record before.
    pub at: Time,
    /// How long, since the record before, no server ran or none could store a move. No clock is charged for that time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub outage_ms: u64,
    /// What happened.
    pub event: Event,
}

impl Record {
    /// An event in the current format, without an outage before it.
    pub fn new(at: Time, event: Event) -> Record {
        Record { v: LOG_VERSION, at, outage_ms: 0, event }
    }
}

/// Something that happened. Events are never changed or removed; a takeback is an event too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The first event of every game.
    Started(Box<Started>),
    /// The invitation was withdrawn before a second player joined: the only event of a game that never began.
    Withdrawn,
    /// The side to move made a move.
    Moved {
        /// The full path: `22x15x8`.
        #[serde(rename = "move")]
        text: String,
        /// The network lag that the clock gives back.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag_ms: u64,
    },
    /// Moves were taken back. If the game was over, it continues.
    TakenBack {
        /// How many plies, of both sides together.
        plies: usize,
    },
    /// The moves that were taken back last were made again.
    Redone {
        /// How many plies.
        plies: usize,
    },
    /// A player made the other an offer.
    Offered {
        /// The offer.
        offer: Offer,
        /// The side that made it.
        by: Side,
    },
    /// The other player declined an offer.
    Declined {
        /// The offer.
        offer: Offer,
        /// The side that declined.
        by: Side,
    },
    /// A player claimed that neither side can win.
    Claimed {
        /// The side that claimed.
        by: Side,
    },
    /// The claim was checked and refused.
    ClaimRefused {
        /// The verdict of the endgame tables.
        verdict: Verdict,
    },
    /// The player to move was asked whether they are still there.
    StillThereAsked {
        /// The side that asked.
        by: Side,
    },
    /// The player to move confirmed that they are still there.
    StillHere {
        /// The side that answered.
        by: Side,
    },
    /// The player to move asked for a hint.
    HintAsked,
    /// The hint was found.
    HintGiven {
        /// The full path of the move.
        #[serde(rename = "move")]
        text: String,
    },
    /// No program ran the game for a while; neither clock is charged for that time.
    Interrupted {
        /// When the interruption began; it ended at the time of the record.
        since: Time,
    },
    /// The game is over.
    Ended {
        /// The outcome.
        outcome: Outcome,
    },
    /// Both players agreed to a rematch.
    RematchAgreed {
        /// The start of the new game.
        start: Box<Start>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference; it is lean on wasm32 only")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// How a game began, with every random choice made and the rule book copied, so that later changes do not affect it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The rules, field by field.
    pub rulebook: Rulebook,
    /// The player who moves first.
    pub black: Player,
    /// The player who moves second.
    pub white: Player,
    /// The side that sits at the bottom of a shared screen.
    pub bottom: Side,
    /// The clock; missing in a game without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// The first position, as FEN.
    pub position: String,
    /// The opening whose moves were on the board when the game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningRecord>,
    /// On one screen, or over a link.
    #[serde(default)]
    pub place: Place,
    /// The seed of every random choice in the game.
    pub seed: u32,
}

/// A three-move opening that a game began with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// Its number.
    pub number: u8,
    /// Its moves.
    pub moves: Vec<String>,
    /// Was it drawn at random, so that the next game draws another?
    pub drawn: bool,
}

/// An offer from one player to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// A draw.
    Draw,
    /// Stopping the game without a result.
    Abandon,
    /// Taking back the last move of the player who asks.
    Takeback,
    /// A rematch.
    Rematch,
}

/// The verdict of the endgame tables on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Neither side can win.
    Draw,
    /// One side can win.
    NoDraw,
    /// The tables do not cover this position.
    Unknown,
}

impl Started {
    /// The player on a side.
    pub fn player(&self, side: Side) -> &Player {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}
