//! Learning an evaluation: the engine plays against itself, and a network is fitted to what came of it.

mod course;
mod fit;
mod in_order;
mod lesson;
mod opening;
mod parameters;
mod plot;
mod sample;
mod self_play;
mod store;

pub use course::{Best, Course, Next};
pub use fit::{Fit, Fitting, Losses};
pub use lesson::{Lesson, Lessons, LessonsError};
pub use plot::plot;
pub use sample::Sample;
pub use self_play::{PLAY_VERSION, Recipe, SelfPlay, SelfPlayError};
pub use store::{Games, Held, Store, StoreError};
