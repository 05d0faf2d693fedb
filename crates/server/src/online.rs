//! Games between people over a link: invitations, seats, rooms, and what is stored of them.
//!
//! A game is the log of its events. The [`Store`] keeps it; a room is a copy of it in memory for as long as somebody looks.
//! Nothing is told to anybody before it is stored, so a server can die at any moment and another one go on.

mod admin;
mod api;
mod callers;
mod clock;
mod code;
mod connection;
mod hall;
mod house;
mod limits;
mod lock;
mod message;
mod metrics;
mod outages;
mod pace;
mod qr;
mod room;
mod said;
mod store;
mod summary;
mod terms;
mod visitor;
mod word;

use std::sync::Arc;

use axum::Router;

pub(crate) use api::Problem;
pub(crate) use callers::{Callers, Line};
pub(crate) use hall::Hall;
pub(crate) use house::House;
use pace::Pace;

pub use admin::{Ended, delete_game, end_game};
pub use clock::{Now, ServerClock};
pub use code::{GameId, Owner, Secret};
pub use limits::Limits;
pub use lock::DatabaseLock;
pub use message::PROTOCOL;
pub use outages::Outages;
pub use store::{
    Backend, Change, ClusterFeed, Heartbeat, Listed, NewGame, Outage, Retention, Seat, SqliteFile, Standing,
    Store, StoreError, StoredEvent, StoredGame, TakenSeat, backend,
};
pub use summary::{Phase, Summary};
pub use terms::{SideName, Terms};
pub use visitor::Site;
pub(crate) use visitor::household;
pub use word::Word;

/// What requests about games are answered with.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) hall: Arc<Hall>,
    pub(crate) site: Arc<Site>,
    pub(crate) callers: Callers,
    pub(crate) pace: Pace,
}

/// Everything about games.
pub(crate) fn router(hall: Arc<Hall>, site: Site) -> Router {
    api::router(Desk { hall, site: Arc::new(site), callers: Callers::default(), pace: Pace::default() })
}
