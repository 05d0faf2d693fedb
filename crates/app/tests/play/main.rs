//! `crownhead play` as people use it: in a real pseudo-terminal, and line by line through pipes.

#![cfg(unix)]

mod plain;
mod screen;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};

use crownhead_game::{Game, Record};

/// The program.
fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_crownhead"))
}

/// The game that is kept in a data folder, as far as it is written.
fn kept_game(data: &Path) -> Option<Game> {
    let entry = fs::read_dir(data.join("unfinished")).ok()?.flatten().next()?;
    let text = fs::read_to_string(entry.path()).ok()?;
    let log: Vec<Record> = text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    Game::replay(&log).ok()
}
