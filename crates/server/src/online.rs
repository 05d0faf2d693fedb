//! Games between people over a link: invitations, seats, rooms, and what is stored of them.
//!
//! A game is the log of its events. The [`Store`] keeps it; a room is a copy of it in memory for as long as somebody looks.
//! Nothing is told to anybody before it is stored, so a server can die at any moment and another one go on.

mod address;
mod admin;
mod api;
mod clock;
mod ids;
mod connection;
mod connection_limiter;
mod games;
mod context;
mod key;
mod limits;
mod lock;
mod message;
mod metrics;
mod outages;
mod qr;
mod rate_limiter;
mod room;
mod said;
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
pub(crate) use games::Games;
pub(crate) use context::ServerContext;
pub(crate) use metrics::Refusals;
pub(crate) use rate_limiter::{RateLimiters, TokenBucket};

pub use admin::{Ended, delete_game, end_game};
pub use clock::{Now, ServerClock};
pub use ids::{GameId, Owner, Secret};
pub use key::ServerKey;
pub use limits::Limits;
pub use lock::DatabaseLock;
pub use message::PROTOCOL;
pub use outages::Outages;
pub use rate_limiter::Rate;
pub use store::{
    Backend, Change, ClusterFeed, Heartbeat, Listed, NewGame, Outage, Retention, Seat, SqliteFile, Standing,
    Store, StoreError, StoredEvent, StoredGame, TakenSeat, backend,
};
pub use summary::{Phase, Summary};
pub use terms::{SideName, Terms};
pub use visitor::Site;
pub use word::Word;

/// What requests about games are answered with.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) games: Arc<Games>,
    pub(crate) site: Arc<Site>,
    /// Signs cookies.
    pub(crate) key: ServerKey,
    pub(crate) rate_limiters: Arc<RateLimiters>,
    /// Counts connections to games.
    pub(crate) connections: ConnectionLimiter,
}

impl AppState {
    pub(crate) fn new(games: Arc<Games>, site: Arc<Site>) -> AppState {
        let (key, rate_limiters) = (games.context.key.clone(), games.context.rate_limiters.clone());
        let connections = ConnectionLimiter::new(usize::MAX, games.context.limits.connections_per_address);
        AppState { games, site, key, rate_limiters, connections }
    }
}

/// Everything about games.
pub(crate) fn router(state: AppState) -> Router {
    api::router(state)
}
