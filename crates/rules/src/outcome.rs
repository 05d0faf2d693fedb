//! How a game ended, and why.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use crate::{Rulebook, Side};

/// The end of a game.
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
        /// What the other side lost by.
        reason: WinReason,
    },
    /// Nobody won.
    Draw(DrawReason),
    /// Both agreed to leave the game without a result.
    Abandoned,
}

/// What a game was lost by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum WinReason {
    /// All pieces of the loser are captured.
    NoPieces,
    /// The loser has pieces, but none can move.
    Blocked,
    /// The loser gave up.
    Resignation,
    /// The loser left the game.
    Forfeit,
    /// The loser's time ran out.
    Time,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DrawReason {
    /// The same position came up as often as the rule book allows.
    Repetition,
    /// Too many moves were made without progress.
    MoveLimit,
    /// Both sides wanted it.
    Agreement,
    /// The endgame tables prove that neither side can win, and one side claimed it.
    NeitherCanWin,
}

impl Outcome {
    /// Who won, if anybody.
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
