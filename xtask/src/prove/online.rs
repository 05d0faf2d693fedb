//! Games over a link: servers that are killed, hostile messages, bad networks, faults of the host, floods, and many games
//! at once.

use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::need;
use crate::steps::{cargo, run};

const KILLS: &str = "200";
const MESSAGES: &str = "100000";
const GAMES: &str = "200";

/// Two hundred kills on each database: nothing lost, nothing played twice.
pub(crate) fn prove_kills() -> anyhow::Result<()> {
    need::program("pg_ctlcluster", "postgresql")?;
    let test = [
        "test",
        "--package",
        "crownhead",
        "--test",
        "program",
        "kills::",
        "--",
        "--nocapture",
        "--test-threads=1",
    ];
    cargo("killed servers", &test, &[("CROWNHEAD_SERVER_KILLS", KILLS)])
}

/// A hundred thousand hostile messages.
pub(crate) fn prove_messages() -> anyhow::Result<()> {
    need::program("pg_ctlcluster", "postgresql")?;
    let test =
        ["test", "--package", "crownhead-server", "--test", "online", "hostile::", "--", "--nocapture"];
    cargo("hostile messages", &test, &[("CROWNHEAD_MESSAGES", MESSAGES)])
}

/// Two hundred games over bad networks on each database, all at once: nothing lost, nothing played twice.
pub(crate) fn prove_network() -> anyhow::Result<()> {
    need::program("pg_ctlcluster", "postgresql")?;
    let test =
        ["test", "--package", "crownhead-server", "--test", "online", "network::", "--", "--nocapture"];
    cargo("bad networks", &test, &[("CROWNHEAD_GAMES", GAMES)])
}

/// Full disks, pauses, stalls and steps of the wall clock: nothing acknowledged is lost, and nobody pays for the time.
pub(crate) fn prove_faults() -> anyhow::Result<()> {
    need::program("pg_ctlcluster", "postgresql")?;
    need::program("faketime", "faketime")?;
    need::program("python3", "python3")?;
    prove("faults", "target/release/faults target/release/crownhead")
}

/// One address that opens sockets, asks for rematches and asks for unknown games as fast as it can.
pub(crate) fn prove_flood() -> anyhow::Result<()> {
    need::program("prlimit", "util-linux")?;
    prove("flood", "target/release/flood target/release/crownhead")
}

/// The moves a second that this server holds beside those of an older one.
pub(crate) fn prove_throughput(old: Option<&Path>) -> anyhow::Result<()> {
    let old = old.context("give the program of another version to measure beside: --file PROGRAM")?;
    need::program("pg_ctlcluster", "postgresql")?;
    build()?;
    let command = "ulimit -n 20000; exec target/release/throughput target/release/crownhead \"$0\"";
    run("throughput", Command::new("sh").args(["-c", command]).arg(old))
}

/// A thousand games with a move a second, and five thousand idle connections, beside a bare echo.
pub(crate) fn prove_load() -> anyhow::Result<()> {
    prove("load", "target/release/load target/release/crownhead")
}

/// Builds the program and runs a command of ours against it.
fn prove(what: &str, command: &str) -> anyhow::Result<()> {
    build()?;
    // Each connection is an open file at both ends.
    run(what, Command::new("sh").args(["-c", &format!("ulimit -n 20000; exec {command}")]))
}

fn build() -> anyhow::Result<()> {
    cargo("the program", &["build", "--release", "--package", "crownhead"], &[])?;
    cargo("the testkit", &["build", "--release", "--package", "crownhead-testkit"], &[])
}
