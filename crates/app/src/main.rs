//! The program `crownhead`: reads the command line, runs one command, and maps what went wrong to an exit code.

mod atomic_file;
mod cli;
mod stderr;
mod tui;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use cli::interrupt::{self, Interrupted};
use stderr::tell;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(usage) = error.downcast_ref::<clap::Error>() {
                // A closed stderr is not a failure.
                let _ = usage.print();
                return ExitCode::from(2);
            }
            if error.is::<Interrupted>() {
                return ExitCode::from(interrupt::EXIT_CODE);
            }
            tell(format_args!("crownhead: {error:#}"));
            ExitCode::from(1)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        // JSON keeps the error of the pipe to itself.
        let json_error = || cause.downcast_ref::<serde_json::Error>()?.io_error_kind();
        io_error.or_else(json_error) == Some(io::ErrorKind::BrokenPipe)
    })
}
