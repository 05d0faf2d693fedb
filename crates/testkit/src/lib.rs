//! Scripted clients, faulty networks and throwaway databases, for tests and measurements of the server.
//!
//! A [`Browser`] holds a cookie and sends HTTP requests; a [`GameClient`] follows one game over a WebSocket, keeps its
//! log, and behaves as the page does: it resumes where it was and resends what was not acknowledged.
//! [`play_random_game`] plays two of them against each other, a [`FaultyProxy`] gives them a bad network, and
//! [`Postgres`] is a throwaway database.
//!
//! A [`ServerProcess`] is a server in a process of its own. [`faults`] injects what real hosts see: a full
//! [`SmallDisk`], pauses, locks and a wall clock that jumps. [`load`] and [`echo`] measure latency, if need be with the
//! database behind a [`DelayProxy`].

mod browser;
mod client;
mod delay_proxy;
pub mod echo;
pub mod faults;
mod faulty_proxy;
mod latencies;
pub mod load;
mod postgres;
mod random_game;
mod server_process;
mod small_disk;

pub use browser::{Browser, Response};
pub use client::{Disconnected, GameClient};
pub use delay_proxy::DelayProxy;
pub use faulty_proxy::FaultyProxy;
pub use latencies::Latencies;
pub use postgres::Postgres;
pub use random_game::play_random_game;
pub use server_process::{ServerProcess, free_port, generous_limits, interrupted, log_to, options, serve};
pub use small_disk::SmallDisk;
pub use tokio_tungstenite::tungstenite::Message;
