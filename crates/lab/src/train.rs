//! Learning an evaluation: the engine plays against itself, and weights are fitted to what came of it.

mod sample;
mod self_play;
mod store;

pub use sample::Sample;
pub use self_play::{Recipe, SelfPlay};
pub use store::{Games, Held, Store, StoreError};
