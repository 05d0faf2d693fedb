//! The engine asked by a foreign client: `pydraughts`, installed by pip.

use std::process::Command;

use crate::python;
use crate::steps::{PROGRAM, run};

const CLIENT: &str = "pydraughts==0.6.7";
const SCRIPT: &str = "crates/app/tests/hub_client.py";

/// Installs what is missing and plays so many games with the built program.
pub(crate) fn test(games: usize) -> anyhow::Result<()> {
    let programs = python::environment("pydraughts", CLIENT)?;
    run("hub: games", Command::new(programs.join("python")).args([SCRIPT, PROGRAM, &games.to_string()]))
}
