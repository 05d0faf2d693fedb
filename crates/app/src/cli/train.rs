//! `crownhead train`: how the evaluation is learnt.

mod fit;
mod play;

use clap::{Args, Subcommand};

/// Learn the evaluation: play games, then fit weights to them.
#[derive(Args)]
pub(crate) struct Train {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Play),
    Fit(fit::Fit),
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Play(play) => play.run(),
            Command::Fit(fit) => fit.run(),
        }
    }
}
