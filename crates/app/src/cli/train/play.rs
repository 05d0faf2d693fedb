//! `crownhead train play`: games of the engine against itself.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use crownhead_engine::Evaluation;
use crownhead_engine::Stopwatch;
use crownhead_lab::player::WeightsFile;
use crownhead_lab::train::{Recipe, SelfPlay, Store, StoreError};
use serde::Serialize;

use super::print_json;
use crate::cli::tables::Tables;
use crate::cli::{nodes, progress_bar, thread_count, threads};
use crate::talk::tell;

/// Play games of the engine against itself and keep their quiet positions. Can be stopped at any moment and goes on
/// where it was.
#[derive(Args)]
pub(crate) struct Play {
    /// The file to write, or to go on with.
    file: PathBuf,
    /// Stop when the file has so many positions.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    positions: u64,
    /// Positions that the engine may visit for a move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = nodes)]
    nodes: u64,
    /// The seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The weights to value positions by, `hand` for the evaluation written by hand; those of the program if not given.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Games at the same time; one on each core if not given.
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What the file has at the end.
#[derive(Serialize)]
struct Report {
    file: String,
    games: u64,
    positions: u64,
    seconds: f64,
}

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let watch = Stopwatch::start();
        let evaluation = match self.weights {
            Some(file) => WeightsFile::named(file).open()?,
            None => Evaluation::default(),
        };
        let tables = self.tables.open()?;
        let recipe = Recipe::new(self.seed, self.nodes, &evaluation, &tables);
        let (mut store, mut held) = Store::open(&self.file, recipe)?;
        let bar = progress_bar(self.positions);
        bar.set_position(held.samples);
        bar.reset_eta();
        let threads = threads(self.threads).get();
        let run = SelfPlay { recipe, evaluation, first: held.games, threads, tables };
        let mut kept: Result<(), StoreError> = Ok(());
        if held.samples < self.positions {
            run.play(&mut |game| {
                kept = store.add(&game).and_then(|()| store.flush());
                held.games += 1;
                held.samples += game.len() as u64;
                bar.set_position(held.samples);
                bar.set_message(format!("{} games", held.games));
                kept.is_ok() && held.samples < self.positions
            })?;
        }
        bar.finish_and_clear();
        kept?;
        let report = Report {
            file: self.file.display().to_string(),
            games: held.games,
            positions: held.samples,
            seconds: watch.elapsed().as_secs_f64(),
        };
        tell(format_args!(
            "{}: {} positions of {} games ({recipe})",
            report.file, report.positions, report.games
        ));
        if self.json { print_json(&report) } else { Ok(()) }
    }
}
