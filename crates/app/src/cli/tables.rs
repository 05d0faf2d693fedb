//! The shared option `--tablebase DIR`, which adds a folder of endgame tables to the built-in ones.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use crownhead_tablebase::Tablebase;
use directories::ProjectDirs;

use crate::stderr::tell;

/// The folder of endgame tables beyond the built-in ones.
#[derive(Args, Clone, Default)]
pub(crate) struct Tables {
    /// Folder of additional endgame tables [default: `tablebase` in the user's data folder].
    #[arg(long = "tablebase", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Tables {
    /// The tables of this folder, or of the default one if the text is empty.
    pub(crate) fn at(folder: &str) -> Tables {
        Tables { folder: (!folder.is_empty()).then(|| folder.into()) }
    }

    /// The tables of this folder.
    pub(crate) fn of(folder: &Path) -> Tables {
        Tables { folder: Some(folder.to_owned()) }
    }

    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        let of_the_user =
            || ProjectDirs::from("", "", "crownhead").map(|user| user.data_dir().join("tablebase"));
        self.folder
            .clone()
            .or_else(of_the_user)
            .context("this user has no folder for data; give the folder of the tables with --tablebase DIR")
    }

    /// Fails if a folder was given that does not exist.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if let Some(folder) = &self.folder {
            anyhow::ensure!(folder.is_dir(), "there is no folder {}", folder.display());
        }
        Ok(())
    }

    /// Opens the built-in tables and those of the folder. Unusable files are reported on stderr and skipped.
    pub(crate) fn open(&self) -> anyhow::Result<Tablebase> {
        self.check()?;
        let (tables, complaints) = match self.folder() {
            Ok(folder) => Tablebase::embedded().with_folder(&folder),
            // Without a data folder only the built-in tables remain.
            Err(_) => (Tablebase::embedded(), Vec::new()),
        };
        for complaint in complaints {
            tell(format_args!("crownhead: {complaint}"));
        }
        Ok(tables)
    }
}
