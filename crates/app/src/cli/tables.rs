//! The option `--tablebase DIR`, wherever a command takes it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use crownhead_tablebase::Tablebase;
use directories::ProjectDirs;

use crate::talk::tell;

/// Where larger tables than those of the program itself are.
#[derive(Args, Clone, Default)]
pub(crate) struct Tables {
    /// The folder of larger endgame tables; the one in the user's data folder if not given.
    #[arg(long = "tablebase", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Tables {
    /// As if the folder had been given; none if the text is empty.
    pub(crate) fn at(folder: &str) -> Tables {
        Tables { folder: (!folder.is_empty()).then(|| folder.into()) }
    }

    /// Those of this folder.
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

    /// Is there such a folder, if one was given?
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if let Some(folder) = &self.folder {
            anyhow::ensure!(folder.is_dir(), "there is no folder {}", folder.display());
        }
        Ok(())
    }

    /// The tables of the program and those of the folder. Files that are of no use are told on stderr and left out.
    pub(crate) fn open(&self) -> anyhow::Result<Tablebase> {
        self.check()?;
        let (tables, complaints) = match self.folder() {
            Ok(folder) => Tablebase::embedded().with_folder(&folder),
            // Without a folder there is nothing to add.
            Err(_) => (Tablebase::embedded(), Vec::new()),
        };
        for complaint in complaints {
            tell(format_args!("crownhead: {complaint}"));
        }
        Ok(tables)
    }
}
