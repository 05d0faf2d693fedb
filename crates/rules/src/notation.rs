//! Move notation: reads and writes moves as text, such as `11-15` and `22x15`, with every landing square where that
//! would be ambiguous, `22x15x8`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::excerpt::Excerpt;
use crate::moves::MAX_JUMPS;
use crate::{Move, MoveList, Position, Rank, Side, Square};

/// The most squares in a move: its start and the most landings. A text with more is not a move.
const MAX_SQUARES: usize = 1 + MAX_JUMPS;

impl Position {
    /// The move in the usual notation: from and to, or the full path if another capture with the same ends takes other
    /// pieces.
    pub fn move_text(&self, mv: Move) -> String {
        let same_ends = |other: &&Move| other.from() == mv.from() && other.to() == mv.to();
        if !mv.is_capture() || self.moves().iter().filter(same_ends).any(|other| !other.same_effect(mv)) {
            mv.to_string()
        } else {
            format!("{}x{}", mv.from(), mv.to())
        }
    }

    /// Reads a move that is legal here. `-`, `x` and `:` are interchangeable, as in old books, and the squares in the
    /// middle of a jump may be given or left out as long as only one move fits.
    ///
    /// # Errors
    /// If the text is not a move, the move is illegal (the error says why), or several moves fit.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mut squares = [Square::from_index(0).expect("0 is a square"); MAX_SQUARES];
        let squares = read_squares(text, &mut squares)?;
        let fitting = self.moves_along(squares);
        match fitting[..] {
            [mv] => Ok(mv),
            [] => Err(self.why_not(squares[0], &squares[1..], &self.moves())),
            [..] => Err(MoveError::Ambiguous {
                text: text.into(),
                candidates: fitting.iter().map(|&mv| self.move_text(mv)).collect(),
            }),
        }
    }

    /// The legal moves along these squares: the move with exactly this path, otherwise all that start on the first
    /// square, end on the last and land on the others in this order. Moves with the same effect count once.
    pub fn moves_along(&self, squares: &[Square]) -> MoveList {
        let mut fitting = MoveList::new();
        let Some((&from, path)) = squares.split_first() else { return fitting };
        let mut exact = None;
        self.each_move(|mv| {
            if mv.from() == from && passes(mv, path) {
                if mv.landings().eq(path.iter().copied()) {
                    exact = Some(mv);
                } else if !fitting.iter().any(|other| other.same_effect(mv)) {
                    fitting.push(mv);
                }
            }
        });
        if let Some(mv) = exact {
            fitting.clear();
            fitting.push(mv);
        }
        fitting
    }

    /// Why no legal move from `from` goes along `path`.
    fn why_not(&self, from: Square, path: &[Square], legal: &MoveList) -> MoveError {
        let side = self.side_to_move();
        let to = *path.last().expect("a move ends somewhere");
        if legal.is_empty() {
            return MoveError::NoMoveLeft { side };
        }
        let Some(piece) = self.piece_at(from) else {
            return MoveError::NoPiece { square: from };
        };
        if piece.side != side {
            return MoveError::NotYourTurn { square: from, side };
        }
        let texts = |moves: MoveList| moves.into_iter().map(|mv| self.move_text(mv)).collect();
        let mut unfinished = self.distinct_moves();
        unfinished.retain(|mv| {
            mv.from() == from
                && mv.landings().len() > path.len()
                && path.iter().copied().eq(mv.landings().take(path.len()))
        });
        if !unfinished.is_empty() {
            return MoveError::Unfinished { continuations: texts(unfinished) };
        }
        if legal[0].is_capture() {
            let stops = |mv: &&Move| {
                mv.from() == from
                    && piece.rank == Rank::Man
                    && side.king_row().contains(mv.to())
                    && path.len() > mv.landings().len()
                    && mv.landings().eq(path.iter().copied().take(mv.landings().len()))
            };
            return match legal.iter().find(stops) {
                Some(mv) => MoveError::StopsOnKingRow { square: mv.to() },
                None => MoveError::CaptureDue { captures: texts(self.distinct_moves()) },
            };
        }
        if path.len() > 1 {
            return MoveError::OneStepOnly { from };
        }
        if to != from && self.occupied().contains(to) {
            return MoveError::Occupied { square: to };
        }
        let backwards = match side {
            Side::Black => to.row() < from.row(),
            Side::White => to.row() > from.row(),
        };
        if piece.rank == Rank::Man && backwards {
            return MoveError::Backwards { square: from };
        }
        MoveError::OutOfReach { from, to, rank: piece.rank }
    }
}

/// Does the move end where the path does, after landing on the squares before in that order?
fn passes(mv: Move, path: &[Square]) -> bool {
    let Some((&to, between)) = path.split_last() else { return false };
    let mut landings = mv.landings().take(mv.landings().len() - 1);
    mv.to() == to && between.iter().all(|&square| landings.any(|landing| landing == square))
}

/// Reads the squares of a move text, at least two.
fn read_squares<'a>(text: &str, squares: &'a mut [Square; MAX_SQUARES]) -> Result<&'a [Square], MoveError> {
    let mut count = 0;
    for part in text.trim().split(['-', 'x', 'X', ':', '×', '–']) {
        let square = Square::read(part).ok_or_else(|| MoveError::Unreadable(text.into()))?;
        *squares.get_mut(count).ok_or_else(|| MoveError::Unreadable(text.into()))? =
            square.map_err(|digits| MoveError::OffTheBoard(digits.into()))?;
        count += 1;
    }
    if count < 2 { Err(MoveError::Unreadable(text.into())) } else { Ok(&squares[..count]) }
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text does not have the form of a move.
    Unreadable(Excerpt),
    /// It names a square outside 1–32.
    OffTheBoard(Excerpt),
    /// Several legal moves fit.
    Ambiguous {
        /// The text.
        text: Excerpt,
        /// The moves that it may mean.
        candidates: Vec<String>,
    },
    /// The side to move has no move at all: it has lost.
    NoMoveLeft {
        /// The side.
        side: Side,
    },
    /// The first square is empty.
    NoPiece {
        /// The square.
        square: Square,
    },
    /// The piece on the first square belongs to the side that is not to move.
    NotYourTurn {
        /// The square.
        square: Square,
        /// The side whose turn it is.
        side: Side,
    },
    /// A capture is compulsory, and this move is not one.
    CaptureDue {
        /// The legal captures.
        captures: Vec<String>,
    },
    /// The jump stops before its end.
    Unfinished {
        /// The ways to continue it.
        continuations: Vec<String>,
    },
    /// The text has a man jump on from the row where it becomes a king.
    StopsOnKingRow {
        /// The square where it has to stop.
        square: Square,
    },
    /// The text has several steps, but there is nothing to capture.
    OneStepOnly {
        /// The square of the piece.
        from: Square,
    },
    /// The last square is occupied.
    Occupied {
        /// The square.
        square: Square,
    },
    /// The text has a man move backwards.
    Backwards {
        /// The square of the man.
        square: Square,
    },
    /// No piece of this rank gets there in one move.
    OutOfReach {
        /// The square of the piece.
        from: Square,
        /// The square that it cannot reach.
        to: Square,
        /// Its rank.
        rank: Rank,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable(text) => {
                write!(f, "{text} is not a move; moves are written 11-15, 22x15 or 22x15x8")
            }
            MoveError::OffTheBoard(text) => {
                write!(f, "there is no square {text}; squares are numbered 1 to 32")
            }
            MoveError::Ambiguous { text, candidates } => {
                write!(f, "{text} can mean several moves: {}", candidates.join(" or "))
            }
            MoveError::NoMoveLeft { side } => write!(f, "{side} has no move left"),
            MoveError::NoPiece { square } => write!(f, "there is no piece on {square}"),
            MoveError::NotYourTurn { square, side } => {
                write!(
                    f,
                    "it is the other side's turn: {} stands on {square} and {side} is to move",
                    side.other()
                )
            }
            MoveError::CaptureDue { captures } => {
                write!(f, "a capture is compulsory: {}", captures.join(" or "))
            }
            MoveError::Unfinished { continuations } => {
                write!(f, "the jump has to be carried through: {}", continuations.join(" or "))
            }
            MoveError::StopsOnKingRow { square } => {
                write!(f, "a man that reaches the king-row stops there: on {square}")
            }
            MoveError::OneStepOnly { from } => {
                write!(f, "there is nothing to capture, so the piece on {from} moves one square only")
            }
            MoveError::Occupied { square } => write!(f, "square {square} is occupied"),
            MoveError::Backwards { square } => {
                write!(f, "that man may not move backwards: {square} is not a king")
            }
            MoveError::OutOfReach { from, to, rank } => match rank {
                Rank::Man => {
                    write!(f, "a man moves one square diagonally forward; {from} does not reach {to}")
                }
                Rank::King => write!(f, "a king moves one square diagonally; {from} does not reach {to}"),
            },
        }
    }
}

impl core::error::Error for MoveError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_along_two_ends_are_all_that_differ_in_effect() {
        let position: Position = "B:W14,15,22,23:B10".parse().unwrap();
        let along = |numbers: &[u8]| {
            let squares: Vec<_> = numbers.iter().filter_map(|&number| Square::new(number)).collect();
            position.moves_along(&squares).iter().map(Move::to_string).collect::<Vec<_>>()
        };
        assert_eq!(along(&[10, 26]).len(), 2);
        assert_eq!(along(&[10, 17, 26]), ["10x17x26"]);
        assert_eq!(along(&[10, 19, 26]), ["10x19x26"]);
        for nowhere in [&[][..], &[10], &[10, 17], &[26, 10], &[10, 18, 26]] {
            assert!(along(nowhere).is_empty(), "{nowhere:?}");
        }
    }
}
