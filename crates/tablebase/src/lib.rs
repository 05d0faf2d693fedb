//! Endgame tablebases for checkers: built by retrograde analysis, compressed, verified and probed here.
//!
//! A tablebase holds win, draw or loss (WDL) of every position with few pieces, and the distance to win (DTW) in plies.
//!
//! The crate has its own move generator (`board.rs`), because retrograde analysis visits billions of boards and needs
//! successors rather than moves. The test `boards_after_a_move_are_those_of_the_rules` proves it equal to that of
//! `crownhead-rules`. The tables ignore draws by repetition and by a move limit.
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

mod atomic_file;
mod board;
mod board_cursor;
mod build;
mod cache;
mod cached_block;
mod coder;
mod dtw;
mod embedded;
mod error;
mod expand;
mod header;
mod index;
mod material;
mod model;
mod packed_wdl;
mod probe;
mod report;
mod retrograde;
mod runs;
mod section;
mod solved_slices;
mod stats;
mod table_file;
mod tablebase;
mod threads;
mod value;
mod value_source;
mod verify;
mod wdl;

pub use build::{Build, COMPACT_FROM, MAX_DISTANCE_PIECES, Progress};
pub use error::{Error, Flaw};
pub use material::{MAX_PIECES, Material};
pub use report::{MoveReport, Report};
pub use stats::{Class, Stats, Totals};
pub use tablebase::Tablebase;
pub use wdl::Wdl;
