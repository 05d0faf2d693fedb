//! Commands: the requests that players, and the program that runs the game, send to it.

use serde::{Deserialize, Serialize};

use crate::event::{Offer, Verdict};
use crate::time::Time;

/// A command to a game that has [started](crate::Start). As JSON it is tagged: `{"type":"move","move":"11-15"}`.
///
/// Commands from `tick` on are reports of the program that runs the game ([`Who::House`](crate::Who::House)); players
/// may not send them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Make a move.
    Move {
        /// As text: `11-15`, `22x15`, `22x15x8`.
        #[serde(rename = "move")]
        text: String,
    },
    /// Take back my last move and the answer to it.
    Undo,
    /// Make the moves again that were taken back last.
    Redo,
    /// Resign.
    Resign,
    /// Leave the game for another one, and lose it.
    Forfeit,
    /// Propose to stop the game without a result, or agree to such a proposal.
    Abandon,
    /// Answer that proposal.
    AnswerAbandon {
        /// Yes or no.
        accept: bool,
    },
    /// Offer a draw, or accept the draw that is offered.
    OfferDraw,
    /// Answer a draw offer.
    AnswerDraw {
        /// Yes or no.
        accept: bool,
    },
    /// Claim that neither side can win any more.
    ClaimDraw,
    /// Ask the opponent for a takeback of my last move.
    AskTakeback,
    /// Answer a takeback request.
    AnswerTakeback {
        /// Yes or no.
        accept: bool,
    },
    /// Claim that the opponent has left the game.
    ClaimForfeit,
    /// Ask an opponent who has been silent for a long time whether they are still there.
    AskStillThere,
    /// Confirm that I am still there.
    StillHere,
    /// Ask for a hint.
    Hint,
    /// Offer a rematch, or accept one.
    Rematch,
    /// Answer a rematch offer.
    AnswerRematch {
        /// Yes or no.
        accept: bool,
    },
    /// Time has passed.
    Tick,
    /// No program ran the game since then: a page was closed, or a server was down.
    Interrupted {
        /// When the game last ran.
        since: Time,
    },
    /// The move for the effect `think`.
    ComputerMoved {
        /// The number of the request.
        request: u32,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// The answer to the effect `judge_offer`.
    ComputerAnswered {
        /// The number of the request.
        request: u32,
        /// What was offered.
        offer: Offer,
        /// Yes or no.
        accept: bool,
    },
    /// The move for the effect `find_hint`.
    HintFound {
        /// The number of the request.
        request: u32,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// The answer to the effect `adjudicate`.
    Adjudicated {
        /// The number of the request.
        request: u32,
        /// What the endgame tables say.
        verdict: Verdict,
    },
}

impl Command {
    /// Is this a report of the program that runs the game, which players may not send?
    pub fn is_report(&self) -> bool {
        matches!(
            self,
            Command::Tick
                | Command::Interrupted { .. }
                | Command::ComputerMoved { .. }
                | Command::ComputerAnswered { .. }
                | Command::HintFound { .. }
                | Command::Adjudicated { .. }
        )
    }
}
