//! The tests of the page: types, view logic, and a real browser on the real program; and the figures that depend on the
//! machine.

use std::env;
use std::process::Command;

use crate::need;
use crate::steps::{cargo, run};

const TESTS: &str = "web/tests";
const FIGURES: &str = "web/tests/figures";

/// Installs what is missing and runs the tests with the built program.
pub(crate) fn test() -> anyhow::Result<()> {
    install(TESTS)?;
    run("page: types", npm(TESTS).args(["run", "--silent", "types"]))?;
    run("page: tests", npm(TESTS).args(["run", "--silent", "test"]))
}

/// Lighthouse, and how fast the page, its worker and the server of a release build answer.
pub(crate) fn figures() -> anyhow::Result<()> {
    install(TESTS)?;
    install(FIGURES)?;
    cargo("page: the program", &["build", "--release", "--package", "crownhead"], &[])?;
    let program = env::current_dir()?.join("target/release/crownhead");
    run("page: figures", npm(FIGURES).args(["run", "--silent", "figures"]).env("CROWNHEAD", program))
}

fn install(folder: &str) -> anyhow::Result<()> {
    for (name, package) in [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")] {
        need::program(name, package)?;
    }
    run("page: packages", npm(folder).args(["ci", "--no-audit", "--no-fund"]))
}

fn npm(folder: &str) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(folder);
    npm
}
