//! The game in the terminal, line by line.

mod grid;
mod options;
mod pdn_file;
mod plain;
mod recorded;
mod session;
mod shelf;
mod text_board;
mod thinker;
mod words;

pub(crate) use options::{Options, SideWish, usual_level};
pub(crate) use plain::play_plain;
