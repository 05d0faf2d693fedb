//! The whole program as a user runs it: arguments in, output and exit code out.

mod analyze;
mod book;
mod cluster;
mod faults;
mod host;
mod hub;
mod kills;
mod match_play;
mod pdn;
mod perft;
mod serve;
mod tablebase;
mod train;

use std::process::{Command, Output};

/// Runs the program with these arguments.
fn crownhead(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crownhead")).args(arguments).output().expect("the program starts")
}

/// What a successful run prints.
fn stdout(arguments: &[&str]) -> String {
    let output = crownhead(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the program prints text")
}

/// The exit code and the message of a failing run.
fn failure(arguments: &[&str]) -> (Option<i32>, String) {
    let output = crownhead(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).expect("the program prints text"))
}
