//! Scripted players over real sockets, for tests and measurements of the server.
//!
//! A [`Browser`] has a cookie and asks over HTTP; a [`Guest`] follows one game over a WebSocket, keeps its log, and
//! behaves as the page does: it resumes where it was and sends again what was not acknowledged. [`whole_game`] is two of
//! them, [`bad_road`] a network to try them, and [`Postgres`] a database that is thrown away.

mod browser;
mod guest;
mod lottery;
mod postgres;
mod road;
mod table;

pub use browser::{Answer, Browser};
pub use guest::{Guest, Lost};
pub use lottery::Lottery;
pub use postgres::Postgres;
pub use road::bad_road;
pub use table::whole_game;
