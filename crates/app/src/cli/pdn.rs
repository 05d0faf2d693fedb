//! `crownhead pdn`: reads, reports and rewrites game files.

mod check;
mod convert;

use std::fmt;
use std::fs::File;
use std::path::Path;

use clap::{Args, Subcommand};
use crownhead_pdn::{Game, Reader, Warning};
use indicatif::ProgressBar;

use super::progress;

/// Read game files: check them, or write them anew.
#[derive(Args)]
pub(crate) struct Pdn {
    #[command(subcommand)]
    command: PdnCommand,
}

#[derive(Subcommand)]
enum PdnCommand {
    Check(check::Check),
    Convert(convert::Convert),
}

impl Pdn {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            PdnCommand::Check(check) => check.run(),
            PdnCommand::Convert(convert) => convert.run(),
        }
    }
}

/// Files that take a second or more have a progress bar.
const LONG_FILE_BYTES: u64 = 32 << 20;

/// What comes out of a file, one after another.
enum Found<'a> {
    Game(&'a Game),
    Oddity(Oddity<'a>),
}

/// Something odd in a game of a file, or behind its last game.
struct Oddity<'a> {
    file: &'a Path,
    /// From 1; 0 in a file without games.
    game: usize,
    warning: &'a Warning,
}

/// How much was found in a file.
#[derive(Default)]
struct Tally {
    games: usize,
    replayed: usize,
    warnings: usize,
    /// Why there is no more.
    failure: Option<anyhow::Error>,
}

/// As compilers write it, so that editors find the place.
impl fmt::Display for Oddity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Warning { place, problem } = self.warning;
        write!(f, "{}:{}:{}: ", self.file.display(), place.line, place.column)?;
        if self.game > 0 {
            write!(f, "game {}: ", self.game)?;
        }
        write!(f, "{problem}")
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Tally { games, replayed, warnings, .. } = *self;
        write!(f, "{games} game{}, {replayed} replay to the end", plural(games))?;
        if warnings > 0 { write!(f, ", {warnings} warning{}", plural(warnings)) } else { Ok(()) }
    }
}

/// Goes through a file. Only what the callback fails with is an error here; that the file cannot be read, or not to
/// its end, is told in the tally.
fn read_file(file: &Path, mut each: impl FnMut(Found<'_>) -> anyhow::Result<()>) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    let fail = |error: anyhow::Error| Some(error.context(format!("cannot read {}", file.display())));
    let source = match File::open(file) {
        Ok(source) => source,
        Err(error) => return Ok(Tally { failure: fail(error.into()), ..tally }),
    };
    let bar = bar(source.metadata().map_or(0, |about| about.len()));
    let mut reader = Reader::new(bar.wrap_read(source));
    for read in reader.by_ref() {
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                tally.failure = fail(error.into());
                break;
            }
        };
        tally.games += 1;
        tally.replayed += usize::from(read.replayed);
        tally.warnings += read.warnings.len();
        each(Found::Game(&read.game))?;
        for warning in &read.warnings {
            bar.suspend(|| each(Found::Oddity(Oddity { file, game: read.number, warning })))?;
        }
    }
    bar.finish_and_clear();
    for warning in reader.leftovers() {
        tally.warnings += 1;
        each(Found::Oddity(Oddity { file, game: tally.games, warning }))?;
    }
    Ok(tally)
}

/// A bar if it takes long, nothing else.
fn bar(bytes: u64) -> ProgressBar {
    if bytes < LONG_FILE_BYTES {
        return ProgressBar::hidden();
    }
    progress::bar(bytes, "{bar:24} {bytes}/{total_bytes} ({eta} left)")
}
