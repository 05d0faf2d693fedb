//! `crownhead train fit`: weights for the evaluation from games.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use crownhead_engine::Stopwatch;
use crownhead_lab::train::{self, Best, Course, Fitting, Games, Lessons, Losses, Next, plot};
use serde::Serialize;

use super::print_json;
use crate::cli::progress;
use crate::cli::tables::Tables;
use crate::replacement::{Replacement, one_name};
use crate::talk::tell;

/// Fit the weights of the evaluation to games of `train play`. The same games and options give the same weights.
#[derive(Args)]
pub(crate) struct Fit {
    /// Files of games.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The file of weights to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Draw the losses of all passes as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// How often to go over all positions.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    passes: u16,
    /// How far a weight moves at first, at most 1.
    #[arg(long, value_name = "STEP", default_value_t = 0.003, value_parser = rate)]
    rate: f32,
    /// How much the result of the game counts beside the score of the search, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    trust_result: f32,
    /// The seed of the first weights and of the order of the positions.
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
    held_out: usize,
    passes: Vec<Pass>,
    weights: String,
    checksum: String,
    seconds: f64,
}

/// The losses of a pass.
#[derive(Serialize)]
struct Pass {
    learnt: f64,
    held_out: f64,
}

const BAR: &str = "{prefix}  {bar:24} {percent:>3} %  {per_sec}, {eta} left";
/// Weights stay below 1.25; with longer steps they would only leap from end to end.
const LONGEST_STEP: f32 = 1.0;

impl Fit {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.check_names()?;
        // What cannot be written is found out before the work, not after.
        for path in [Some(&self.out), self.plot.as_ref()].into_iter().flatten() {
            Replacement::check(path)?;
        }
        let watch = Stopwatch::start();
        let mut lessons = self.lessons()?;
        let course = self.learn(&mut lessons)?;
        let Best { pass, network } = course.best().context("there was nothing to learn from")?;
        let bytes = network.to_bytes();
        Replacement::write(&self.out, &bytes)?;
        if let Some(path) = &self.plot {
            Replacement::write(path, plot(course.losses(), *pass))?;
        }
        let report = Report {
            positions: lessons.learnt.len(),
            held_out: lessons.held_out.len(),
            passes: course.losses().iter().map(Pass::of).collect(),
            weights: self.out.display().to_string(),
            checksum: format!("{:08x}", network.checksum()),
            seconds: watch.elapsed().as_secs_f64(),
        };
        tell(format_args!(
            "{}: weights {} of pass {}, {} bytes, from {} positions and {} held out",
            report.weights,
            report.checksum,
            pass + 1,
            bytes.len(),
            report.positions,
            report.held_out,
        ));
        if self.json { print_json(&report) } else { Ok(()) }
    }

    /// Goes over the lessons until it is enough.
    fn learn(&self, lessons: &mut Lessons) -> anyhow::Result<Course> {
        let settings = train::Fit { seed: self.seed, passes: usize::from(self.passes), rate: self.rate };
        let mut fitting = Fitting::new(settings);
        let mut course = Course::default();
        let bar = progress::ticking_bar(lessons.learnt.len() as u64, BAR);
        for pass in 0..settings.passes {
            bar.set_prefix(format!("pass {} of {}", pass + 1, settings.passes));
            let lesson = |done| bar.set_position(done as u64);
            let loss = fitting.pass(&mut lessons.learnt, &lessons.held_out, &mut { lesson });
            bar.suspend(|| {
                tell(format_args!(
                    "pass {:>2}: loss {:.5}, held out {:.5}",
                    pass + 1,
                    loss.learnt,
                    loss.held_out
                ));
            });
            let next = course.add(loss, || fitting.network());
            match next.context("nothing was learnt; give a smaller --rate")? {
                Next::Goes => {}
                Next::NoBetter => break,
                Next::TooLarge => {
                    let told = "the weights have grown too large; those of the best pass before are kept";
                    bar.suspend(|| tell(format_args!("{told}")));
                    break;
                }
            }
        }
        bar.finish_and_clear();
        Ok(course)
    }

    /// Nothing is written in the place of games, and no two things in one place.
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

    fn lessons(&self) -> anyhow::Result<Lessons> {
        let tables = self.tables.open()?;
        tell(format_args!("results are put right by tables of {} pieces", tables.max_pieces()));
        let mut lessons = Lessons::default();
        for path in &self.games {
            let games = Games::open(path)?;
            tell(format_args!("{}: {}", path.display(), games.recipe));
            let scale = games.recipe.scale;
            for game in games {
                lessons.add(game?, scale, &tables, self.trust_result);
            }
        }
        lessons.hold_out_only_new_positions();
        if lessons.repeated > 0 {
            tell(format_args!("repeated games left out: {}", lessons.repeated));
        }
        lessons.check()?;
        Ok(lessons)
    }
}

impl Pass {
    fn of(losses: &Losses) -> Pass {
        Pass { learnt: losses.learnt, held_out: losses.held_out }
    }
}

fn rate(text: &str) -> Result<f32, String> {
    let rate: f32 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    let is_step = rate > 0.0 && rate <= LONGEST_STEP;
    if is_step { Ok(rate) } else { Err(format!("give a number above 0, at most {LONGEST_STEP}")) }
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("give a number from 0 to 1".into()) }
}
