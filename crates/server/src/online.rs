//! Games between people over a link: invitations, seats, rooms and their storage.
//!
//! A game is the log of its events. The [`Store`] keeps it; a room is its copy in memory while clients are
//! connected. Nothing is sent before it is stored, so a server can die at any moment and another one continue.

mod address;
mod admin;
mod api;
mod clock;
mod cluster;
mod connection;
mod connection_limiter;
mod context;
mod games;
mod ids;
mod json_body;
mod key;
mod limits;
mod lock;
mod message;
mod metrics;
mod outages;
mod qr;
mod rate_limiter;
mod requests;
mod room;
mod session;
mod store;
mod summary;

use std::sync::Arc;

use axum::Router;

pub(crate) use address::ClientAddress;
pub(crate) use api::ErrorBody;
pub(crate) use connection_limiter::{ConnectionLimiter, ConnectionPermit, LimitReached};
pub(crate) use context::ServerContext;
pub(crate) use games::Games;
pub(crate) use metrics::Refusals;
pub(crate) use rate_limiter::{RateLimiters, TokenBucket};

pub use admin::{EndResult, delete_game, end_game};
pub use clock::{Now, ServerClock};
pub use cluster::ClusterMessage;
pub use ids::{GameId, Owner, Secret};
pub use key::ServerKey;
pub use limits::Limits;
pub use lock::DatabaseLock;
pub use message::PROTOCOL;
pub use outages::Outages;
pub use rate_limiter::Rate;
pub use requests::{InviteRequest, SideName};
pub use session::Site;
pub use store::{
    Backend, Change, ClusterFeed, GameStatus, Heartbeat, ListedGame, NewGame, Outage, Retention, SeatRole,
    SqliteFile, Store, StoreError, StoredEvent, StoredGame, TakenSeat,
};
pub use summary::{Phase, Summary};

/// The state of the axum router, for the handlers of games.
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

/// The routes of games.
pub(crate) fn router(state: AppState) -> Router {
    api::router(state)
}
