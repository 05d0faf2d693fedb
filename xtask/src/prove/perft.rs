//! Depth 12 from the start, as published, counted in both ways by the program itself.

use std::process::Command;

use anyhow::{Context, bail};

use crate::steps::cargo;

const PUBLISHED: &str = "perft(12) = 388623673 from B:W21-32:B1-12";

pub(crate) fn prove() -> anyhow::Result<()> {
    cargo("program", &["build", "--release", "--package", "crownhead"], &[])?;
    for way in [&[][..], &["--no-bulk"]] {
        let output = Command::new("target/release/crownhead")
            .args(["perft", "12"])
            .args(way)
            .output()
            .context("cannot start the program")?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        if !text.lines().any(|line| line == PUBLISHED) {
            bail!("the count differs from the published one: {PUBLISHED}");
        }
    }
    Ok(())
}
