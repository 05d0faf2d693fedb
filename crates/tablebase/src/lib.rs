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
mod build;
mod cache;
mod coder;
mod cursor;
mod embedded;
mod envelope;
mod error;
mod expand;
mod files;
mod index;
mod kept;
mod material;
mod model;
mod plies;
mod probe;
mod quarters;
mod report;
mod runs;
mod section;
mod solve;
mod stats;
mod store;
mod stored;
mod table;
mod tablebase;
mod threads;
mod value;
mod verify;
mod wdl;

pub use build::{Build, COMPACT_FROM, MAX_DISTANCE_PIECES, Progress};
pub use error::{Error, Flaw};
pub use material::{MAX_PIECES, Material};
pub use report::{MoveReport, Report};
pub use stats::{Class, Stats, Totals};
pub use tablebase::Tablebase;
pub use wdl::Wdl;
