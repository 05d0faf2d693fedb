//! `crownhead tablebase`: builds, verifies and probes endgame tablebases.

mod build;
mod probe;
mod stats;
mod verify;

use clap::{Args, Subcommand};

/// Build, verify and probe endgame tables.
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
