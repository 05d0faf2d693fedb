//! `cargo xtask test` runs everything that must hold; `cargo xtask prove NAME` the same with larger counts.

mod api;
mod hub;
mod need;
mod page;
mod picture;
mod prove;
mod python;
mod steps;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Prove {
        proof: prove::Proof,
        /// The games or the older program that some proofs ask for.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match Xtask::parse().chore {
        Chore::Test => steps::test(),
        Chore::Picture => picture::take(),
        Chore::Prove { proof, file } => proof.run(file.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(1)
        }
    }
}
