//! The two sides, Black and White.

use core::fmt;
use core::ops::Not;

use crate::squares::Squares;

/// A side of the game. `Black` starts on squares 1–12 and moves first.
///
/// These are the names in the notation; the colours on screen (Red, Yellow, …) come from the
/// [`Rulebook`](crate::Rulebook).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Side {
    /// Starts on squares 1–12, moves towards higher numbers, has the first move.
    Black,
    /// Starts on squares 21–32, moves towards lower numbers.
    White,
}

impl Side {
    /// Both sides, the one that moves first leading.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// 0 for Black, 1 for White, to index arrays of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The row where this side's men become kings (the king row, or crownhead).
    #[inline]
    pub const fn king_row(self) -> Squares {
        match self {
            Side::Black => Squares::row(7),
            Side::White => Squares::row(0),
        }
    }

    /// The letter of this side in FEN: `B` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Side::Black => 'B',
            Side::White => 'W',
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        self.other()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Black => "Black",
            Side::White => "White",
        })
    }
}
