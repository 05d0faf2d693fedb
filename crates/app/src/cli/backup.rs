//! `crownhead backup`: writes a consistent snapshot of the online games, even while the server is running.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use crownhead_server::Database;
use crownhead_server::online::SqliteFile;
use serde::Serialize;

use crate::cli::database::{DatabaseOptions, postgres_address};
use crate::stderr::tell;

/// Copy all online games to a file, even while the server is running.
///
/// The copy is a consistent snapshot of the database that only its owner can read. `crownhead restore` restores it.
#[derive(Args)]
pub(crate) struct Backup {
    /// The file to write.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    database: DatabaseOptions,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    file: String,
    bytes: u64,
    games: u64,
}

impl Backup {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let database = self.database.existing()?;
        let Some(source) = database.file() else { return use_pg_dump(&database, &self.file) };
        if self.file.is_dir() {
            bail!("{} is a folder; give the name of a file in it", self.file.display());
        }
        if !self.force && self.file.exists() {
            bail!("{} is there already; give another name, or --force to replace it", self.file.display());
        }
        let report = self.copy(source)?;
        if self.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            let Report { file, bytes, games } = report;
            let plural = if games == 1 { "" } else { "s" };
            tell(format_args!("{file}: {games} game{plural}, {bytes} bytes"));
        }
        Ok(())
    }

    /// The file gets its name only when it is complete and on the disk.
    fn copy(&self, source: &Path) -> anyhow::Result<Report> {
        let context = || format!("cannot write {}", self.file.display());
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let copy =
            tempfile::Builder::new().prefix(".crownhead-").tempfile_in(folder).with_context(context)?;
        let bytes = SqliteFile::at(source).copy_to(copy.path())?;
        let games = SqliteFile::at(copy.path()).games()?;
        copy.as_file().sync_all().with_context(context)?;
        if self.force {
            copy.persist(&self.file).map_err(|failed| failed.error).with_context(context)?;
        } else {
            copy.persist_noclobber(&self.file).map_err(|failed| failed.error).with_context(context)?;
        }
        if cfg!(unix) {
            File::open(folder).and_then(|folder| folder.sync_all()).with_context(context)?;
        }
        Ok(Report { file: self.file.display().to_string(), bytes, games })
    }
}

fn use_pg_dump(database: &Database, file: &Path) -> anyhow::Result<()> {
    let (file, address) = (file.display(), postgres_address(database)?);
    bail!(
        "PostgreSQL has a program of its own for that, which also works while servers run: \
         pg_dump --format=custom --file='{file}' --dbname='{address}'"
    )
}
