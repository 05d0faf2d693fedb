//! Games between people over real sockets, on SQLite and on PostgreSQL.

mod clocks;
mod cluster;
mod cookies;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod durable;
mod harness;
mod hostile;
mod link;
mod listener;
mod logs;
mod network;
mod play;
mod promises;
mod rates;
mod rights;
mod store;
mod withdrawal;
