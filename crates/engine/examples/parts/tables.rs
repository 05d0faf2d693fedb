//! Loads the endgame tables for an example.

use std::error::Error;
use std::path::Path;

use crownhead_tablebase::Tablebase;

/// The embedded tables, and those of the folder in `CROWNHEAD_TABLEBASE` if it is set.
pub(crate) fn tables() -> Result<Tablebase, Box<dyn Error>> {
    let Some(folder) = std::env::var_os("CROWNHEAD_TABLEBASE") else { return Ok(Tablebase::embedded()) };
    let folder = Path::new(&folder);
    if !folder.is_dir() {
        return Err(format!("there is no folder {}", folder.display()).into());
    }
    let (tables, complaints) = Tablebase::embedded().with_folder(folder);
    complaints.into_iter().next().map_or(Ok(tables), |complaint| Err(complaint.into()))
}
