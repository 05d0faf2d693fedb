//! Programs that the tests need: found, or installed where that is possible, or asked for in one line.

use std::env;
use std::path::Path;
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

/// Makes sure that the compiler can build for a target.
pub(crate) fn target(name: &str) -> anyhow::Result<()> {
    let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", name]).output()?;
    if Path::new(String::from_utf8_lossy(&libraries.stdout).trim()).is_dir() {
        return Ok(());
    }
    run(name, Command::new("rustup").args(["target", "add", name]))
}

fn is_on_path(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn is_root() -> bool {
    // Only root may read the passwords, so no library is needed to ask.
    std::fs::File::open("/etc/shadow").is_ok()
}
