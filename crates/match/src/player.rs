//! The players of a match: this engine, another program, or one of the two anchors of the rating scale.

mod anchors;
mod engine;
mod spec;
mod tables;
mod weights;

use core::time::Duration;
use std::path::PathBuf;

use crownhead_engine::{EngineError, Limits};
use crownhead_hub::{Client, ClientError};
use crownhead_rules::{History, Move};

pub use anchors::{Novice, Random};
pub use engine::{EnginePlayer, NodeClock};
pub use spec::{PlayerSpec, SpecError};
use tables::TableFolder;
pub use weights::{WeightsFile, WeightsFileError};

/// A player of a match.
pub trait Player: Send {
    /// Prepares for a new game; the seed is the same for the same game of the same match.
    ///
    /// # Errors
    /// If the player has exited.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError>;

    /// The move to play. Only called where there is one.
    ///
    /// # Errors
    /// If the player has exited, does not answer or plays an illegal move.
    fn play(&mut self, game: &History, limits: &Limits) -> Result<Answer, PlayerError>;
}

/// A player's move, and what it says about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The move.
    pub mv: Move,
    /// Its score of the position, in men.
    pub score: Option<f64>,
    /// The time it used, if that is not measured by the real clock.
    pub used: Option<Duration>,
    /// The longest time that it planned to take, if known.
    pub planned: Option<Duration>,
}

impl Answer {
    /// A move and nothing else.
    pub fn bare(mv: Move) -> Answer {
        Answer { mv, score: None, used: None, planned: None }
    }
}

/// Why a player cannot play.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Another program failed.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// Another program cannot be started.
    #[error("{player}: {error}")]
    NotStarted {
        /// The player as it was written.
        player: String,
        /// What went wrong.
        error: ClientError,
    },
    /// The engine cannot be created.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The folder of endgame tables does not exist.
    #[error("there is no folder {} of endgame tables", .0.display())]
    NoFolder(PathBuf),
    /// A file in it cannot be used. A match with certain tables is meaningless without them.
    #[error(transparent)]
    Table(#[from] crownhead_tablebase::Error),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsFileError),
}

impl Player for Client {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        Ok(Client::new_game(self, seed)?)
    }

    fn play(&mut self, game: &History, limits: &Limits) -> Result<Answer, PlayerError> {
        let reply = Client::play(self, game, limits)?;
        Ok(Answer { score: reply.score, ..Answer::bare(reply.mv) })
    }
}
