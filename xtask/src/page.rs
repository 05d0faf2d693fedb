//! The tests of the page: types, view logic, and a real browser on the real program.

use std::process::Command;

use crate::need;
use crate::steps::{cargo, run};

const FOLDER: &str = "web/tests";

/// Installs what is missing and runs them.
pub(crate) fn test() -> anyhow::Result<()> {
    for (name, package) in [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")] {
        need::program(name, package)?;
    }
    run("page: packages", npm().args(["ci", "--no-audit", "--no-fund"]))?;
    run("page: types", npm().args(["run", "--silent", "types"]))?;
    cargo("page: the program", &["build", "--package", "crownhead"], &[])?;
    run("page: tests", npm().args(["run", "--silent", "test"]))
}

fn npm() -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(FOLDER);
    npm
}
