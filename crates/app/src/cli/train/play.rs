//! `crownhead train play`: generates training data by self-play.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use crownhead_engine::Evaluation;
use crownhead_engine::Stopwatch;
use crownhead_match::WeightsFile;
use crownhead_training::{DataFileError, DataWriter, Recipe, SelfPlay};
use serde::Serialize;

use super::print_json;
use crate::cli::tables::Tables;
use crate::cli::{nodes, progress_bar, thread_count, threads};
use crate::stderr::tell;

/// Play games of the engine against itself and store their quiet positions. An interrupted run resumes where it
/// stopped.
#[derive(Args)]
pub(crate) struct Play {
    /// The file to write or to continue.
    file: PathBuf,
    /// Stop when the file holds this many positions.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    positions: u64,
    /// Nodes to search for each move.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = nodes)]
    nodes: u64,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Weights file to play with, or `hand` for the hand-written evaluation [default: the built-in weights].
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Games to play in parallel [default: one per core].
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The contents of the file at the end.
#[derive(Serialize)]
struct Report {
    file: String,
    games: u64,
    positions: u64,
    seconds: f64,
}

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stopwatch = Stopwatch::start();
        let evaluation = match self.weights {
            Some(file) => WeightsFile::named(file).open()?,
            None => Evaluation::default(),
        };
        let tables = self.tables.open()?;
        let recipe = Recipe::new(self.seed, self.nodes, &evaluation, &tables);
        let (mut writer, mut counts) = DataWriter::open(&self.file, recipe)?;
        let bar = progress_bar(self.positions);
        bar.set_position(counts.samples);
        bar.reset_eta();
        let threads = threads(self.threads).get();
        let run = SelfPlay { recipe, evaluation, first: counts.games, threads, tables };
        let mut kept: Result<(), DataFileError> = Ok(());
        if counts.samples < self.positions {
            run.play(&mut |game| {
                kept = writer.add(&game).and_then(|()| writer.flush());
                counts.games += 1;
                counts.samples += game.len() as u64;
                bar.set_position(counts.samples);
                bar.set_message(format!("{} games", counts.games));
                kept.is_ok() && counts.samples < self.positions
            })?;
        }
        bar.finish_and_clear();
        kept?;
        let report = Report {
            file: self.file.display().to_string(),
            games: counts.games,
            positions: counts.samples,
            seconds: stopwatch.elapsed().as_secs_f64(),
        };
        tell(format_args!(
            "{}: {} positions of {} games ({recipe})",
            report.file, report.positions, report.games
        ));
        if self.json { print_json(&report) } else { Ok(()) }
    }
}
