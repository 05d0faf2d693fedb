//! `crownhead pdn`: checks and converts PDN files.

mod check;
mod convert;

use std::fmt;
use std::fs::File;
use std::path::Path;

use clap::{Args, Subcommand};
use crownhead_pdn::{Game, Reader, Warning};
use indicatif::ProgressBar;

use super::progress;

/// Check PDN files, or convert them to PDN 3.0.
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

/// Files from this size take a second or more and get a progress bar.
const LONG_FILE_BYTES: u64 = 32 << 20;

/// An item that the reader of a file yields.
enum Found<'a> {
    Game(&'a Game),
    Oddity(Oddity<'a>),
}

/// A warning about a game of a file, or about the text after its last game.
struct Oddity<'a> {
    file: &'a Path,
    /// The number of the game, from 1; 0 in a file without games.
    game: usize,
    warning: &'a Warning,
}

/// Counts of the games and warnings of a file.
#[derive(Default)]
struct Tally {
    games: usize,
    replayed: usize,
    warnings: usize,
    /// The error that ended reading early.
    failure: Option<anyhow::Error>,
}

/// Formats the position as compilers do, so that editors can jump to it.
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

/// Reads a file and passes its items to the callback. Only an error of the callback is returned; an error of reading
/// the file is part of the tally.
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

/// A progress bar for long files, hidden for others.
fn bar(bytes: u64) -> ProgressBar {
    if bytes < LONG_FILE_BYTES {
        return ProgressBar::hidden();
    }
    progress::bar(bytes, "{bar:24} {bytes}/{total_bytes} ({eta} left)")
}
