//! `crownhead tablebase`: builds, verifies and asks the endgame tables.

mod build;
mod probe;
mod stats;
mod verify;

use std::num::NonZero;
use std::thread;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

/// Build, verify and ask the endgame tables.
#[derive(Args)]
pub(crate) struct Tablebase {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Build),
    Verify(verify::Verify),
    Stats(stats::Stats),
    Probe(probe::Probe),
}

impl Tablebase {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Build(build) => build.run(),
            Command::Verify(verify) => verify.run(),
            Command::Stats(stats) => stats.run(),
            Command::Probe(probe) => probe.run(),
        }
    }
}

/// The number of threads that was asked for, or one for each core.
fn threads(asked: Option<NonZero<usize>>) -> NonZero<usize> {
    asked.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}

/// A bar over positions on a terminal; nothing elsewhere.
fn progress_bar(positions: u64) -> ProgressBar {
    let template = "{bar:24} {percent:>3} %  {human_pos} positions, {per_sec}, {eta} left  {msg}";
    ProgressBar::new(positions)
        .with_style(ProgressStyle::with_template(template).expect("the template is right"))
}
