//! Whoever can be asked for a move: this engine, another program, or one of the two fixed anchors.

mod anchors;
mod own;
mod spec;
mod tables;
mod weights;

use core::time::Duration;
use std::path::PathBuf;

use crownhead_engine::{EngineError, Limits};
use crownhead_rules::{History, Move};

use crate::hub::{Client, ClientError};
pub use anchors::{Novice, Random};
pub use own::{NodeClock, Own};
pub use spec::{PlayerSpec, SpecError};
use tables::TableFolder;
pub use weights::{WeightsFile, WeightsFileError};

/// A player of a match.
pub trait Player: Send {
    /// Prepares for another game; the seed is the same for the same game of the same match.
    ///
    /// # Errors
    /// If the player has gone.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError>;

    /// The move to play. Only asked where there is one.
    ///
    /// # Errors
    /// If the player has gone, does not answer or plays what is not legal.
    fn play(&mut self, game: &History, limits: &Limits) -> Result<Answer, PlayerError>;
}

/// A move, and what came with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The move.
    pub mv: Move,
    /// What the player thinks of its position, in men.
    pub score: Option<f64>,
    /// The time it used, if it is not the real one that counts.
    pub used: Option<Duration>,
    /// The longest time that it meant to take, if it told.
    pub planned: Option<Duration>,
}

impl Answer {
    /// A move without a word.
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
    /// Another program does not come to the board.
    #[error("{player}: {error}")]
    Absent {
        /// The player as it was written.
        player: String,
        /// Why not.
        error: ClientError,
    },
    /// Our own engine cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The folder of endgame tables that a player was given is not there.
    #[error("there is no folder {} of endgame tables", .0.display())]
    NoFolder(PathBuf),
    /// A file in it is of no use. Whoever plays a match with certain tables wants these and no others.
    #[error(transparent)]
    Table(#[from] crownhead_tablebase::Error),
    /// The weights that a player was given are of no use.
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
