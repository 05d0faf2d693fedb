//! The computer player: carries out the effects of a game with an engine, analyses positions and reviews games.
//!
//! ```
//! use crownhead_computer::Computer;
//! use crownhead_engine::{Limits, Timeless};
//! use crownhead_rules::{History, Rulebook};
//! use crownhead_tablebase::Tablebase;
//!
//! let mut computer = Computer::new(1 << 20, Tablebase::embedded())?;
//! let mut game = History::new("W:W32,27,24,22:B20,15,10,7".parse()?);
//! let limits = Limits::nodes(20_000);
//! let analysis = computer.analyse(&game, &Rulebook::default(), &limits, &Timeless, &mut |_| {});
//! assert_eq!(analysis.lines[0].text[0], "27-23");
//!
//! game.play("22-17")?;
//! let review = computer.review(&game, &Rulebook::default(), &limits, &Timeless, &mut |_| {});
//! assert_eq!(review.moves[0].judgement.map(|judgement| judgement.glyph()), Some("??"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Page, terminal and command line all use this crate, so they play, analyse and judge alike. It does no I/O, starts no
//! threads and has no clock: the time and the stop signal come from outside, through
//! [`Control`](crownhead_engine::Control). Claims that the tables alone decide are judged by
//! [`Task::adjudicate`](crownhead_game::Task::adjudicate), which needs no engine.

mod analysis;
mod assessment;
mod computer;
pub mod review;

pub use analysis::{AnalysedLine, Analysis};
pub use assessment::{Assessment, Value};
pub use computer::{Computer, ComputerError};
pub use review::Review;
