//! FEN: positions as text, `B:W21-32:B1-12`.
//!
//! The reader accepts the side to move, then the pieces of both sides in either order, kings after a `K`, runs of
//! squares as ranges, in upper or lower case, with blanks and a final dot. The writer puts White first and squares in
//! order, with three or more consecutive squares of one rank as a range.

use core::fmt;
use core::str::FromStr;

use crate::excerpt::Excerpt;
use crate::{Piece, Position, Rank, Setup, SetupError, Side, Square};

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let text = text.trim();
        let text = text.strip_suffix('.').unwrap_or(text);
        let mut parts = text.split(':');
        let turn = parts.next().unwrap_or_default();
        let mut setup = Setup::empty(side(turn.trim()).ok_or_else(|| FenError::UnknownSide(turn.into()))?);
        let first = read_side(&mut setup, parts.next(), None)?;
        read_side(&mut setup, parts.next(), Some(!first))?;
        match parts.next().filter(|more| !more.trim().is_empty()) {
            Some(more) => Err(FenError::Stray(more.into())),
            None => Ok(setup),
        }
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        text.parse::<Setup>()?.to_position().map_err(FenError::Impossible)
    }
}

/// Reads `W21-32,K5` into the setup and returns the side of those pieces.
fn read_side(setup: &mut Setup, part: Option<&str>, expected: Option<Side>) -> Result<Side, FenError> {
    let part = part.ok_or(FenError::MissingSide(expected))?.trim();
    let (letter, squares) = part.split_at(part.chars().next().map_or(0, char::len_utf8));
    let side = match side(letter) {
        Some(side) if expected.is_none_or(|expected| side == expected) => side,
        Some(side) => return Err(FenError::SideTwice(side)),
        None => return Err(FenError::UnknownSide(part.into())),
    };
    if !squares.trim().is_empty() {
        for item in squares.split(',') {
            read_item(setup, side, item.trim())?;
        }
    }
    Ok(side)
}

/// Reads `21`, `K5`, `21-32` or `K1-3`.
fn read_item(setup: &mut Setup, side: Side, item: &str) -> Result<(), FenError> {
    let (rank, range) = match item.strip_prefix(['K', 'k']) {
        Some(rest) => (Rank::King, rest),
        None => (Rank::Man, item),
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last) = (square(first)?, square(last)?);
    if first > last {
        return Err(FenError::BackwardRange(first, last));
    }
    for square in Square::all().filter(|square| (first..=last).contains(square)) {
        if setup.pieces[square.index()].replace(Piece { side, rank }).is_some() {
            return Err(FenError::SquareTwice(square));
        }
    }
    Ok(())
}

fn side(text: &str) -> Option<Side> {
    match text {
        "B" | "b" => Some(Side::Black),
        "W" | "w" => Some(Side::White),
        _ => None,
    }
}

fn square(text: &str) -> Result<Square, FenError> {
    Square::read(text)
        .ok_or_else(|| FenError::NotASquare(text.into()))?
        .map_err(|digits| FenError::OffTheBoard(digits.into()))
}

/// Shorter runs of squares are written one by one.
const SHORTEST_RANGE: usize = 3;

/// The canonical FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.side_to_move.letter())?;
        for side in [Side::White, Side::Black] {
            write!(f, ":{}", side.letter())?;
            self.write_squares(f, side)?;
        }
        Ok(())
    }
}

impl Setup {
    fn write_squares(&self, f: &mut fmt::Formatter<'_>, side: Side) -> fmt::Result {
        let mut at = 0;
        let mut comma = "";
        while at < Square::COUNT {
            let Some(piece) = self.pieces[at].filter(|piece| piece.side == side) else {
                at += 1;
                continue;
            };
            let run = self.pieces[at..].iter().take_while(|&&other| other == Some(piece)).count();
            let king = if piece.rank == Rank::King { "K" } else { "" };
            if run >= SHORTEST_RANGE {
                write!(f, "{comma}{king}{}-{}", at + 1, at + run)?;
                at += run;
            } else {
                write!(f, "{comma}{king}{}", at + 1)?;
                at += 1;
            }
            comma = ",";
        }
        Ok(())
    }
}

/// The canonical FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Neither `B` nor `W` where a side should be.
    UnknownSide(Excerpt),
    /// The text ends before the pieces of this side, or of either side.
    MissingSide(Option<Side>),
    /// The pieces of one side come twice.
    SideTwice(Side),
    /// Text that is not a number where a square should be.
    NotASquare(Excerpt),
    /// A number outside 1–32.
    OffTheBoard(Excerpt),
    /// A range that runs from a higher to a lower number.
    BackwardRange(Square, Square),
    /// A square is named twice.
    SquareTwice(Square),
    /// Text after the end.
    Stray(Excerpt),
    /// The text is a FEN, but not of a valid position.
    Impossible(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::UnknownSide(text) => {
                write!(f, "{text} is not a side: expected B or W, as in B:W21-32:B1-12")
            }
            FenError::MissingSide(Some(side)) => {
                write!(f, "{side}'s pieces are missing: expected :{} and squares", side.letter())
            }
            FenError::MissingSide(None) => {
                f.write_str("the pieces are missing: expected both sides, as in B:W21-32:B1-12")
            }
            FenError::SideTwice(side) => {
                write!(f, "{side}'s pieces are given twice and {}'s are missing", side.other())
            }
            FenError::NotASquare(text) => write!(f, "expected a square from 1 to 32 and found {text}"),
            FenError::OffTheBoard(text) => {
                write!(f, "there is no square {text}; squares are numbered 1 to 32")
            }
            FenError::BackwardRange(first, last) => {
                write!(f, "the range {first}-{last} runs backwards; write {last}-{first}")
            }
            FenError::SquareTwice(square) => write!(f, "square {square} is named twice"),
            FenError::Stray(text) => write!(f, "{text} is left over after the pieces of both sides"),
            FenError::Impossible(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FenError {}
