//! The rules of checkers (English draughts, American checkers) on the 8×8 board: positions, legal moves, notation,
//! rule books and outcomes.
//!
//! ```
//! use crownhead_rules::{History, Position, Rulebook};
//!
//! let mut game = History::new(Position::start());
//! for text in ["11-15", "22-18", "15x22", "25x18"] {
//!     game.play(text)?;
//! }
//! assert_eq!(game.position().to_string(), "B:W18,21,23,24,26-32:B1-10,12");
//! assert_eq!(game.position().moves().len(), 7);
//! assert_eq!(game.outcome(&Rulebook::default()), None);
//!
//! let wrong = Position::start().parse_move("11-18").unwrap_err();
//! assert_eq!(wrong.to_string(), "a man moves one square diagonally forward; 11 does not reach 18");
//! # Ok::<(), crownhead_rules::MoveError>(())
//! ```
//!
//! It covers the board and the texts of the rules. It has no players, clocks or draw offers, reads no files, starts no
//! threads and never reads the time. No input makes it panic.
//!
//! It needs `alloc` but not `std`. The feature `serde` writes a square as its number, a position as its FEN, a move as
//! its path, and the rest under lowercase names; everything but a move reads back.

#![no_std]

extern crate alloc;

mod board;
mod excerpt;
mod fen;
mod history;
#[cfg(feature = "serde")]
mod json;
mod legal;
mod moves;
mod notation;
mod openings;
mod outcome;
pub mod perft;
mod piece;
mod position;
mod random_moves;
mod rng;
mod rulebook;
mod setup;
mod side;
mod spot;
mod square;
mod squares;
mod zobrist;

pub use excerpt::Excerpt;
pub use fen::FenError;
pub use history::History;
pub use moves::{Move, MoveList};
pub use notation::MoveError;
pub use openings::{OPENINGS, Opening, OpeningClass};
pub use outcome::{DrawReason, Outcome, WinReason};
pub use perft::perft;
pub use piece::{Piece, Rank};
pub use position::{IllegalMove, Position};
pub use rng::Rng;
pub use rulebook::{
    Colour, MoveLimit, Progress, Repetition, Rulebook, RulebookId, Seating, SquareColour, UnknownRulebook,
};
pub use setup::{MAX_PIECES, Setup, SetupError};
pub use side::Side;
pub use square::{Direction, Square};
pub use squares::{Squares, SquaresIter};
