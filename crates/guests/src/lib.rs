//! Scripted players over real sockets, for tests and measurements of the server.
//!
//! A [`Browser`] has a cookie and asks over HTTP; a [`Guest`] follows one game over a WebSocket, keeps its log, and
//! behaves as the page does: it resumes where it was and sends again what was not acknowledged. [`whole_game`] is two of
//! them, [`bad_road`] a network to try them, and [`Postgres`] a database that is thrown away.
//!
//! A [`Server`] is a process of its own. [`faults`] does to it what real hosts do: a full [`SmallDisk`], pauses, locks and
//! a wall clock that jumps. [`games`] and [`echo`] measure, if need be with the database behind a [`DelayProxy`].

mod browser;
mod delay_proxy;
pub mod echo;
pub mod faults;
pub mod games;
mod guest;
mod lottery;
mod postgres;
mod road;
mod server;
mod small_disk;
mod table;
mod times;

pub use browser::{Answer, Browser};
pub use delay_proxy::DelayProxy;
pub use guest::{Guest, Lost};
pub use lottery::Lottery;
pub use postgres::Postgres;
pub use road::bad_road;
pub use server::{Server, free_port, generous_limits, interrupted, log_to, options, serve};
pub use small_disk::SmallDisk;
pub use table::whole_game;
pub use times::Times;
