//! `crownhead analyze`: analyses a position (multi-PV) or annotates the games of a PDN file.

mod game;
mod position;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use crownhead_computer::Computer;
use crownhead_engine::{Engine, Limits, TimeLimit};
use crownhead_rules::{Position, Rulebook, RulebookId};

use super::tables::Tables;
use super::{hash_mb, nodes, plies, seconds, thread_count, whole_number, wrong_usage};

/// Find the best moves in a position, or annotate the games of a file and mark their worst moves.
///
/// In an annotated game each score is from the view of the side that made the move. Up to three of the worst moves are
/// marked by the winning chances they gave away: `?!` for 7 percent, `?` for 15, `??` for 25 or more (in an even
/// position about a quarter of a man, half a man and a whole man). A proven win, draw or loss counts in full.
#[derive(Args)]
pub(crate) struct Analyze {
    /// A position as FEN (`start` for the start position), or a PDN file.
    #[arg(value_name = "FEN|FILE.pdn")]
    subject: String,
    /// Search time per position [default: 1 second, unless --depth or --nodes is given].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Search depth in plies.
    #[arg(long, value_name = "PLIES", value_parser = plies)]
    depth: Option<u32>,
    /// Nodes to search per position. Gives the same result on every machine.
    #[arg(long, value_name = "N", value_parser = nodes)]
    nodes: Option<u64>,
    /// Number of best lines to show for a position (multi-PV) [default: 3].
    #[arg(long, value_name = "N", value_parser = |text: &str| whole_number(text, usize::MAX))]
    lines: Option<usize>,
    /// Size of the transposition table in megabytes.
    #[arg(long, value_name = "MB", default_value_t = Engine::DEFAULT_HASH_BYTES >> 20, value_parser = hash_mb)]
    hash: usize,
    /// Search threads.
    #[arg(long, value_name = "N", default_value = "1", value_parser = thread_count)]
    threads: NonZero<usize>,
    #[command(flatten)]
    tables: Tables,
    /// The rule book, which decides when a game is drawn.
    #[arg(long, value_name = "NAME", default_value = "american")]
    rules: RulebookId,
    /// Write the annotated games to this file instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const DEFAULT_TIME: Duration = Duration::from_secs(1);
const DEFAULT_LINES: usize = 3;

impl Analyze {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut computer = Computer::new(self.hash << 20, self.tables.open()?)?;
        computer.set_threads(self.threads.get());
        let file = Path::new(&self.subject);
        let position =
            if self.subject == "start" { Ok(Position::start()) } else { self.subject.parse::<Position>() };
        match position {
            Ok(_) if self.out.is_some() => {
                Err(wrong_usage("analyze", "--out is for games; a position is only shown"))
            }
            Ok(position) => self.position(&mut computer, &position),
            Err(_) if file.exists() && self.lines.is_some() => {
                Err(wrong_usage("analyze", "--lines is for a position; of a game each move is scored"))
            }
            Err(_) if file.exists() => self.games(&mut computer, file),
            // Every FEN contains a colon, and file names hardly ever do.
            Err(error) if self.subject.contains(':') => {
                Err(error).with_context(|| format!("cannot read the FEN {:?}", self.subject))
            }
            Err(_) => bail!("there is no file {:?}, and it is not a FEN either", self.subject),
        }
    }

    fn limits(&self) -> Limits {
        let given = self.depth.is_some() || self.nodes.is_some();
        let time = self.time.or((!given).then_some(DEFAULT_TIME));
        Limits { depth: self.depth, nodes: self.nodes, time: time.map(TimeLimit::Move), multi_pv: 1 }
    }

    fn rulebook(&self) -> Rulebook {
        Rulebook::of(self.rules)
    }
}
