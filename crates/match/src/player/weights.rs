//! An evaluation loaded from a file of weights.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crownhead_engine::{Evaluation, Network, WeightsError};

/// A file of weights, or `hand` for the hand-written evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsFile(PathBuf);

/// Why weights cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum WeightsFileError {
    /// The file cannot be read.
    #[error("cannot read the weights in {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// It does not hold usable weights.
    #[error("{}: {error}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: WeightsError,
    },
}

/// The name of the hand-written evaluation.
const HAND: &str = "hand";

impl WeightsFile {
    /// The file with this name; `hand` is the hand-written evaluation.
    pub fn named(name: impl Into<PathBuf>) -> WeightsFile {
        WeightsFile(name.into())
    }

    /// Loads the evaluation.
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
