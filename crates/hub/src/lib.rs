//! The Hub protocol of draughts engines: lines of `command name=value …` over standard input and output.
//!
//! Both sides are here: [`Client`] starts another program and asks it for moves, [`Server`] lets another program use
//! this engine (`crownhead hub`). They share the syntax ([`Line`]) and the notation of positions and moves.
//!
//! ```
//! use crownhead_hub::{Line, parse_move};
//! use crownhead_rules::Position;
//!
//! let line = Line::parse("done move=11-15 ponder=23-19")?;
//! assert_eq!(line.command(), "done");
//! let mv = parse_move(&Position::start(), line.get("move").unwrap_or_default())?;
//! assert_eq!(mv.to_string(), "11-15");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate knows nothing of matches or ratings, and the server writes nowhere by itself: its [`Host`] does.

mod client;
mod line;
mod notation;
mod server;

pub use client::{Client, ClientError, Reply};
pub use line::{Line, LineReader, MAX_LINE_BYTES, SyntaxError};
pub use notation::{NotationError, move_text, parse_move, parse_position, position_text};
pub use server::{Host, Server, ServerError};
