//! `crownhead pdn check`: replays the games of PDN files and reports warnings.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{Found, Oddity, Tally, read_file};
use crate::stderr::tell;

/// Replay all games of PDN files and report problems with line and column.
#[derive(Args)]
pub(crate) struct Check {
    /// PDN files to check.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct Report {
    files: Vec<FileReport>,
    games: usize,
    replayed: usize,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    games: usize,
    replayed: usize,
    warnings: Vec<WarningReport>,
}

#[derive(Serialize)]
struct WarningReport {
    game: usize,
    line: usize,
    column: usize,
    message: String,
}

impl Check {
    /// A file that cannot be read does not keep the others from being checked.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        let mut failures = if self.json { self.report(&mut out)? } else { self.print(&mut out)? };
        let last = failures.pop();
        for failure in failures {
            tell(format_args!("crownhead: {failure:#}"));
        }
        last.map_or(Ok(()), Err)
    }

    /// Prints text and returns the errors of files that could not be read.
    fn print(&self, out: &mut impl Write) -> anyhow::Result<Vec<anyhow::Error>> {
        let mut failures = Vec::new();
        let mut total = Tally::default();
        for file in &self.files {
            let mut tally = read_file(file, |found| match found {
                Found::Game(_) => Ok(()),
                Found::Oddity(oddity) => Ok(writeln!(out, "{oddity}")?),
            })?;
            total.games += tally.games;
            total.replayed += tally.replayed;
            total.warnings += tally.warnings;
            match tally.failure.take() {
                None => writeln!(out, "{}: {tally}", file.display())?,
                Some(failure) => failures.push(failure),
            }
        }
        if self.files.len() > 1 {
            writeln!(out, "all together: {total}")?;
        }
        Ok(failures)
    }

    /// Prints one JSON object and returns the errors of files that could not be read.
    fn report(&self, out: &mut impl Write) -> anyhow::Result<Vec<anyhow::Error>> {
        let mut failures = Vec::new();
        let mut report = Report::default();
        for file in &self.files {
            let mut warnings = Vec::new();
            let tally = read_file(file, |found| {
                if let Found::Oddity(oddity) = found {
                    warnings.push(oddity.into());
                }
                Ok(())
            })?;
            let Tally { games, replayed, failure, .. } = tally;
            if failure.is_none() || games > 0 {
                report.games += games;
                report.replayed += replayed;
                report.files.push(FileReport { file: file.display().to_string(), games, replayed, warnings });
            }
            failures.extend(failure);
        }
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
        Ok(failures)
    }
}

impl From<Oddity<'_>> for WarningReport {
    fn from(oddity: Oddity<'_>) -> WarningReport {
        let place = oddity.warning.place;
        WarningReport {
            game: oddity.game,
            line: place.line,
            column: place.column,
            message: oddity.warning.problem.to_string(),
        }
    }
}
