//! The description of the server's API held against the server itself: `schemathesis` asks it what the
//! description allows and what it does not, and looks at every answer.

use std::io::{BufRead, BufReader};
use std::path::absolute;
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::python;
use crate::steps::{PROGRAM, run};

const CLIENT: &str = "schemathesis==4.32.5";
const CONFIGURATION: &str = "xtask/schemathesis.toml";
const DATA: &str = "target/proof-of-the-api";
/// As many as nobody invites to.
const GAMES: &str = "1000000";

/// Asks the built program with so many examples for each address and method.
pub(crate) fn test(examples: u32) -> anyhow::Result<()> {
    let programs = python::environment("schemathesis", CLIENT)?;
    let (mut server, address) = serve()?;
    // It leaves notes where it is started.
    let asked = run(
        "api: questions",
        Command::new(absolute(programs.join("st"))?)
            .current_dir(DATA)
            .arg("--config-file")
            .arg(absolute(CONFIGURATION)?)
            .args(["run", &format!("{address}api/openapi.json"), "--no-color"])
            .args(["--max-examples", &examples.to_string(), "--seed", "1", "--generation-database", "none"]),
    );
    server.kill().and_then(|()| server.wait()).context("the server does not end")?;
    asked
}

/// A server of our own, and its address.
fn serve() -> anyhow::Result<(Child, String)> {
    let mut server = Command::new(PROGRAM)
        .args(["serve", "--no-open", "--port", "0", "--data", DATA])
        .args(["--max-games-per-browser", GAMES, "--max-games-per-address", GAMES])
        .args(["--max-starts-per-minute", GAMES, "--max-games-per-address-per-day", GAMES])
        .args(["--max-requests-per-second", GAMES, "--max-connections-per-minute", GAMES])
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {PROGRAM}"))?;
    let mut line = String::new();
    BufReader::new(server.stdout.take().context("the server has no output")?).read_line(&mut line)?;
    let address = line.split(' ').find(|word| word.starts_with("http://"));
    let address = address.with_context(|| format!("the server says {line:?}, not where it is"))?.to_owned();
    Ok((server, address))
}
