//! The commands and their options. Each command is a file of its own under `cli/`.

mod bench;
mod contest;
mod hub;
mod pdn;
mod perft;

use clap::{Parser, Subcommand};
use std::io::{self, Write};

/// Checkers: the rules, from the command line.
#[derive(Parser)]
#[command(name = "crownhead", version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Bench),
    Hub(hub::Hub),
    Match(Box<contest::Match>),
    Pdn(pdn::Pdn),
    Perft(perft::Perft),
}

impl Cli {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Some(Command::Bench(bench)) => bench.run(),
            Some(Command::Hub(hub)) => hub.run(),
            Some(Command::Match(contest)) => contest.run(),
            Some(Command::Pdn(pdn)) => pdn.run(),
            Some(Command::Perft(perft)) => perft.run(),
            None => welcome(),
        }
    }
}

/// What there is, for somebody who typed just `crownhead`.
fn welcome() -> anyhow::Result<()> {
    writeln!(
        io::stdout(),
        "Crownhead {}: checkers.\n\nTry `crownhead perft 8` to count all lines of eight moves, \
         or `crownhead help` for everything it can do.",
        env!("CARGO_PKG_VERSION")
    )?;
    Ok(())
}
