//! What the engine promises: it keeps its time, stops when told to, solves studies and orders its levels.

use std::path::Path;

use anyhow::Context;

use crate::steps::cargo;

/// A thousand games at 10 ms + 1 ms where each node takes 250 ns, then 200 at 1 s + 10 ms on the real clock.
pub(crate) fn clock() -> anyhow::Result<()> {
    let by_nodes = "self,node-ns=250";
    contest("clock by nodes", &[by_nodes, by_nodes, "--clock", "0.01+0.001", "--games", "1000"])?;
    contest("real clock", &["self", "self", "--clock", "1+0.01", "--games", "200"])
}

/// Each level against the one below and the lowest against the anchors, 200 games each.
pub(crate) fn levels() -> anyhow::Result<()> {
    contest("levels", &["--levels", "1-8", "--neighbours", "--games", "200", "--concurrency", "2"])
}

/// Against the evaluation written by hand at 100 ms and at 20 ms a move, and fast games in which nothing may go wrong.
pub(crate) fn strength() -> anyhow::Result<()> {
    let by_hand = "self,weights=hand";
    for time in ["0.1", "0.02"] {
        let pace = ["self", by_hand, "--ballots", "--move-time", time, "--concurrency", "2"];
        contest(&format!("{time} s a move"), &pace)?;
    }
    contest("fast games", &["self", "self", "--nodes", "300", "--games", "10000", "--concurrency", "2"])
}

/// The delay of a stop. Only on a machine at rest.
pub(crate) fn stop() -> anyhow::Result<()> {
    example("stop", &["1000"])
}

/// The studies and decisive games of a file, a second each.
pub(crate) fn studies(file: Option<&Path>) -> anyhow::Result<()> {
    let file = file.and_then(Path::to_str).context("give the games with --file FILE.pdn")?;
    example("solve", &[file])
}

fn contest(what: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let run = ["run", "--release", "--package", "crownhead", "--", "match", "--no-forfeits"];
    cargo(what, &[&run[..], arguments].concat(), &[])
}

fn example(name: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let run = ["run", "--release", "--package", "crownhead-lab", "--example", name, "--"];
    cargo(name, &[&run[..], arguments].concat(), &[])
}
