//! `crownhead play` as people use it: line by line through pipes.

#![cfg(unix)]

mod plain;

use std::path::PathBuf;

/// The program.
fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_crownhead"))
}
