//! `crownhead restore`: replaces the database of online games with a backup and keeps the old one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use crownhead_server::Database;
use crownhead_server::online::{DatabaseLock, SqliteFile};
use serde::Serialize;

use crate::atomic_file::one_name;
use crate::cli::database::{DatabaseOptions, postgres_address};
use crate::stderr::tell;

/// Replace all online games with a backup. Stop the server first.
///
/// The whole backup is checked before anything changes, and the old database is kept under another name.
#[derive(Args)]
pub(crate) struct Restore {
    /// A file written by `crownhead backup`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOptions,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    database: String,
    games: u64,
    /// The path of the old database.
    kept: Option<String>,
}

impl Restore {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if !self.file.exists() {
            bail!("there is no file {}; give one that `crownhead backup` wrote", self.file.display());
        }
        let backup = SqliteFile::at(&self.file);
        let database = self.database.database()?;
        let Some(target) = database.file() else { return use_pg_restore(&database, &self.file) };
        if one_name(target) == one_name(&self.file) {
            bail!("{} is the database itself; give a file that `crownhead backup` wrote", target.display());
        }
        backup.check().context("nothing was restored")?;
        if target.is_dir() {
            bail!("{} is a folder, where the database has to be; move it away", target.display());
        }
        let _lock = DatabaseLock::take(target).context("nothing was restored")?;
        let kept = SqliteFile::at(target).replace_with(&self.file).context("nothing was restored")?;
        self.report(target, SqliteFile::at(target).games()?, kept)
    }

    fn report(&self, target: &Path, games: u64, kept: Option<PathBuf>) -> anyhow::Result<()> {
        let kept = kept.map(|kept| kept.display().to_string());
        let report = Report { database: target.display().to_string(), games, kept };
        if self.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
            return Ok(());
        }
        let plural = if games == 1 { "" } else { "s" };
        tell(format_args!("{}: {games} game{plural} restored", report.database));
        if let Some(kept) = report.kept {
            tell(format_args!("the database that was there is now {kept}"));
        }
        Ok(())
    }
}

fn use_pg_restore(database: &Database, file: &Path) -> anyhow::Result<()> {
    let (file, address) = (file.display(), postgres_address(database)?);
    bail!(
        "PostgreSQL has a program of its own for that; stop all servers and run: \
         pg_restore --clean --if-exists --dbname='{address}' '{file}'"
    )
}
