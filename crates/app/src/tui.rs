//! The terminal user interface: full screen (ratatui), or line by line.

mod app;
mod board;
mod canvas;
mod choices;
mod dialog;
mod game_screen;
mod grid;
mod help;
mod hints;
mod keys;
mod layout;
mod look;
mod options;
mod panel;
mod pdn_file;
mod plain;
mod recorded;
mod rgb;
mod run;
mod saved_games;
mod scene;
mod session;
mod setup;
mod terminal;
#[cfg(test)]
mod tests;
mod text_board;
mod thinker;
mod viewer;
mod words;

pub(crate) use look::{Charset, Colours, Wish};
pub(crate) use options::{Options, SideWish, usual_level};
pub(crate) use plain::play_plain;
pub(crate) use run::play;
