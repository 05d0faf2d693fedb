//! The engine asked by a foreign client: `pydraughts`, installed by pip.

use std::process::Command;

use crate::python;
use crate::steps::{cargo, run};

const CLIENT: &str = "pydraughts==0.6.7";
const SCRIPT: &str = "crates/app/tests/hub_client.py";

/// Installs what is missing and plays so many games.
pub(crate) fn test(games: usize) -> anyhow::Result<()> {
    let programs = python::environment("pydraughts", CLIENT)?;
    cargo("hub: the program", &["build", "--package", "crownhead"], &[])?;
    let program = "target/debug/crownhead";
    run("hub: games", Command::new(programs.join("python")).args([SCRIPT, program, &games.to_string()]))
}
