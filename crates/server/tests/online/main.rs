//! Games between people over real sockets, on SQLite and on PostgreSQL.

mod clocks;
mod cookies;
#[cfg(target_os = "linux")]
mod disk;
mod door;
#[cfg(target_os = "linux")]
mod durable;
mod hostile;
mod house;
mod link;
mod logs;
mod neighbours;
mod network;
mod play;
mod promises;
mod rates;
mod rights;
mod store;
mod withdrawal;
