//! Pieces: men and kings of either side.

use crate::Side;

/// Man or king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Rank {
    /// An ordinary piece: moves and captures forward only.
    Man,
    /// A crowned piece: moves and captures in all four directions.
    King,
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// The side that owns it.
    pub side: Side,
    /// Man or king.
    pub rank: Rank,
}

impl Piece {
    /// A man of `side`.
    pub const fn man(side: Side) -> Piece {
        Piece { side, rank: Rank::Man }
    }

    /// A king of `side`.
    pub const fn king(side: Side) -> Piece {
        Piece { side, rank: Rank::King }
    }

    /// The letter of this piece in position strings and text boards: `b` `w` for men, `B` `W` for kings.
    pub const fn letter(self) -> char {
        match self.rank {
            Rank::Man => self.side.letter().to_ascii_lowercase(),
            Rank::King => self.side.letter(),
        }
    }
}
