//! Games over a link: servers that are killed, hostile messages, bad networks, and many games at once.

use std::process::Command;

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

/// A thousand games with a move a second, and five thousand idle connections, beside a bare echo.
pub(crate) fn prove_load() -> anyhow::Result<()> {
    cargo("the program", &["build", "--release", "--package", "crownhead"], &[])?;
    cargo("the guests", &["build", "--release", "--package", "crownhead-guests"], &[])?;
    // Each connection is an open file at both ends.
    let command = "ulimit -n 20000; exec target/release/load target/release/crownhead";
    run("load", Command::new("sh").args(["-c", command]))
}
