//! Matches between checkers engines, with Elo, SPRT and rating lists from their results.
//!
//! A [`Match`] plays openings from both sides between two [`Player`]s: this engine, another program over the Hub
//! protocol, or one of the two anchors of the rating scale. [`rating`] turns the results into Elo with its error, a
//! sequential test (SPRT) and a rating list.
//!
//! ```
//! use crownhead_engine::StopFlag;
//! use crownhead_match::{Match, Pairing, TimeControl};
//! use crownhead_tablebase::Tablebase;
//!
//! let stats = Match {
//!     players: ["novice".parse()?, "random".parse()?],
//!     time_control: TimeControl::Nodes(100),
//!     pairings: Pairing::random(4, 1),
//!     concurrency: 1,
//!     sprt: None,
//!     tables: Tablebase::embedded(),
//!     stop: StopFlag::default(),
//! }
//! .play(&mut |_, _, _| {})?;
//! assert_eq!(stats.results.games(), 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Matches run on real clocks, threads and processes; all that is random comes from the seed of the [`Pairing`]s.

mod match_play;
mod player;
pub mod rating;

pub use match_play::{GameRecord, Match, MatchStats, Pairing, Round, TimeControl};
pub use player::{
    Answer, EnginePlayer, NodeClock, Novice, Player, PlayerError, PlayerSpec, Random, SpecError, WeightsFile,
    WeightsFileError,
};
