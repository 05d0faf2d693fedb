//! `cargo xtask test` runs everything that must hold; `cargo xtask prove NAME` the same with larger counts.

mod need;
mod page;
mod picture;
mod prove;
mod steps;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "The chores of the project")]
struct Xtask {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what is missing and run all checks and tests.
    Test,
    /// Draw the picture of the terminal for the README anew.
    Picture,
    /// Run one of the long proofs.
    Prove { proof: prove::Proof },
}

fn main() -> ExitCode {
    let done = match Xtask::parse().chore {
        Chore::Test => steps::test(),
        Chore::Picture => picture::take(),
        Chore::Prove { proof } => proof.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(1)
        }
    }
}
