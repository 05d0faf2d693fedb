//! Limits on what one client may ask for. The host can choose every limit.

use std::time::Duration;

/// The limits, each with a default that ordinary players never reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest message, in bytes.
    pub message_bytes: usize,
    /// Messages per second on one connection, in the long run.
    pub messages_per_second: u32,
    /// Games and invitations that one browser may have open.
    pub games_per_browser: usize,
    /// Games and invitations that may have been opened from one network address.
    pub games_per_address: usize,
    /// Connections to one game. Its players are admitted beyond that.
    pub connections_per_game: usize,
    /// Connections from one network address to games.
    pub connections_per_address: usize,
    /// Connections to games opened per minute from one network address, in the long run.
    pub connections_per_minute: u32,
    /// Connections of any kind, from all addresses together. It has to stay below the limit on open files.
    pub sockets: usize,
    /// Connections of any kind from one network address. Not enforced behind a proxy, which has only one address.
    pub sockets_per_address: usize,
    /// Requests to the API per second from one network address, in the long run.
    pub requests_per_second: u32,
    /// Invitations and joins per minute from one network address, in the long run.
    pub starts_per_minute: u32,
    /// Rematches per minute that one browser may ask for or agree to, in the long run.
    pub rematches_per_minute: u32,
    /// Takebacks per minute that one player may ask for in a game, in the long run.
    pub takebacks_per_minute: u32,
    /// Games stored within a day from one network address.
    pub games_per_address_per_day: usize,
    /// Seconds that a client may take to send a request, or to read a message or the next part of a response.
    pub patience_seconds: u32,
    /// Events of one game. A game that reaches it takes no more moves and can only be ended.
    pub events_per_game: usize,
    /// Days after which games without a move are removed.
    pub keep_unplayed_days: u64,
    /// Days after which finished games are deleted; if missing, never.
    pub keep_finished_days: Option<u64>,
    /// The size of the database, in bytes, at which new games are refused; if missing, there is no limit.
    pub database_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: 2_048,
            messages_per_second: 10,
            games_per_browser: 50,
            games_per_address: 500,
            connections_per_game: 500,
            connections_per_address: 500,
            connections_per_minute: 300,
            sockets: 8_000,
            sockets_per_address: 2_000,
            requests_per_second: 30,
            starts_per_minute: 300,
            rematches_per_minute: 6,
            takebacks_per_minute: 6,
            games_per_address_per_day: 500,
            patience_seconds: 15,
            events_per_game: 10_000,
            keep_unplayed_days: 30,
            keep_finished_days: None,
            database_bytes: None,
        }
    }
}

impl Limits {
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience_seconds.max(1).into())
    }
}
