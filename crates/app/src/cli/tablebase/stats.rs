//! `crownhead tablebase stats`: counts wins, losses, draws and the longest wins in the tables.

use std::io::{self, Write};

use anyhow::ensure;
use clap::Args;
use crownhead_tablebase::{Stats as Statistics, Totals};

use crate::cli::tables::Tables;

/// Count wins, losses and draws by material and side to move, with the longest wins.
#[derive(Args)]
pub(crate) struct Stats {
    /// Only positions with this many pieces [default: all].
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Stats {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let tables = self.tables.open()?;
        let most = tables.max_pieces();
        let stats = match self.pieces {
            Some(pieces) => {
                ensure!(
                    (2..=most).contains(&pieces),
                    "there are tables of 2 to {most} pieces and not of {pieces}; \
                     build more with: crownhead tablebase build --pieces {pieces}"
                );
                tables.stats([pieces])
            }
            None => tables.stats(2..=most),
        };
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &stats)?;
            writeln!(out)?;
        } else {
            print(&stats, &mut out)?;
        }
        Ok(())
    }
}

fn print(stats: &Statistics, out: &mut impl Write) -> io::Result<()> {
    let heads = ["positions", "wins", "losses", "draws", "win in", "loss in"];
    write!(out, "bm bk wm wk side ")?;
    for head in heads {
        write!(out, " {head:>13}")?;
    }
    writeln!(out, "  longest win")?;
    for class in &stats.classes {
        write!(out, "{:>2} {:>2} {:>2} {:>2} {}", class.bm, class.bk, class.wm, class.wk, class.side)?;
        print_totals(&class.totals, out)?;
        writeln!(out, "  {}", class.example_win.as_deref().unwrap_or(""))?;
    }
    write!(out, "{:17}", "all")?;
    print_totals(&stats.totals, out)?;
    writeln!(out)
}

fn print_totals(totals: &Totals, out: &mut impl Write) -> io::Result<()> {
    for count in [totals.positions, totals.wins, totals.losses, totals.draws] {
        write!(out, " {count:>13}")?;
    }
    for plies in [totals.longest_win, totals.longest_loss] {
        write!(out, " {:>13}", plies.map_or("-".into(), |plies| plies.to_string()))?;
    }
    Ok(())
}
