//! The laboratory of the engine: matches between players, and what their results say about strength.

pub mod book;
pub mod contest;
pub mod endings;
pub mod hub;
pub mod player;
pub mod rating;
mod stopwatch;
pub mod study;
pub mod train;
mod wander;

pub use stopwatch::{StopButton, Stopwatch};
