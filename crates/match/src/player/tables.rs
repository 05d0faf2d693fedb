//! The endgame tables of a player, opened once for all games.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crownhead_tablebase::Tablebase;

use super::PlayerError;

/// A folder of tables.
#[derive(Clone, Debug)]
pub(super) struct TableFolder {
    path: PathBuf,
    opened: Arc<OnceLock<Tablebase>>,
}

impl TableFolder {
    pub(super) fn at(path: impl Into<PathBuf>) -> TableFolder {
        TableFolder { path: path.into(), opened: Arc::default() }
    }

    /// The tables of the program and those of the folder.
    pub(super) fn open(&self) -> Result<Tablebase, PlayerError> {
        if let Some(tables) = self.opened.get() {
            return Ok(tables.clone());
        }
        if !self.path.is_dir() {
            return Err(PlayerError::NoFolder(self.path.clone()));
        }
        let (tables, complaints) = Tablebase::embedded().with_folder(&self.path);
        if let Some(complaint) = complaints.into_iter().next() {
            return Err(complaint.into());
        }
        Ok(self.opened.get_or_init(|| tables).clone())
    }
}

impl PartialEq for TableFolder {
    fn eq(&self, other: &TableFolder) -> bool {
        self.path == other.path
    }
}

impl Eq for TableFolder {}
