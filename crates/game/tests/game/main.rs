//! A game from outside: commands in, events, effects and views out.

mod clocks;
mod lag;
mod link;
mod log;
mod offers;
mod properties;
mod rulebooks;
mod selection;
mod silence;
mod snapshot;
mod table;
mod undo;
mod view;
