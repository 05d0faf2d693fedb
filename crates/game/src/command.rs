//! What can be asked of a game.

use serde::{Deserialize, Serialize};

use crate::event::{Offer, Verdict};
use crate::time::Time;

/// A command to a game that has [started](crate::Start). As JSON it is tagged: `{"type":"move","move":"11-15"}`.
///
/// Those from `tick` on are reports of the program that runs the game ([`Who::House`](crate::Who::House)); nobody
/// else may send them.
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
    /// Give the game up.
    Resign,
    /// Leave the game for another one: it is lost.
    Forfeit,
    /// Propose to leave the game without a result, or agree to that.
    Abandon,
    /// Answer such a proposal.
    AnswerAbandon {
        /// Yes or no.
        accept: bool,
    },
    /// Offer a draw, or agree to the one that is offered.
    OfferDraw,
    /// Answer an offer.
    AnswerDraw {
        /// Yes or no.
        accept: bool,
    },
    /// Claim that neither side can win any more.
    ClaimDraw,
    /// Ask the opponent to let me take my last move back.
    AskTakeback,
    /// Answer that.
    AnswerTakeback {
        /// Yes or no.
        accept: bool,
    },
    /// Claim that the opponent has left the game.
    ClaimForfeit,
    /// Ask the opponent, who has been silent for long, whether they are still there.
    AskStillThere,
    /// Answer that.
    StillHere,
    /// Ask for a hint.
    Hint,
    /// Play again, or agree to.
    Rematch,
    /// Answer the wish to play again.
    AnswerRematch {
        /// Yes or no.
        accept: bool,
    },
    /// Time has passed.
    Tick,
    /// Nobody ran the game since then: a page was closed, a server was down.
    Interrupted {
        /// When it was last alive.
        since: Time,
    },
    /// The move for an effect `think`.
    ComputerMoved {
        /// The number of the request.
        request: u32,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// The answer to an effect `judge_offer`.
    ComputerAnswered {
        /// The number of the request.
        request: u32,
        /// What was offered.
        offer: Offer,
        /// Yes or no.
        accept: bool,
    },
    /// The move for an effect `find_hint`.
    HintFound {
        /// The number of the request.
        request: u32,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// The answer to an effect `adjudicate`.
    Adjudicated {
        /// The number of the request.
        request: u32,
        /// What the tables say.
        verdict: Verdict,
    },
}

impl Command {
    /// Is this a report of the program that runs the game, which no player may send?
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
