//! The web server: the embedded page, games between people over HTTP and WebSocket, and tablebase probes.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), crownhead_server::ServerError> {
//! use crownhead_server::{Config, Database, Server};
//!
//! let database = Some(Database::File("games.sqlite".into()));
//! let server = Server::bind(Config { port: 0, database, ..Config::default() }).await?;
//! println!("http://{}/", server.address());
//! server.run(async { /* until this ends */ }).await;
//! # Ok(())
//! # }
//! ```
//!
//! The engine does not run here: the computer opponent thinks in the player's own browser. The server implements no
//! rule of the game, prints nothing, and touches no files but the database that it is given.

mod error;
mod headers;
mod health;
mod listener;
pub mod online;
mod page;
mod server;
mod tablebase;
mod throttle;

pub use error::{ApiError, ServerError};
pub use page::{assets_version, embedded};
pub use server::{Config, DEFAULT_PORT, Database, Server, router};
pub use tablebase::SharedTablebase;
