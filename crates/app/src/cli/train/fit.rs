//! `crownhead train fit`: trains the weights of the evaluation network on self-play games.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use crownhead_engine::Stopwatch;
use crownhead_training::{
    Checkpoint, DataReader, Dataset, EarlyStopping, Hyperparameters, Losses, Progress, Trainer, plot,
};
use serde::Serialize;

use super::print_json;
use crate::atomic_file::{AtomicFile, one_name};
use crate::cli::progress;
use crate::cli::tables::Tables;
use crate::stderr::tell;

/// Train the weights of the evaluation on games from `train play`. The same games and options give the same weights.
#[derive(Args)]
pub(crate) struct Fit {
    /// Files written by `train play`.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The weights file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plot the losses of all epochs as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Maximum number of epochs. Training stops early when the validation loss no longer falls.
    #[arg(long = "epochs", visible_alias = "passes", value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    epochs: u16,
    /// Initial learning rate, at most 1.
    #[arg(long, visible_alias = "learning-rate", value_name = "STEP", default_value_t = 0.003, value_parser = rate)]
    rate: f32,
    /// Weight of the game's result against the score of the search in the target, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    trust_result: f32,
    /// Seed of the initial weights and of the order of the positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    positions: usize,
    #[serde(rename = "held_out")]
    validation: usize,
    #[serde(rename = "passes")]
    epochs: Vec<Epoch>,
    weights: String,
    checksum: String,
    seconds: f64,
}

/// The losses of an epoch.
#[derive(Serialize)]
struct Epoch {
    #[serde(rename = "learnt")]
    training: f64,
    #[serde(rename = "held_out")]
    validation: f64,
}

const BAR: &str = "{prefix}  {bar:24} {percent:>3} %  {per_sec}, {eta} left";
/// Weights stay below 1.25; a larger learning rate would make them jump from one bound to the other.
const MAX_LEARNING_RATE: f32 = 1.0;

impl Fit {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.check_names()?;
        // A file that cannot be written is reported before the work, not after.
        for path in [Some(&self.out), self.plot.as_ref()].into_iter().flatten() {
            AtomicFile::check(path)?;
        }
        let stopwatch = Stopwatch::start();
        let mut dataset = self.dataset()?;
        let training = self.train(&mut dataset)?;
        let Checkpoint { epoch, network } = training.best().context("there was nothing to train on")?;
        let bytes = network.to_bytes();
        AtomicFile::write(&self.out, &bytes)?;
        if let Some(path) = &self.plot {
            AtomicFile::write(path, plot(training.losses(), *epoch))?;
        }
        let report = Report {
            positions: dataset.training.len(),
            validation: dataset.validation.len(),
            epochs: training.losses().iter().map(Epoch::new).collect(),
            weights: self.out.display().to_string(),
            checksum: format!("{:08x}", network.checksum()),
            seconds: stopwatch.elapsed().as_secs_f64(),
        };
        tell(format_args!(
            "{}: weights {} of epoch {}, {} bytes, from {} training and {} validation positions",
            report.weights,
            report.checksum,
            epoch + 1,
            bytes.len(),
            report.positions,
            report.validation,
        ));
        if self.json { print_json(&report) } else { Ok(()) }
    }

    /// Trains until early stopping or the last epoch.
    fn train(&self, dataset: &mut Dataset) -> anyhow::Result<EarlyStopping> {
        let epochs = usize::from(self.epochs);
        let mut trainer = Trainer::new(Hyperparameters { seed: self.seed, epochs, learning_rate: self.rate });
        let mut training = EarlyStopping::default();
        let bar = progress::ticking_bar(dataset.training.len() as u64, BAR);
        for epoch in 0..epochs {
            bar.set_prefix(format!("epoch {} of {epochs}", epoch + 1));
            let done = &mut |done| bar.set_position(done as u64);
            let losses = trainer.epoch(&mut dataset.training, &dataset.validation, done);
            bar.suspend(|| {
                tell(format_args!(
                    "epoch {:>2}: training loss {:.5}, validation loss {:.5}",
                    epoch + 1,
                    losses.training,
                    losses.validation
                ));
            });
            let progress = training.add(losses, || trainer.network());
            match progress.context("training diverged in the first epoch; give a smaller --rate")? {
                Progress::Continue => {}
                Progress::NoImprovement => break,
                Progress::Diverged => {
                    let message = "the weights have grown too large; the best checkpoint before is kept";
                    bar.suspend(|| tell(format_args!("{message}")));
                    break;
                }
            }
        }
        bar.finish_and_clear();
        Ok(training)
    }

    /// Rejects output files that would overwrite the games or each other.
    fn check_names(&self) -> anyhow::Result<()> {
        let mut taken: Vec<PathBuf> = self.games.iter().map(|path| one_name(path)).collect();
        for (option, path) in [("--out", Some(&self.out)), ("--plot", self.plot.as_ref())] {
            let Some(path) = path else { continue };
            let name = one_name(path);
            ensure!(
                !taken.contains(&name),
                "{option} {} is another file of this command; give it a name of its own",
                path.display()
            );
            taken.push(name);
        }
        Ok(())
    }

    fn dataset(&self) -> anyhow::Result<Dataset> {
        let tables = self.tables.open()?;
        tell(format_args!("results are corrected by tables of {} pieces", tables.max_pieces()));
        let mut dataset = Dataset::default();
        for path in &self.games {
            let games = DataReader::open(path)?;
            tell(format_args!("{}: {}", path.display(), games.recipe));
            let scale = games.recipe.scale;
            for game in games {
                dataset.add(game?, scale, &tables, self.trust_result);
            }
        }
        dataset.remove_leaks();
        if dataset.duplicates > 0 {
            tell(format_args!("duplicate games left out: {}", dataset.duplicates));
        }
        dataset.check()?;
        Ok(dataset)
    }
}

impl Epoch {
    fn new(losses: &Losses) -> Epoch {
        Epoch { training: losses.training, validation: losses.validation }
    }
}

fn rate(text: &str) -> Result<f32, String> {
    let rate: f32 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    let fits = rate > 0.0 && rate <= MAX_LEARNING_RATE;
    if fits { Ok(rate) } else { Err(format!("give a number above 0, at most {MAX_LEARNING_RATE}")) }
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("give a number from 0 to 1".into()) }
}
