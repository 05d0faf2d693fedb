//! Programs that the tests need: found, or installed where that is possible, or asked for in one line.

use std::env;
use std::process::Command;

use anyhow::bail;

use crate::steps::run;

/// Makes sure that a program is there; `package` is the one of Debian that holds it.
pub(crate) fn program(name: &str, package: &str) -> anyhow::Result<()> {
    if is_on_path(name) {
        return Ok(());
    }
    install(name, package)?;
    if !is_on_path(name) {
        bail!("{name} is still missing after {package} was installed");
    }
    Ok(())
}

/// Installs what is missing from a package of Debian, or says what to do.
pub(crate) fn install(missing: &str, package: &str) -> anyhow::Result<()> {
    if !(is_on_path("apt-get") && is_root()) {
        bail!("{missing} is missing: install it (Debian's package {package}), then run this again");
    }
    run("package lists", Command::new("apt-get").args(["update", "-q"]))?;
    let install = ["install", "-q", "-y", "--no-install-recommends", package];
    run(package, Command::new("apt-get").args(install).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn is_on_path(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn is_root() -> bool {
    // Only root may read the passwords, so no library is needed to ask.
    std::fs::File::open("/etc/shadow").is_ok()
}
