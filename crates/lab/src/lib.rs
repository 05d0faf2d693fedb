//! The laboratory of the engine: what plays, times and measures it on a real machine.

mod stopwatch;

pub use stopwatch::Stopwatch;
