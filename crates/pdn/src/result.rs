//! The result of a game as PDN writes it.

use core::fmt;

use crownhead_rules::{Outcome, Side};

/// The result of a recorded game. The first figure is that of the side that moves first: `1-0` is a win for Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    BlackWins,
    /// `0-1`
    WhiteWins,
    /// `1/2-1/2`
    Draw,
    /// `0-0`: a double loss.
    BothLose,
    /// `*`: unknown, or the game is not over.
    #[default]
    Unknown,
}

impl GameResult {
    /// The result as PDN 3.0 writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::BlackWins => "1-0",
            GameResult::WhiteWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::Unknown => "*",
        }
    }

    /// The win of a side.
    pub const fn win(side: Side) -> GameResult {
        match side {
            Side::Black => GameResult::BlackWins,
            Side::White => GameResult::WhiteWins,
        }
    }

    /// Reads the points of both sides: one or two for a win, one each for a draw, none for a double loss.
    pub(crate) const fn of_points(first: u32, second: u32) -> Option<GameResult> {
        match (first, second) {
            (1 | 2, 0) => Some(GameResult::BlackWins),
            (0, 1 | 2) => Some(GameResult::WhiteWins),
            (1, 1) => Some(GameResult::Draw),
            (0, 0) => Some(GameResult::BothLose),
            _ => None,
        }
    }
}

/// A game that is not over, or was abandoned, has an unknown result.
impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> GameResult {
        match outcome {
            Some(Outcome::Win { winner, .. }) => GameResult::win(winner),
            Some(Outcome::Draw(_)) => GameResult::Draw,
            Some(Outcome::Abandoned) | None => GameResult::Unknown,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
