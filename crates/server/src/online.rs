//! Games between people over a link: invitations, seats, rooms, and what is stored of them.
//!
//! A game is the log of its events. The [`Store`] keeps it; a room is a copy of it in memory for as long as somebody looks.
//! Nothing is told to anybody before it is stored, so a server can die at any moment and another one go on.

mod address;
mod api;
mod code;
mod connection;
mod connection_limiter;
mod hall;
mod house;
mod key;
mod limits;
mod message;
mod metrics;
mod qr;
mod rate_limiter;
mod room;
mod said;
mod sql;
mod store;
mod summary;
mod terms;
mod visitor;
mod word;

use std::sync::Arc;

use axum::Router;

pub(crate) use address::ClientAddress;
pub(crate) use api::Problem;
pub(crate) use connection_limiter::{ConnectionLimiter, ConnectionPermit, Full};
pub(crate) use hall::Hall;
pub(crate) use house::House;
pub(crate) use metrics::Refusals;
pub(crate) use rate_limiter::{RateLimiters, TokenBucket};

pub use code::{GameId, Owner, Secret};
pub use house::{Now, system_time};
pub use key::ServerKey;
pub use limits::Limits;
pub use message::PROTOCOL;
pub use rate_limiter::Rate;
pub use sql::{Kind, News, SqlStore};
pub use store::{Change, Listed, Outage, Seat, Standing, Store, StoreError, StoredEvent, StoredGame};
pub use summary::{Phase, Summary};
pub use terms::{SideName, Terms};
pub use visitor::Site;
pub use word::Word;

/// What requests about games are answered with.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) hall: Arc<Hall>,
    pub(crate) site: Arc<Site>,
    /// Signs cookies.
    pub(crate) key: ServerKey,
    pub(crate) rate_limiters: Arc<RateLimiters>,
    /// Counts connections to games.
    pub(crate) connections: ConnectionLimiter,
}

impl AppState {
    pub(crate) fn new(hall: Arc<Hall>, site: Arc<Site>, rate_limiters: Arc<RateLimiters>) -> AppState {
        let connections = ConnectionLimiter::new(usize::MAX, hall.house.limits.connections_per_address);
        AppState { hall, site, key: ServerKey::random(), rate_limiters, connections }
    }
}

/// Everything about games.
pub(crate) fn router(state: AppState) -> Router {
    api::router(state)
}
