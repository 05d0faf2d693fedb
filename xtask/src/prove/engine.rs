//! What the engine promises: it keeps its time, stops when told to, solves studies and orders its levels.

use std::ops::RangeInclusive;
use std::path::{Path, absolute};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::steps::{cargo, cargo_output, run};

/// What a level scores against the one below.
const STEP: RangeInclusive<f64> = 0.64..=0.85;
/// What the lowest level scores at least against who plays any move, and at most against who looks two plies ahead.
const LOWEST_AGAINST_RANDOM: f64 = 0.6;
const LOWEST_AGAINST_NOVICE: f64 = 0.4;
/// The learned evaluation is at least so much stronger than the one written by hand, in Elo, with its time and with less.
const STRONGER: [(&str, f64); 2] = [("0.1", 30.0), ("0.02", 0.0)];
/// The commit before principal variation search: iterative deepening, hash table, quiescence.
const BASELINE: &str = "c4e34f7";
/// Wins for every loss, there and against the baseline.
const WINS_FOR_A_LOSS: f64 = 3.0;
/// What two threads score at least against one.
const TWO_THREADS: f64 = 0.5;

/// A thousand games at 10 ms + 1 ms where each node takes 250 ns, then 200 at 1 s + 10 ms on the real clock: the engine
/// as it ships, with its tables.
pub(crate) fn clock() -> anyhow::Result<()> {
    let by_nodes = "level=8,node-ns=250";
    contest("clock by nodes", &[by_nodes, by_nodes, "--clock", "0.01+0.001", "--games", "1000"])?;
    contest("real clock", &["level=8", "level=8", "--clock", "1+0.01", "--games", "200"])
}

/// Positions a second. Only on a machine at rest.
pub(crate) fn speed() -> anyhow::Result<()> {
    example("speed", &[])
}

/// The search against what it began with, both with the evaluation written by hand, at 100 ms a move over all crossboard
/// ballots from both sides.
pub(crate) fn baseline() -> anyhow::Result<()> {
    let program = program_of(BASELINE)?;
    let opponent = format!("hub:{program} hub");
    let players = ["self,weights=hand", &opponent];
    let pace = ["--ballots", "--move-time", "0.1", "--concurrency", "2", "--json"];
    judge("the baseline", &[&players[..], &pace].concat(), 30.0)
}

/// The program of an earlier commit, built in a work tree of its own.
fn program_of(commit: &str) -> anyhow::Result<String> {
    let folder = absolute(Path::new("target/earlier").join(commit))?;
    let tree = folder.to_str().context("the folder has a name that is no text")?;
    if !folder.exists() {
        run("work tree", Command::new("git").args(["worktree", "add", "--detach", tree, commit]))?;
    }
    run("earlier program", Command::new("cargo").args(["build", "--release"]).current_dir(&folder))?;
    Ok(format!("{tree}/target/release/crownhead"))
}

/// Each level against the one below and the lowest against the anchors, 200 games each, as `docs/strength.md` tells it.
pub(crate) fn levels() -> anyhow::Result<()> {
    let games = ["--neighbours", "--games", "200", "--seed", "20"];
    let arguments = [&["--levels", "1-8", "--concurrency", "2", "--json"][..], &games].concat();
    let report = reported("levels", &arguments)?;
    let rows = report["table"].as_array().context("there is no table")?;
    for row in rows {
        let (name, score) = (format!("{} - {}", row["a"], row["b"]), score(row)?);
        println!("{name}: {:.1} %", 100.0 * score);
        let right = match row["b"].as_str() {
            Some("random") => score >= LOWEST_AGAINST_RANDOM,
            Some("novice") => score <= LOWEST_AGAINST_NOVICE,
            _ => STEP.contains(&score),
        };
        ensure!(right, "{name} is not as far apart as it should be");
    }
    Ok(())
}

/// Against the evaluation written by hand at 100 ms and at 20 ms a move, and fast games in which nothing may go wrong.
pub(crate) fn strength() -> anyhow::Result<()> {
    let by_hand = "self,weights=hand";
    for (time, least) in STRONGER {
        let pace = ["self", by_hand, "--ballots", "--move-time", time, "--concurrency", "2", "--json"];
        judge(&format!("{time} s a move"), &pace, least)?;
    }
    contest("fast games", &["self", by_hand, "--nodes", "300", "--games", "10000", "--concurrency", "2"])
}

/// Two threads against one with the same time for a move, one game at a time. Only on a machine with two cores at rest.
pub(crate) fn threads() -> anyhow::Result<()> {
    let pace = ["--move-time", "0.05", "--games", "200", "--concurrency", "1", "--seed", "1", "--json"];
    let report = reported("two threads", &[&["self,threads=2", "self"][..], &pace].concat())?;
    println!("{report}");
    let score = score(&report)?;
    println!("two threads against one: {:.1} %", 100.0 * score);
    ensure!(score >= TWO_THREADS, "two threads are weaker than one");
    Ok(())
}

/// The delay of a stop. Only on a machine at rest.
pub(crate) fn stop() -> anyhow::Result<()> {
    example("stop", &["1000"])
}

/// The studies and decisive games of a file, a second each. Passes by the games that were lost when the engine is asked; what
/// it sees of all of them is told beside.
pub(crate) fn studies(file: Option<&Path>) -> anyhow::Result<()> {
    let file = file.and_then(Path::to_str).context("give the games with --file FILE.pdn")?;
    example("studies", &[file])
}

/// Plays a match and fails if the first player is not so many Elo stronger or wins too seldom.
fn judge(what: &str, arguments: &[&str], least: f64) -> anyhow::Result<()> {
    let report = reported(what, arguments)?;
    println!("{report}");
    let [wins, losses, elo, error] = numbers(&report, ["wins", "losses", "elo", "elo_error"])?;
    ensure!(elo - error > least, "{what}: it is not {least} Elo stronger");
    ensure!(wins >= WINS_FOR_A_LOSS * losses, "{what}: it wins too seldom");
    Ok(())
}

/// The share of the points that the first player of a row got.
fn score(row: &Value) -> anyhow::Result<f64> {
    let [wins, draws, losses] = numbers(row, ["wins", "draws", "losses"])?;
    Ok((wins + draws / 2.0) / (wins + draws + losses))
}

fn numbers<const N: usize>(report: &Value, keys: [&str; N]) -> anyhow::Result<[f64; N]> {
    let mut numbers = [0.0; N];
    for (number, key) in numbers.iter_mut().zip(keys) {
        *number = report[key].as_f64().with_context(|| format!("the report has no {key}"))?;
    }
    Ok(numbers)
}

const MATCH: [&str; 7] = ["run", "--release", "--package", "crownhead", "--", "match", "--no-forfeits"];

/// Plays a match and reads what it reports as JSON.
fn reported(what: &str, arguments: &[&str]) -> anyhow::Result<Value> {
    let report = cargo_output(what, &[&MATCH[..], arguments].concat())?;
    serde_json::from_slice(&report).with_context(|| format!("{what}: the report cannot be read"))
}

fn contest(what: &str, arguments: &[&str]) -> anyhow::Result<()> {
    cargo(what, &[&MATCH[..], arguments].concat(), &[])
}

fn example(name: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let run = ["run", "--release", "--package", "crownhead-engine", "--example", name, "--"];
    cargo(name, &[&run[..], arguments].concat(), &[])
}
