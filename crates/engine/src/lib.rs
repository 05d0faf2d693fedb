//! A checkers engine: alpha-beta search, learned evaluation (NNUE), opening book and levels of play.
//!
//! ```
//! use crownhead_engine::{Engine, Limits, Timeless};
//! use crownhead_rules::{History, Rulebook};
//!
//! let mut engine = Engine::new(1 << 20)?;
//! let game = History::new("W:W32,27,24,22:B20,15,10,7".parse()?);
//! let result = engine.search(&game, &Rulebook::default(), &Limits::nodes(50_000), &Timeless, &mut |_| {});
//! let result = result.expect("White has a move");
//! assert_eq!(game.position().move_text(result.best()), "27-23");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It never prints. The search never reads a clock: time and the stop signal come from the caller, through [`Control`].
//! It knows nothing of players or screens. With one thread it is deterministic, the same on every machine and in
//! WebAssembly.

mod bench;
mod book;
mod engine;
mod evaluation;
mod level;
mod limits;
mod opponent;
mod score;
mod search;
mod search_result;
#[cfg(not(target_family = "wasm"))]
mod stopwatch;
mod tablebase;
mod tt;

pub use bench::{BenchResult, bench, bench_with};
pub use book::{Book, BookBuilder, BookError};
pub use engine::{Engine, EngineError};
pub use evaluation::{Evaluation, Features, HiddenLayer, Network, Weights, WeightsError};
pub use level::Level;
pub use limits::{ClockState, Control, Limits, TimeLimit, Timeless};
pub use opponent::{DrawAnswer, MoveChoice, MoveSource, Opponent};
pub use score::{Score, ScoreKind};
pub use search_result::{PvLine, SearchResult};
#[cfg(not(target_family = "wasm"))]
pub use stopwatch::{StopFlag, Stopwatch};
pub use tablebase::{Probe, ProbeResult};
