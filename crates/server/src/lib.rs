//! The server: the page, which is embedded in the program, and what it needs over HTTP.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), crownhead_server::ServerError> {
//! use crownhead_server::{Config, Server};
//!
//! let server = Server::bind(Config { port: 0, ..Config::default() }).await?;
//! println!("http://{}/", server.address());
//! server.run(async { /* until this ends */ }).await?;
//! # Ok(())
//! # }
//! ```
//!
//! No engine runs here: the computer opponent thinks in the player's own browser. It knows no rule of the game, prints
//! nothing and reads no files of its own accord.

mod error;
mod headers;
mod health;
mod page;
mod server;
mod tables;

pub use error::{ApiError, ServerError};
pub use page::{assets_version, embedded};
pub use server::{Config, DEFAULT_PORT, Server, router};
pub use tables::Tables;
