//! The engine asked by a foreign client: `pydraughts`, installed by pip into a virtual environment under `target/`.

use std::path::Path;
use std::process::Command;

use crate::need;
use crate::steps::{cargo, run};

const ENVIRONMENT: &str = "target/pydraughts";
const CLIENT: &str = "pydraughts==0.6.7";
const SCRIPT: &str = "crates/app/tests/hub_client.py";

/// Installs what is missing and plays so many games.
pub(crate) fn test(games: usize) -> anyhow::Result<()> {
    let python = Path::new(ENVIRONMENT).join("bin/python");
    if !python.is_file() {
        need::program("python3", "python3")?;
        let make = || run("hub: environment", Command::new("python3").args(["-m", "venv", ENVIRONMENT]));
        // Debian keeps the module in a package of its own.
        if make().is_err() {
            need::install("the module venv of python3", "python3-venv")?;
            make()?;
        }
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", CLIENT];
    run("hub: client", Command::new(&python).args(install))?;
    cargo("hub: the program", &["build", "--package", "crownhead"], &[])?;
    let program = "target/debug/crownhead";
    run("hub: games", Command::new(&python).args([SCRIPT, program, &games.to_string()]))
}
