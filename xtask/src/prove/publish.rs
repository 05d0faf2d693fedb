//! Are the library crates ready for crates.io, and are the licences and sources of all dependencies allowed?

use std::process::{Command, Stdio};

use crate::steps::cargo;

/// The crates that other projects can depend on.
const LIBRARIES: [&str; 5] =
    ["crownhead-rules", "crownhead-pdn", "crownhead-tablebase", "crownhead-engine", "crownhead-game"];

/// Packages the libraries and builds each from its package alone.
pub(crate) fn prove_publish() -> anyhow::Result<()> {
    let mut arguments = vec!["publish", "--dry-run", "--allow-dirty"];
    arguments.extend(LIBRARIES.iter().flat_map(|library| ["--package", library]));
    cargo("publishable crates", &arguments, &[])
}

/// Checks `deny.toml`. Advisories need the internet; CONTRIBUTING.md has their command.
pub(crate) fn prove_deny() -> anyhow::Result<()> {
    let has_deny = Command::new("cargo-deny").arg("--version").stdout(Stdio::null()).status();
    if !has_deny.is_ok_and(|status| status.success()) {
        cargo("cargo-deny", &["install", "cargo-deny", "--locked"], &[])?;
    }
    cargo("licences and sources", &["deny", "check", "licenses", "bans", "sources"], &[])
}
