//! Depth 12 from the start, as published, counted in both ways by the program itself.

use std::process::Command;

use anyhow::{Context, bail};

const PUBLISHED: &str = "perft(12) = 388623673 from B:W21-32:B1-12";

pub(crate) fn prove() -> anyhow::Result<()> {
    for way in [&[][..], &["--no-bulk"]] {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["run", "--quiet", "--release", "--package", "crownhead", "--", "perft", "12"])
            .args(way)
            .output()
            .context("cannot start the program")?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        if !output.status.success() {
            bail!("the program failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        if !text.lines().any(|line| line == PUBLISHED) {
            bail!("the count differs from the published one: {PUBLISHED}");
        }
    }
    Ok(())
}
