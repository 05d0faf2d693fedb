//! Random bytes against whatever reads text, ten minutes for each target.

use std::fs;
use std::process::Command;

use anyhow::Context;

use crate::steps::run;

const TARGETS: [&str; 3] = ["fen", "moves", "pdn"];
const SECONDS_EACH: u32 = 600;

/// Needs a nightly compiler and `cargo install cargo-fuzz`. There is no unsafe code to sanitize, and without that
/// it runs ten times as fast.
pub(crate) fn prove() -> anyhow::Result<()> {
    for target in TARGETS {
        let (found, kept) = (format!("fuzz/corpus/{target}"), format!("fuzz/corpus-kept/{target}"));
        fs::create_dir_all(&found).with_context(|| format!("cannot create {found}"))?;
        let mut fuzz = Command::new("rustup");
        fuzz.args(["run", "nightly", "cargo", "fuzz", "run", "--sanitizer", "none", target, &found, &kept]);
        fuzz.args(["--", &format!("-max_total_time={SECONDS_EACH}"), "-max_len=2048"]);
        run(&format!("fuzzing {target}"), &mut fuzz)?;
    }
    Ok(())
}
