//! A checkers player and analyst: search, evaluation, levels of play.
//!
//! ```
//! use crownhead_engine::{Engine, Limits, Timeless};
//! use crownhead_rules::{History, Rulebook};
//!
//! let mut engine = Engine::new(1 << 20)?;
//! let game = History::new("W:W32,27,24,22:B20,15,10,7".parse()?);
//! let found = engine.search(&game, &Rulebook::default(), &Limits::nodes(50_000), &Timeless, &mut |_| {});
//! let found = found.expect("White has a move");
//! assert_eq!(game.position().move_text(found.best()), "27-23");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It never prints, never asks for the time (that and the stop come from outside, by [`Control`]) and knows nothing of
//! players, clocks on walls or screens. With one thread it is deterministic, the same on every machine and in
//! WebAssembly.

mod bench;
mod book;
mod control;
mod dice;
mod engine;
mod error;
mod evaluation;
mod found;
mod level;
mod limits;
mod opponent;
mod probe;
mod score;
mod search;
#[cfg(not(target_family = "wasm"))]
mod stopwatch;
mod table;

pub use bench::{Bench, bench, bench_with};
pub use book::{Book, BookBuilder, BookError};
pub use control::{Control, Timeless};
pub use dice::Dice;
pub use engine::Engine;
pub use error::EngineError;
pub use evaluation::{Evaluation, Network, Units, View, Weights, WeightsError};
pub use found::{Found, Line};
pub use level::Level;
pub use limits::{Clock, Limits, Time};
pub use opponent::{Choice, DrawAnswer, Opponent, Source};
pub use probe::{Known, Probe};
pub use score::{Score, Verdict};
#[cfg(not(target_family = "wasm"))]
pub use stopwatch::{StopFlag, Stopwatch};
