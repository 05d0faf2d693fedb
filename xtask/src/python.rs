//! Programs that pip installs, each into a virtual environment of its own under `target/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::need;
use crate::steps::run;

/// The folder with the programs of an environment in which a package is installed, pinned as `NAME==VERSION`.
pub(crate) fn environment(name: &str, package: &str) -> anyhow::Result<PathBuf> {
    let folder = Path::new("target").join(name);
    let programs = folder.join("bin");
    let python = programs.join("python");
    if !python.is_file() {
        need::program("python3", "python3")?;
        let make = || {
            run(&format!("{name}: environment"), Command::new("python3").args(["-m", "venv"]).arg(&folder))
        };
        // Debian keeps the module in a package of its own.
        if make().is_err() {
            need::install("the module venv of python3", "python3-venv")?;
            make()?;
        }
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package];
    run(&format!("{name}: package"), Command::new(&python).args(install))?;
    Ok(programs)
}
