//! What happened in a game: the log that everything else is folded from.

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
    /// How long since the record before no server ran, or none could store a move. No clock pays for that time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub outage_ms: u64,
    /// What happened.
    pub event: Event,
}

impl Record {
    /// An event that happened without an outage before it, in today's format.
    pub fn new(at: Time, event: Event) -> Record {
        Record { v: LOG_VERSION, at, outage_ms: 0, event }
    }
}

/// Something that happened. Events are never changed or removed; taking a move back is an event too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The first event of every game.
    Started(Box<Started>),
    /// The invitation was taken back before anybody joined: the only event of a game that never began.
    Withdrawn,
    /// The side to move made a move.
    Moved {
        /// The whole path: `22x15x8`.
        #[serde(rename = "move")]
        text: String,
        /// What of its time the network took and the clock gives back.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag_ms: u64,
    },
    /// Moves were taken back. If the game was over it goes on.
    TakenBack {
        /// How many, of both sides together.
        plies: usize,
    },
    /// The moves that were taken back last were made again.
    Redone {
        /// How many.
        plies: usize,
    },
    /// A player proposed something to the other.
    Offered {
        /// What.
        offer: Offer,
        /// Who.
        by: Side,
    },
    /// The other did not want it.
    Declined {
        /// What.
        offer: Offer,
        /// Who declined.
        by: Side,
    },
    /// A player claimed that neither side can win.
    Claimed {
        /// Who.
        by: Side,
    },
    /// The claim was looked at and not granted.
    ClaimRefused {
        /// Why.
        verdict: Verdict,
    },
    /// The player to move was asked whether they are still there.
    StillThereAsked {
        /// Who asked.
        by: Side,
    },
    /// They are.
    StillHere {
        /// Who answered.
        by: Side,
    },
    /// The player to move asked for a hint.
    HintAsked,
    /// The hint.
    HintGiven {
        /// The whole path of the move.
        #[serde(rename = "move")]
        text: String,
    },
    /// Nobody ran the game for a while, and nobody's clock pays for it.
    Interrupted {
        /// The beginning; the end is the time of the record.
        since: Time,
    },
    /// The game is over.
    Ended {
        /// How.
        outcome: Outcome,
    },
    /// Both want another game.
    RematchAgreed {
        /// What it is like.
        start: Box<Start>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference; it is lean on wasm32 only")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// How a game began, with nothing left to chance or to a table that may change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The rules, field by field.
    pub rulebook: Rulebook,
    /// Moves first.
    pub black: Player,
    /// Moves second.
    pub white: Player,
    /// The side that sits at the bottom of a shared screen.
    pub bottom: Side,
    /// No clock if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRule>,
    /// The first position, as FEN.
    pub position: String,
    /// The opening that was on the board already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningRecord>,
    /// One screen, or a link.
    #[serde(default)]
    pub place: Place,
    /// What chance follows from.
    pub seed: u32,
}

/// A three-move opening that a game began with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// Its number.
    pub number: u8,
    /// Its moves.
    pub moves: Vec<String>,
    /// Was it drawn by lot, so that the next game draws another?
    pub drawn: bool,
}

/// What one player may propose to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// To call it a draw.
    Draw,
    /// To leave the game without a result.
    Abandon,
    /// To let the last move of the one who asks be taken back.
    Takeback,
    /// To play again.
    Rematch,
}

/// What the endgame tables say to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Neither side can win.
    Draw,
    /// One side can.
    NoDraw,
    /// The tables do not reach this position.
    Unknown,
}

impl Started {
    /// The player of a side.
    pub fn player(&self, side: Side) -> &Player {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}
