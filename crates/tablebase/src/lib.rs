//! Endgame tables for checkers: every position with few pieces, won, drawn or lost, and how long it takes.
//!
//! ```
//! use crownhead_rules::Position;
//! use crownhead_tablebase::{Tablebase, Wdl};
//!
//! let tables = Tablebase::embedded();
//! let position: Position = "W:WK14,K19:BK1".parse()?;
//! assert_eq!(tables.probe(&position), Some(Wdl::Win));
//! assert_eq!(tables.distance(&position), Some(19));
//! assert_eq!(tables.probe(&Position::start()), None);
//! # Ok::<(), crownhead_rules::FenError>(())
//! ```

mod board;
mod index;
mod material;
mod solve;
mod store;
mod tablebase;
mod value;
mod wdl;

pub use material::{MAX_PIECES, Material};
pub use tablebase::Tablebase;
pub use wdl::Wdl;
