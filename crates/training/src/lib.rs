//! Training of the engine's evaluation network: self-play, datasets and gradient descent.
//!
//! The engine plays against itself ([`SelfPlay`]), which fills files of [`Sample`]s ([`DataWriter`], [`DataReader`]). A
//! [`Dataset`] turns them into features and targets with a validation split, a [`Trainer`] fits a network to them by
//! Adam, and [`EarlyStopping`] keeps the checkpoint with the lowest validation loss.
//!
//! ```
//! use crownhead_engine::Evaluation;
//! use crownhead_tablebase::Tablebase;
//! use crownhead_training::{Recipe, SelfPlay};
//!
//! let (evaluation, tables) = (Evaluation::Handcrafted, Tablebase::embedded());
//! let recipe = Recipe::new(1, 20, &evaluation, &tables);
//! let mut games = Vec::new();
//! SelfPlay { recipe, evaluation, first: 0, threads: 1, tables }.play(&mut |game| {
//!     games.push(game);
//!     games.len() < 2
//! })?;
//! assert!(games.iter().all(|game| game.iter().all(|sample| sample.position.is_quiet())));
//! # Ok::<(), crownhead_training::SelfPlayError>(())
//! ```
//!
//! Everything here is reproducible: the same seeds and settings give the same games and the same network, whatever the
//! number of threads. So the crate reads no clock, and knows nothing of other programs, matches or ratings.

mod data_file;
mod dataset;
mod early_stopping;
mod in_order;
mod opening;
mod parameters;
mod plot;
mod sample;
mod self_play;
mod trainer;

pub use data_file::{Counts, DataFileError, DataReader, DataWriter};
pub use dataset::{Dataset, DatasetError, Example};
pub use early_stopping::{Checkpoint, EarlyStopping, Progress};
pub use plot::plot;
pub use sample::Sample;
pub use self_play::{PLAY_VERSION, Recipe, SelfPlay, SelfPlayError};
pub use trainer::{Hyperparameters, Losses, Trainer};
