//! `crownhead match`: plays engine matches and reports the Elo difference, with an optional SPRT.

mod round_robin;

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use crownhead_engine::Level;
use crownhead_engine::StopFlag;
use crownhead_match::rating::{Decision, Results, Sprt};
use crownhead_match::{self as matches, MatchStats, Pairing, PlayerSpec, TimeControl};
use crownhead_rules::OpeningClass;
use crownhead_tablebase::Tablebase;
use serde::Serialize;

use super::interrupt::{Interrupted, stop_on_ctrl_c};
use super::tables::Tables;
use super::{nodes, plies, progress, seconds, thread_count, whole_number, wrong_usage};
use crate::stderr::tell;

/// Play a match between two players and report the Elo difference.
///
/// A player is `self` (this engine), `level=1` to `level=8`, `random`, `novice`, or a program that speaks the Hub
/// protocol: `hub:COMMAND`, with parameters that it offers `hub,book=false,hash=16:COMMAND`.
///
/// Options of `self` follow after commas: `self,hash=64,threads=2,nodes=5000`. `tablebase=DIR` adds endgame tables,
/// `weights=FILE` uses other weights, `weights=hand` the hand-written evaluation, and `node-ns=250` replaces the clock
/// by one that advances 250 nanoseconds per node, whatever the speed of the machine.
///
/// Ctrl-C ends the match and prints the result so far.
#[derive(Args)]
#[command(name = "match")]
pub(crate) struct Match {
    /// The first player. Results are from its point of view.
    #[arg(default_value = "self")]
    first: PlayerSpec,
    /// The second player.
    #[arg(default_value = "self")]
    second: PlayerSpec,
    /// Games to play from random openings. Each opening is played once with each side, so an odd number is rounded up;
    /// an opening that repeats continues with a few random moves.
    #[arg(long, value_name = "N", default_value = "200", value_parser = games, conflicts_with = "ballots")]
    games: usize,
    /// Play every three-move opening of these classes, once with each side.
    #[arg(long, value_name = "CLASSES", num_args = 0..=1, require_equals = true, value_delimiter = ',')]
    #[arg(default_missing_value = "crossboard")]
    ballots: Option<Vec<ClassArg>>,
    /// Play a round robin of these levels instead, with the anchor players against the lowest level.
    #[arg(long, value_name = "FROM-TO", value_parser = levels, conflicts_with_all = NOT_WITH_LEVELS)]
    levels: Option<(Level, Level)>,
    /// With --levels, pair each level only with the one below.
    #[arg(long, requires = "levels", conflicts_with_all = NOT_WITH_LEVELS)]
    neighbours: bool,
    /// With --levels, games between levels that are not adjacent [default: as many as --games].
    #[arg(long, value_name = "N", value_parser = games, requires = "levels")]
    #[arg(conflicts_with_all = NOT_WITH_LEVELS, conflicts_with_all = ["neighbours", "ballots"])]
    games_of_others: Option<usize>,
    /// With --levels, plot the ratings as SVG.
    #[arg(long, value_name = "FILE", requires = "levels", conflicts_with_all = NOT_WITH_LEVELS)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    time_control: TimeControlArgs,
    /// Games to play in parallel.
    #[arg(long, value_name = "N", default_value = "1", value_parser = thread_count)]
    concurrency: NonZero<usize>,
    /// Stop when a sequential test (SPRT) accepts ELO0 or ELO1 as the difference, with 5 % errors of either kind.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Adjudicate games with the endgame tables of this folder [default: the built-in tables, so that a match has the
    /// same result everywhere].
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,
    /// Append each game to this PDN file as it ends.
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Fail if a game was forfeited: on time, by an illegal move or by a crashed program.
    #[arg(long)]
    no_forfeits: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClassArg {
    /// Openings for crossboard play.
    Crossboard,
    /// Openings for mail play only.
    MailPlay,
    /// Openings barred because they lose for one side.
    Barred,
}

/// The time control of both players.
#[derive(Args)]
#[group(multiple = false)]
struct TimeControlArgs {
    /// Search depth per move, in plies.
    #[arg(long, value_name = "PLIES", value_parser = plies)]
    depth: Option<u32>,
    /// Nodes to search per move. Gives the same result on every machine.
    #[arg(long, value_name = "N", value_parser = nodes)]
    nodes: Option<u64>,
    /// Time per move in seconds [default: 0.1, unless another time control is given].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Time per game and increment per move in seconds, such as 60+0.5.
    #[arg(long, value_name = "TIME+INCREMENT", value_parser = clock)]
    clock: Option<TimeControl>,
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
    /// The worst overshoot in seconds: the time a player took beyond its time per move or, with a game clock, beyond
    /// the time it had planned to take; beyond all its remaining time if it did not report a plan.
    overshoot: f64,
    seed: u64,
    sprt: Option<SprtReport>,
}

/// The state of the sequential probability ratio test.
#[derive(Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    ratio: f64,
    bound: f64,
    decision: &'static str,
}

const BAR: &str = "{elapsed_precise} {bar:24} {pos}/{len} {msg} ({eta} left)";
/// Enough games to resolve half an Elo point, with a list of openings that still fits in memory.
const MAX_GAMES: usize = 10_000_000;
/// Arguments that conflict with a round robin. The options of the round robin list them too: clap drops their
/// `requires = "levels"` as soon as an argument that conflicts with `--levels` is present.
const NOT_WITH_LEVELS: [&str; 3] = ["first", "second", "sprt"];
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(100);

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let stop = StopFlag::default();
        stop_on_ctrl_c(stop.clone()).context("cannot listen to Ctrl-C")?;
        match self.levels {
            Some(range) => round_robin::run(&self, range, &stop)?,
            None => self.run_two(&stop)?,
        }
        if stop.is_set() { Err(Interrupted.into()) } else { Ok(()) }
    }

    /// Plays a match between two players.
    fn run_two(&self, stop: &StopFlag) -> anyhow::Result<()> {
        let players = [self.first.clone(), self.second.clone()];
        let game_match = self.new_match(players, self.games, TimeControl::Move(DEFAULT_MOVE_TIME), stop)?;
        let stats = self.play(&game_match)?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &Report::of(&stats, &game_match, self.seed))?;
            writeln!(out)?;
            return self.check(&stats);
        }
        writeln!(out, "{} against {}, seed {}", self.first, self.second, self.seed)?;
        writeln!(out, "{}", summary(&stats, game_match.sprt))?;
        writeln!(
            out,
            "illegal moves {}, losses on time {}, programs that failed {}, largest overshoot {:.2} ms",
            stats.illegal,
            stats.timeouts,
            stats.failures,
            stats.overshoot.as_secs_f64() * 1e3
        )?;
        self.check(&stats)
    }

    /// With `--no-forfeits`, fails if any game was forfeited.
    fn check(&self, stats: &MatchStats) -> anyhow::Result<()> {
        let forfeits = stats.illegal + stats.timeouts + stats.failures;
        ensure!(
            !self.no_forfeits || forfeits == 0,
            "{forfeits} games were lost on time, by an illegal move or by a program that failed"
        );
        Ok(())
    }

    fn new_match(
        &self,
        players: [PlayerSpec; 2],
        games: usize,
        default: TimeControl,
        stop: &StopFlag,
    ) -> anyhow::Result<matches::Match> {
        Ok(matches::Match {
            players,
            time_control: self.time_control.get().unwrap_or(default),
            pairings: match &self.ballots {
                Some(classes) => {
                    let classes: Vec<OpeningClass> = classes.iter().map(|class| class.class()).collect();
                    Pairing::all_of(&classes, self.seed)
                }
                None => Pairing::random(games.div_ceil(2), self.seed),
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

    /// Plays a match under a progress bar and appends each game to the file as it ends, so that a later failure loses
    /// none. If a game cannot be written, the match ends.
    fn play(&self, game_match: &matches::Match) -> anyhow::Result<MatchStats> {
        let mut file = self.pdn.as_deref().map(append).transpose()?;
        let [first, second] = &game_match.players;
        let event = format!("{first} - {second}");
        let bar = progress::bar(game_match.pairings.len() as u64 * 2, BAR);
        let mut so_far = MatchStats::default();
        let mut written = Ok(());
        let result = game_match.play(&mut |stats, round, game| {
            bar.set_position(stats.results.games());
            bar.set_message(summary(stats, game_match.sprt));
            so_far.clone_from(stats);
            if let Some(reason) = game.illegal.as_ref().or(game.failure.as_ref()) {
                bar.suspend(|| tell(format_args!("crownhead: game {} is forfeited by {reason}", round + 1)));
            }
            if let Some(file) = file.as_mut().filter(|_| written.is_ok()) {
                written = file.write_all(format!("{}\n", game.to_pdn(&event, round + 1)).as_bytes());
                if written.is_err() {
                    game_match.stop.set();
                }
            }
        });
        bar.finish_and_clear();
        let result = written.context("cannot write the games").and(result.map_err(Into::into));
        if result.is_err() && so_far.results.games() > 0 {
            tell(format_args!("so far {}", summary(&so_far, game_match.sprt)));
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

impl TimeControlArgs {
    fn get(&self) -> Option<TimeControl> {
        None.or(self.depth.map(TimeControl::Depth))
            .or(self.nodes.map(TimeControl::Nodes))
            .or(self.move_time.map(TimeControl::Move))
            .or(self.clock)
    }
}

impl Report {
    fn of(stats: &MatchStats, game_match: &matches::Match, seed: u64) -> Report {
        let elo = stats.results.elo();
        Report {
            games: stats.results.games(),
            wins: stats.results.wins,
            draws: stats.results.draws,
            losses: stats.results.losses,
            score: stats.results.score(),
            elo: elo.difference,
            elo_error: elo.error,
            illegal: stats.illegal,
            timeouts: stats.timeouts,
            failures: stats.failures,
            overshoot: stats.overshoot.as_secs_f64(),
            seed,
            sprt: game_match.sprt.map(|sprt| SprtReport::of(sprt, &stats.results)),
        }
    }
}

impl SprtReport {
    fn of(sprt: Sprt, results: &Results) -> SprtReport {
        let [elo0, elo1] = sprt.elo();
        let decision = word(sprt.decision(results));
        SprtReport { elo0, elo1, ratio: sprt.ratio(results), bound: Sprt::BOUND, decision }
    }
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Accepted => "accepted",
        Decision::Rejected => "rejected",
        Decision::Open => "open",
    }
}

/// The stats on one line.
fn summary(stats: &MatchStats, sprt: Option<Sprt>) -> String {
    let results = &stats.results;
    let result = format!(
        "{} games: +{} ={} -{}, {:.1} %, {}",
        results.games(),
        results.wins,
        results.draws,
        results.losses,
        results.score() * 100.0,
        elo(results, 1)
    );
    let Some(sprt) = sprt else { return result };
    let SprtReport { elo0, elo1, ratio, bound, decision } = SprtReport::of(sprt, results);
    format!("{result}, SPRT [{elo0}, {elo1}] {ratio:+.2} of ±{bound:.2} {decision}")
}

/// The Elo difference with this many decimals, if the results determine one.
fn elo(results: &Results, decimals: usize) -> String {
    if !results.has_elo() {
        return "Elo unknown yet".to_owned();
    }
    let elo = results.elo();
    format!("Elo {:+.decimals$} ± {:.decimals$}", elo.difference, elo.error)
}

fn append(path: &Path) -> anyhow::Result<File> {
    let file = File::options().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

fn games(text: &str) -> anyhow::Result<usize> {
    whole_number(text, MAX_GAMES)
}

fn clock(text: &str) -> anyhow::Result<TimeControl> {
    let (time, increment) = text.split_once('+').context("write TIME+INCREMENT in seconds, as 60+0.5")?;
    Ok(TimeControl::Clock { time: seconds(time)?, increment: seconds(increment)? })
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
