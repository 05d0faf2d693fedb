//! The laboratory of the engine: matches between players, and what their results say about strength.

pub mod contest;
mod dice;
pub mod hub;
pub mod player;
pub mod rating;
mod stopwatch;

pub use dice::Dice;
pub use stopwatch::Stopwatch;
