//! The Hub protocol: lines of `command name=value …` over pipes, as draughts programs speak it.
//!
//! Here is what both ends share, the syntax and the notation, and the end that starts another program. The end that
//! is our own engine is the command `crownhead hub`.

mod client;
mod line;
mod lines;
mod notation;
mod seed;

pub use client::{Client, ClientError, Reply};
pub use line::{Line, SyntaxError};
pub use lines::{Lines, MOST_LINE_BYTES};
pub use notation::{NotationError, move_text, parse_move, parse_position, position_text};
