//! The command line: subcommands, shared argument parsers and defaults. Each command has its own file under `cli/`.

mod admin;
mod analyze;
mod backup;
mod bench;
mod book;
mod database;
mod hub;
pub(crate) mod interrupt;
mod match_play;
mod online;
mod pdn;
mod perft;
mod play;
mod progress;
mod restore;
mod serve;
mod tablebase;
mod tables;
mod train;

use std::fmt::Display;
use std::num::NonZero;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use crownhead_engine::Engine;
use indicatif::ProgressBar;

/// Checkers. Without a command, opens the game in your browser, as `crownhead serve` does.
#[derive(Parser)]
#[command(name = "crownhead", version, about, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(Subcommand)]
enum Command {
    Admin(admin::Admin),
    Analyze(analyze::Analyze),
    Backup(backup::Backup),
    Bench(bench::Bench),
    Book(book::Book),
    Hub(hub::Hub),
    Match(Box<match_play::Match>),
    Pdn(pdn::Pdn),
    Perft(perft::Perft),
    Play(Box<play::Play>),
    Restore(restore::Restore),
    Serve(serve::Serve),
    Tablebase(tablebase::Tablebase),
    Train(train::Train),
}

impl Cli {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Some(Command::Admin(admin)) => admin.run(),
            Some(Command::Analyze(analyze)) => analyze.run(),
            Some(Command::Backup(backup)) => backup.run(),
            Some(Command::Bench(bench)) => bench.run(),
            Some(Command::Book(book)) => book.run(),
            Some(Command::Hub(hub)) => hub.run(),
            Some(Command::Match(command)) => command.run(),
            Some(Command::Pdn(pdn)) => pdn.run(),
            Some(Command::Perft(perft)) => perft.run(),
            Some(Command::Play(play)) => play.run(),
            Some(Command::Restore(restore)) => restore.run(),
            Some(Command::Serve(serve)) => serve.run(),
            Some(Command::Tablebase(tablebase)) => tablebase.run(),
            Some(Command::Train(train)) => train.run(),
            None => self.serve.run(),
        }
    }
}

/// A usage error that only a combination of arguments reveals, reported in clap's format.
fn wrong_usage(command: &str, message: impl Display) -> anyhow::Error {
    let mut cli = Cli::command();
    cli.build();
    let command = cli.find_subcommand_mut(command).expect("commands know their names");
    command.error(ErrorKind::ValueValidation, message).into()
}

/// Parses a duration in seconds, with or without a fraction.
fn seconds(text: &str) -> anyhow::Result<Duration> {
    let seconds = text.trim().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.with_context(|| format!("{text:?} is not a time in seconds"))
}

/// Parses a whole number from 1 to `most`.
fn whole_number<N>(text: &str, most: N) -> anyhow::Result<N>
where
    N: Copy + Display + From<u8> + FromStr + PartialOrd,
{
    let number = text.parse().ok().filter(|number| (N::from(1)..=most).contains(number));
    number.with_context(|| format!("write a whole number from 1 to {most}"))
}

/// Parses a search depth in plies.
fn plies(text: &str) -> anyhow::Result<u32> {
    whole_number(text, u32::MAX)
}

/// Parses a node limit.
fn nodes(text: &str) -> anyhow::Result<u64> {
    whole_number(text, u64::MAX)
}

/// Parses the size of the transposition table in megabytes.
fn hash_mb(text: &str) -> anyhow::Result<usize> {
    whole_number(text, Engine::MAX_HASH_MB)
}

/// Parses a number of threads, or of parallel games that take one thread each.
fn thread_count(text: &str) -> anyhow::Result<NonZero<usize>> {
    let count = whole_number(text, Engine::MAX_THREADS)?;
    Ok(NonZero::new(count).expect("it is 1 at least"))
}

/// The requested number of threads, or one per core.
fn threads(asked: Option<NonZero<usize>>) -> NonZero<usize> {
    asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}

/// A progress bar that counts positions; hidden unless standard error is a terminal.
fn progress_bar(positions: u64) -> ProgressBar {
    progress::ticking_bar(
        positions,
        "{bar:24} {percent:>3} %  {human_pos} positions, {per_sec}, {eta} left  {msg}",
    )
}
