//! `crownhead hub`: runs the engine over the Hub protocol on standard input and output.

use std::io::{self, Write};
use std::process;

use clap::Args;
use crownhead_hub::{Host, Line, Server};
use crownhead_tablebase::Tablebase;

use super::tables::Tables;
use crate::stderr::tell;

/// Run the engine over the Hub protocol on stdin and stdout, for graphical interfaces and matches.
#[derive(Args)]
#[command(after_long_help = PARAMETERS)]
pub(crate) struct Hub {}

const PARAMETERS: &str = "\
Parameters (set-param name=NAME value=VALUE):
  variant    the game: english
  hash       size of the transposition table in megabytes (64)
  threads    search threads (1)
  tablebase  folder of additional endgame tables; empty for the one in the user's data folder
  book       play opening moves from the book: true or false (true)
  level      playing strength, 1 to 8 (8); analysis is always at full strength
  seed       seed of all random choices, to repeat a game; 0 for a new seed in every game (0)

Scores are in men. A proven win scores 100 minus 0.01 per ply: 99.67 is a win in 33 plies.
A proven win of unknown length scores 90.";

impl Hub {
    #[expect(clippy::unused_self, reason = "every command has the same signature")]
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let host = Host {
            version: env!("CARGO_PKG_VERSION"),
            send,
            client_gone: || process::exit(0),
            open_tables,
            report_seed: |seed| tell(format_args!("crownhead: seed {seed}")),
        };
        Ok(Server::new(host).run(io::stdin().lock())?)
    }
}

fn send(line: &Line) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn open_tables(folder: &str) -> Result<Tablebase, String> {
    Tables::at(folder).open().map_err(|error| format!("{error:#}"))
}
