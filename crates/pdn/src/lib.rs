//! Portable Draughts Notation (PDN) for checkers: a reader and a writer of game files with comments and variations.
//!
//! ```
//! use crownhead_pdn::{GameResult, Nag, read_str};
//!
//! let text = r#"[Black "Ann"] [White "Bob"]
//! 1. 11-15 23-18 2. 8-11 {usual} (2. 9x14 18x11) 2... 27-23? 1-0"#;
//! let read = read_str(text).next().expect("there is a game");
//! assert!(read.replayed && read.warnings.is_empty());
//!
//! let mut game = read.game;
//! assert_eq!(game.result, GameResult::BlackWins); // the first figure is that of the side that moves first
//! assert_eq!(game.moves().len(), 4);
//! assert_eq!(game.line.plies()[2].variations().len(), 1);
//! game.ply_mut(0).expect("there is a first move").add_nag(Nag::GOOD);
//! assert!(game.to_string().ends_with("1. 11-15! 23-18 2. 8-11 {usual} (2. 9-14 18x11) 2... 27-23? *\n"));
//! ```
//!
//! The reader is lenient: it accepts files as they occur in practice and reports each problem with line and column; a
//! bad game never affects the games after it. The writer produces PDN 3.0. The crate opens no files and does not search
//! or evaluate moves.

mod comment;
mod encoding;
mod game;
mod lexer;
mod line;
mod nag;
mod parser;
mod reader;
mod result;
mod tags;
mod warning;
mod writer;

pub use comment::Comment;
pub use game::Game;
pub use line::{Line, Ply};
pub use nag::Nag;
pub use reader::{ReadGame, Reader, read_str};
pub use result::GameResult;
pub use tags::{TagName, Tags};
pub use warning::{Error, Place, Problem, Warning};
