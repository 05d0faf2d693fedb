//! Heartbeats of servers, and the outages that missing heartbeats reveal.

use std::sync::Arc;

use crownhead_game::Time;

/// A time at which no server ran, or none could store a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outage {
    /// The beginning.
    pub since: Time,
    /// The end.
    pub until: Time,
}

/// What a server notes twice a second.
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
    /// The game that the heartbeats of a server are events of. It has no log, and no list has it.
    pub(super) fn game(&self) -> String {
        format!("{:022}", self.server)
    }
}
