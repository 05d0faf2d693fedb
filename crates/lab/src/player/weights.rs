//! The evaluation that a player asked for by the name of a file.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crownhead_engine::{Evaluation, Network, WeightsError};

/// A file of weights, or the word for the evaluation that needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsFile(PathBuf);

/// Why weights are not to be had.
#[derive(Debug, thiserror::Error)]
pub enum WeightsFileError {
    /// The file cannot be read.
    #[error("cannot read the weights in {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It holds no weights that can be used.
    #[error("{}: {error}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Why.
        error: WeightsError,
    },
}

/// The evaluation written by hand goes by this name.
const HAND: &str = "hand";

impl WeightsFile {
    /// The file with this name; `hand` is the evaluation written by hand.
    pub fn named(name: impl Into<PathBuf>) -> WeightsFile {
        WeightsFile(name.into())
    }

    /// The evaluation with these weights.
    ///
    /// # Errors
    /// If the file cannot be read or holds something else.
    pub fn open(&self) -> Result<Evaluation, WeightsFileError> {
        let path = &self.0;
        if path.as_os_str() == HAND {
            return Ok(Evaluation::Handcrafted);
        }
        let bytes = fs::read(path).map_err(|error| WeightsFileError::Io { path: path.clone(), error })?;
        let network = Network::from_bytes(&bytes);
        let network = network.map_err(|error| WeightsFileError::Wrong { path: path.clone(), error })?;
        Ok(Evaluation::Network(Arc::new(network)))
    }
}
