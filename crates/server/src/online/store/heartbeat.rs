//! Heartbeats of servers, and the outages that missing heartbeats reveal.

use std::sync::Arc;

use crownhead_game::Time;

/// A period in which no server ran, or none could store a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outage {
    /// The beginning.
    pub since: Time,
    /// The end.
    pub until: Time,
}

/// The heartbeat that a server stores twice a second.
#[derive(Clone)]
pub struct Heartbeat {
    /// Which server.
    pub server: u64,
    /// Tells the time.
    pub now: Arc<dyn Fn() -> Time + Send + Sync>,
    /// Outages that are not stored yet.
    pub outages: Vec<Outage>,
}

impl Heartbeat {
    /// The id of the pseudo-game whose events are the heartbeats of a server. No list contains it.
    pub(super) fn game(&self) -> String {
        format!("{:022}", self.server)
    }
}
