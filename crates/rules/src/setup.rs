//! A board set up by hand or from a FEN, which may be invalid, and its validation.

use core::fmt;

use crate::{Piece, Position, Side, Square, Squares};

/// The most pieces that a side can have.
pub const MAX_PIECES: usize = 12;

/// A board from a position editor or a FEN, not yet validated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square, by [`Square::index`].
    pub pieces: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Side,
}

impl Setup {
    /// The empty board.
    pub const fn empty(side_to_move: Side) -> Setup {
        Setup { pieces: [None; Square::COUNT], side_to_move }
    }

    /// The squares where a side has pieces of a rank.
    pub fn squares(&self, piece: Piece) -> Squares {
        Square::all().filter(|square| self.pieces[square.index()] == Some(piece)).collect()
    }

    /// The position, if the setup is valid.
    ///
    /// # Errors
    /// If a man stands on its king row, a side has more than twelve pieces, or the board is empty.
    pub fn to_position(&self) -> Result<Position, SetupError> {
        let squares = |piece: fn(Side) -> Piece| Side::BOTH.map(|side| self.squares(piece(side)));
        Position::from_squares(self.side_to_move, squares(Piece::man), squares(Piece::king))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut setup = Setup::empty(position.side_to_move());
        for square in Square::all() {
            setup.pieces[square.index()] = position.piece_at(square);
        }
        setup
    }
}

/// Why a [`Setup`] is not a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// A square is in two of the sets of [`Position::from_squares`].
    SharedSquare {
        /// The square.
        square: Square,
    },
    /// A man stands on the row where it would have been crowned.
    ManOnKingRow {
        /// The side of the man.
        side: Side,
        /// Its square.
        square: Square,
    },
    /// A side has more than [`MAX_PIECES`].
    TooManyPieces {
        /// The side.
        side: Side,
        /// The number of its pieces.
        count: usize,
    },
    /// The board is empty.
    NoPieces,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::SharedSquare { square } => write!(f, "there are two pieces on {square}"),
            SetupError::ManOnKingRow { side, square } => {
                write!(f, "{side} has a man on {square}, where it would have become a king")
            }
            SetupError::TooManyPieces { side, count } => {
                write!(f, "{side} has {count} pieces; a side has {MAX_PIECES} at most")
            }
            SetupError::NoPieces => f.write_str("there is no piece on the board"),
        }
    }
}

impl core::error::Error for SetupError {}
