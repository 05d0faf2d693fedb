//! The steps of the test run, in order: the quick complaints first.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::{api, hub, need, page};

/// Games that another program's client plays with the engine in every run.
const HUB_GAMES: usize = 8;
/// Questions for each address of the server's API in every run.
const API_QUESTIONS: u32 = 20;

/// A target without a standard library.
const NO_STD: &str = "thumbv7em-none-eabi";

/// Where the program is once it is built.
pub(crate) const PROGRAM: &str = "target/debug/crownhead";

/// Builds the program where no tests have done so before.
pub(crate) fn build() -> anyhow::Result<()> {
    cargo("the program", &["build", "--package", "crownhead"], &[])
}

/// Format, lints, documentation, the rules without `std`, tests, the engine in a foreign hand, the API as it is described, the page.
pub(crate) fn test() -> anyhow::Result<()> {
    let started = Instant::now();
    cargo("formatting", &["fmt", "--all", "--check"], &[])?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo("documentation", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    need::target(NO_STD)?;
    let rules = ["build", "--package", "crownhead-rules", "--features", "serde", "--target", NO_STD];
    cargo("rules without std", &rules, &[])?;
    need::program("pg_ctlcluster", "postgresql")?;
    // These build the program too, which the steps after them use.
    cargo("tests", &["test", "--workspace"], &[])?;
    hub::test(HUB_GAMES)?;
    api::test(API_QUESTIONS)?;
    page::test()?;
    println!("xtask: everything holds ({:.0} s)", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs cargo and fails if it does.
pub(crate) fn cargo(what: &str, arguments: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<()> {
    run(what, cargo_with(arguments).envs(environment.iter().copied()))
}

/// The same with what is printed on stdout given back.
pub(crate) fn cargo_output(what: &str, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let mut command = cargo_with(arguments);
    println!("xtask: {what}: {command:?}");
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("{what}: cannot start cargo"))?;
    if !output.status.success() {
        bail!("{what} failed ({})", output.status);
    }
    Ok(output.stdout)
}

fn cargo_with(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments);
    cargo
}

/// Says what is being done, does it, and fails if the command does.
pub(crate) fn run(what: &str, command: &mut Command) -> anyhow::Result<()> {
    println!("xtask: {what}: {command:?}");
    let status = command
        .status()
        .with_context(|| format!("{what}: cannot start {}", command.get_program().display()))?;
    if !status.success() {
        bail!("{what} failed ({status})");
    }
    Ok(())
}
