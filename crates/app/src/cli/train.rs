//! `crownhead train`: generates self-play data and trains the evaluation network.

mod fit;
mod play;

use std::io::{self, Write};

use clap::{Args, Subcommand};
use serde::Serialize;

/// Train the evaluation: play games, then fit weights to them.
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

fn print_json(report: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, report)?;
    Ok(writeln!(out)?)
}
