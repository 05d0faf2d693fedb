//! `crownhead match`: player against player, with the difference in strength.

mod round_robin;

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use crownhead_engine::Level;
use crownhead_lab::StopButton;
use crownhead_lab::contest::{Contest, Pace, Pairing, Standing};
use crownhead_lab::player::PlayerSpec;
use crownhead_lab::rating::{Decision, Sprt, Tally};
use crownhead_rules::OpeningClass;
use crownhead_tablebase::Tablebase;
use serde::Serialize;

use super::interrupt::{Interrupted, press_on_ctrl_c};
use super::tables::Tables;
use super::{nodes, plies, progress, seconds, thread_count, whole_number, wrong_usage};
use crate::talk::tell;

/// Play games between two players and tell how much stronger the first one is.
///
/// A player is `self` (this engine; `self,hash=64,threads=2,nodes=5000`, with endgame tables `self,tablebase=DIR`, with
/// other weights `self,weights=FILE`, with the evaluation written by hand `self,weights=hand`, with a clock on which each
/// node takes so many nanoseconds whatever the machine does `self,node-ns=250`),
/// `level=1` to `level=8`, `random`, `novice`, or another program that speaks the Hub protocol: `hub:COMMAND`, or with
/// parameters that it offers `hub,book=false,hash=16:COMMAND`.
///
/// Ctrl-C ends the match and tells the result so far.
#[derive(Args)]
#[command(name = "match")]
pub(crate) struct Match {
    /// The first player; results are told from its side.
    #[arg(default_value = "self")]
    first: PlayerSpec,
    /// The second player.
    #[arg(default_value = "self")]
    second: PlayerSpec,
    /// Games to play, from openings by lot; each opening is played from both sides, so that an odd number is one more, and
    /// one that comes again goes on with a few moves by lot.
    #[arg(long, value_name = "N", default_value = "200", value_parser = games, conflicts_with = "ballots")]
    games: usize,
    /// Play every three-move opening of these classes once from both sides.
    #[arg(long, value_name = "CLASSES", num_args = 0..=1, require_equals = true, value_delimiter = ',')]
    #[arg(default_missing_value = "crossboard")]
    ballots: Option<Vec<ClassArg>>,
    /// Play a round robin of these levels instead, and the lowest one against the anchors.
    #[arg(long, value_name = "FROM-TO", value_parser = levels, conflicts_with_all = NOT_WITH_LEVELS)]
    levels: Option<(Level, Level)>,
    /// With --levels, only each level against the one below.
    #[arg(long, requires = "levels", conflicts_with_all = NOT_WITH_LEVELS)]
    neighbours: bool,
    /// With --levels, games of two levels that are no neighbours, if they play less than others.
    #[arg(long, value_name = "N", value_parser = games, requires = "levels")]
    #[arg(conflicts_with_all = NOT_WITH_LEVELS, conflicts_with_all = ["neighbours", "ballots"])]
    games_of_others: Option<usize>,
    /// With --levels, draw their scale to an SVG file.
    #[arg(long, value_name = "FILE", requires = "levels", conflicts_with_all = NOT_WITH_LEVELS)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    pace: PaceArgs,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = thread_count)]
    concurrency: NonZero<usize>,
    /// Stop when it is clear whether the difference is ELO1 rather than ELO0 (5 % of errors).
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The seed of everything that is left to chance.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// End games by the endgame tables of this folder; without it by those that every build has, so that a match comes out
    /// the same everywhere.
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,
    /// Add all games to a file, each as it ends.
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Fail if a game was lost on time, by an illegal move or by a program that failed.
    #[arg(long)]
    no_forfeits: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClassArg {
    /// Those drawn in games over the board.
    Crossboard,
    /// Those for play by mail only.
    MailPlay,
    /// Those lost for one side.
    Barred,
}

/// What each player may use for a move.
#[derive(Args)]
#[group(multiple = false)]
struct PaceArgs {
    /// Plies for each move.
    #[arg(long, value_name = "PLIES", value_parser = plies)]
    depth: Option<u32>,
    /// Positions for each move: the same result on every machine.
    #[arg(long, value_name = "N", value_parser = nodes)]
    nodes: Option<u64>,
    /// Time for each move, in seconds (0.1 if nothing else is given).
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Time for the game and increment, in seconds: 60+0.5.
    #[arg(long, value_name = "TIME+INCREMENT", value_parser = clock)]
    clock: Option<Pace>,
}

#[derive(Serialize)]
struct Report {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: f64,
    elo_error: f64,
    illegal: u64,
    timeouts: u64,
    failures: u64,
    /// The longest time that somebody took beyond the time for a move or, on a clock, beyond what it meant to take; beyond
    /// all that it had left, if it did not tell. In seconds.
    overshoot: f64,
    seed: u64,
    sprt: Option<SprtReport>,
}

/// Where the sequential test stands.
#[derive(Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    ratio: f64,
    bound: f64,
    decision: &'static str,
}

const BAR: &str = "{elapsed_precise} {bar:24} {pos}/{len} {msg} ({eta} left)";
/// Enough for a difference of half an Elo point, and a list of openings that memory holds.
const MAX_GAMES: usize = 10_000_000;
/// What makes no sense in a round robin. Its own options name these too: clap forgets that they require `--levels` as
/// soon as something is there that excludes it.
const NOT_WITH_LEVELS: [&str; 3] = ["first", "second", "sprt"];
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(100);

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = StopButton::default();
        press_on_ctrl_c(stop.clone()).context("cannot listen to Ctrl-C")?;
        match self.levels {
            Some(range) => round_robin::run(&self, range, &stop)?,
            None => self.run_two(&stop)?,
        }
        if stop.is_pressed() { Err(Interrupted.into()) } else { Ok(()) }
    }

    /// Two players.
    fn run_two(&self, stop: &StopButton) -> anyhow::Result<()> {
        let players = [self.first.clone(), self.second.clone()];
        let contest = self.contest(players, self.games, Pace::Move(DEFAULT_MOVE_TIME), stop)?;
        let standing = self.play(&contest)?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &Report::of(&standing, &contest, self.seed))?;
            writeln!(out)?;
            return self.check(&standing);
        }
        writeln!(out, "{} against {}, seed {}", self.first, self.second, self.seed)?;
        writeln!(out, "{}", summary(&standing, contest.sprt))?;
        writeln!(
            out,
            "illegal moves {}, losses on time {}, programs that failed {}, largest overshoot {:.2} ms",
            standing.illegal,
            standing.timeouts,
            standing.failures,
            standing.overshoot.as_secs_f64() * 1e3
        )?;
        self.check(&standing)
    }

    /// Is every game one that was played to its end, if that was asked for?
    fn check(&self, standing: &Standing) -> anyhow::Result<()> {
        let forfeits = standing.illegal + standing.timeouts + standing.failures;
        ensure!(
            !self.no_forfeits || forfeits == 0,
            "{forfeits} games were lost on time, by an illegal move or by a program that failed"
        );
        Ok(())
    }

    fn contest(
        &self,
        players: [PlayerSpec; 2],
        games: usize,
        default: Pace,
        stop: &StopButton,
    ) -> anyhow::Result<Contest> {
        Ok(Contest {
            players,
            pace: self.pace.pace().unwrap_or(default),
            pairings: match &self.ballots {
                Some(classes) => {
                    let classes: Vec<OpeningClass> = classes.iter().map(|class| class.class()).collect();
                    Pairing::each_once(&classes, self.seed)
                }
                None => Pairing::by_lot(games.div_ceil(2), self.seed),
            },
            concurrency: self.concurrency.get(),
            tables: match &self.tablebase {
                Some(folder) => Tables::of(folder).open()?,
                None => Tablebase::embedded(),
            },
            sprt: self.sprt.as_deref().map(|elo| sprt(elo[0], elo[1])).transpose()?,
            stop: stop.clone(),
        })
    }

    /// Plays a match under a bar, and adds each game to the file as it ends, so that none is lost by what comes after. A
    /// game that cannot be written ends the match.
    fn play(&self, contest: &Contest) -> anyhow::Result<Standing> {
        let mut file = self.pdn.as_deref().map(append).transpose()?;
        let [first, second] = &contest.players;
        let event = format!("{first} - {second}");
        let bar = progress::bar(contest.pairings.len() as u64 * 2, BAR);
        let mut so_far = Standing::default();
        let mut written = Ok(());
        let result = contest.play(&mut |standing, round, game| {
            bar.set_position(standing.tally.games());
            bar.set_message(summary(standing, contest.sprt));
            so_far.clone_from(standing);
            if let Some(reason) = game.illegal.as_ref().or(game.failure.as_ref()) {
                bar.suspend(|| tell(format_args!("crownhead: game {} is forfeited by {reason}", round + 1)));
            }
            if let Some(file) = file.as_mut().filter(|_| written.is_ok()) {
                written = file.write_all(format!("{}\n", game.to_pdn(&event, round + 1)).as_bytes());
                if written.is_err() {
                    contest.stop.press();
                }
            }
        });
        bar.finish_and_clear();
        let result = written.context("cannot write the games").and(result.map_err(Into::into));
        if result.is_err() && so_far.tally.games() > 0 {
            tell(format_args!("so far {}", summary(&so_far, contest.sprt)));
        }
        result
    }
}

impl ClassArg {
    fn class(self) -> OpeningClass {
        match self {
            ClassArg::Crossboard => OpeningClass::Crossboard,
            ClassArg::MailPlay => OpeningClass::MailPlay,
            ClassArg::Barred => OpeningClass::Barred,
        }
    }
}

impl PaceArgs {
    fn pace(&self) -> Option<Pace> {
        None.or(self.depth.map(Pace::Depth))
            .or(self.nodes.map(Pace::Nodes))
            .or(self.move_time.map(Pace::Move))
            .or(self.clock)
    }
}

impl Report {
    fn of(standing: &Standing, contest: &Contest, seed: u64) -> Report {
        let elo = standing.tally.elo();
        Report {
            games: standing.tally.games(),
            wins: standing.tally.wins,
            draws: standing.tally.draws,
            losses: standing.tally.losses,
            score: standing.tally.score(),
            elo: elo.difference,
            elo_error: elo.error,
            illegal: standing.illegal,
            timeouts: standing.timeouts,
            failures: standing.failures,
            overshoot: standing.overshoot.as_secs_f64(),
            seed,
            sprt: contest.sprt.map(|sprt| SprtReport::of(sprt, &standing.tally)),
        }
    }
}

impl SprtReport {
    fn of(sprt: Sprt, tally: &Tally) -> SprtReport {
        let [elo0, elo1] = sprt.elo();
        let decision = word(sprt.decision(tally));
        SprtReport { elo0, elo1, ratio: sprt.ratio(tally), bound: Sprt::BOUND, decision }
    }
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Accepted => "accepted",
        Decision::Rejected => "rejected",
        Decision::Open => "open",
    }
}

/// The standing on one line.
fn summary(standing: &Standing, sprt: Option<Sprt>) -> String {
    let tally = &standing.tally;
    let result = format!(
        "{} games: +{} ={} -{}, {:.1} %, {}",
        tally.games(),
        tally.wins,
        tally.draws,
        tally.losses,
        tally.score() * 100.0,
        elo(tally, 1)
    );
    let Some(sprt) = sprt else { return result };
    let SprtReport { elo0, elo1, ratio, bound, decision } = SprtReport::of(sprt, tally);
    format!("{result}, SPRT [{elo0}, {elo1}] {ratio:+.2} of ±{bound:.2} {decision}")
}

/// The difference in strength with so many decimals, if the results tell one.
fn elo(tally: &Tally, decimals: usize) -> String {
    if !tally.is_telling() {
        return "Elo unknown yet".to_owned();
    }
    let elo = tally.elo();
    format!("Elo {:+.decimals$} ± {:.decimals$}", elo.difference, elo.error)
}

fn append(path: &Path) -> anyhow::Result<File> {
    let file = File::options().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

fn games(text: &str) -> anyhow::Result<usize> {
    whole_number(text, MAX_GAMES)
}

fn clock(text: &str) -> anyhow::Result<Pace> {
    let (time, increment) = text.split_once('+').context("write TIME+INCREMENT in seconds, as 60+0.5")?;
    Ok(Pace::Clock { time: seconds(time)?, increment: seconds(increment)? })
}

fn sprt(elo0: f64, elo1: f64) -> anyhow::Result<Sprt> {
    Sprt::new(elo0, elo1).ok_or_else(|| {
        let message = format!("--sprt {elo0} {elo1}: write two differences in Elo, the smaller one first");
        wrong_usage("match", message)
    })
}

fn levels(text: &str) -> anyhow::Result<(Level, Level)> {
    let level = |text: &str| text.trim().parse().ok().and_then(Level::new);
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let range = level(from).zip(level(to)).filter(|(from, to)| from < to);
    range.context("write FROM-TO with levels from 1 to 8, as 1-8")
}
