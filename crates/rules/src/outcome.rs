//! The outcome of a game, and the reason for it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use crate::{Rulebook, Side};

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "crate::json::OutcomeFields", into = "crate::json::OutcomeFields")
)]
pub enum Outcome {
    /// One side won.
    Win {
        /// The side that won.
        winner: Side,
        /// Why the other side lost.
        reason: WinReason,
    },
    /// The game is drawn.
    Draw(DrawReason),
    /// Both players agreed to stop without a result.
    Abandoned,
}

/// Why a game was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum WinReason {
    /// All pieces of the loser are captured.
    NoPieces,
    /// The loser has pieces, but none can move.
    Blocked,
    /// The loser resigned.
    Resignation,
    /// The loser left the game.
    Forfeit,
    /// The loser ran out of time.
    Time,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DrawReason {
    /// The position occurred as often as the rule book allows.
    Repetition,
    /// Too many moves were made without progress.
    MoveLimit,
    /// The players agreed on a draw.
    Agreement,
    /// The endgame tables prove that neither side can win, and one side claimed it.
    NeitherCanWin,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw(_) | Outcome::Abandoned => None,
        }
    }

    /// The outcome as a sentence, with the colours and the numbers of the rule book.
    pub fn sentence(self, rulebook: &Rulebook) -> String {
        match self {
            Outcome::Win { winner, reason } => {
                let (winner, loser) = (rulebook.colour(winner), rulebook.colour(!winner));
                let why = match reason {
                    WinReason::NoPieces => "has no piece left",
                    WinReason::Blocked => "has no move left",
                    WinReason::Resignation => "resigned",
                    WinReason::Forfeit => "forfeited the game",
                    WinReason::Time => "ran out of time",
                };
                format!("{winner} wins: {loser} {why}.")
            }
            Outcome::Draw(reason) => format!("Draw: {}.", reason.words(rulebook)),
            Outcome::Abandoned => "The game was left without a result.".to_owned(),
        }
    }
}

impl DrawReason {
    fn words(self, rulebook: &Rulebook) -> String {
        match self {
            DrawReason::Repetition => match rulebook.repetition.map(|rule| rule.times) {
                Some(2) => "the same position again".to_owned(),
                Some(3) => "the same position for the third time".to_owned(),
                Some(times) => format!("the same position {times} times"),
                None => "the same position too often".to_owned(),
            },
            DrawReason::MoveLimit => match rulebook.move_limit {
                Some(limit) => format!("{} moves each without {}", limit.plies / 2, limit.resets.words()),
                None => "too many moves without progress".to_owned(),
            },
            DrawReason::Agreement => "both players agreed".to_owned(),
            DrawReason::NeitherCanWin => "neither side can win any more".to_owned(),
        }
    }
}
