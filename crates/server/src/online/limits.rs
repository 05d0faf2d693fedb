//! How much one client may ask for. All of it can be chosen by whoever runs the server.

use std::time::{Duration, Instant};

/// The limits, each with a default that a player never meets.
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
    /// Connections to one game, of watchers. Its players always get in.
    pub connections_per_game: usize,
    /// Connections from one network address to games.
    pub connections_per_address: usize,
    /// Connections of any kind from one network address. Behind a proxy, which has only one, they are not counted.
    pub sockets_per_address: usize,
    /// Invitations and joins per minute from one network address, in the long run.
    pub starts_per_minute: u32,
    /// Seconds that a client may take to send a request or to take a message.
    pub patience_seconds: u32,
    /// Events of one game. Then no more moves are made, and it can only be ended.
    pub events_per_game: usize,
    /// Games that nobody moved in are forgotten after so many days.
    pub keep_unplayed_days: u64,
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
            sockets_per_address: 2_000,
            starts_per_minute: 300,
            patience_seconds: 15,
            events_per_game: 10_000,
            keep_unplayed_days: 30,
        }
    }
}

impl Limits {
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience_seconds.max(1).into())
    }
}

/// A burst of messages may be so many seconds' worth.
const MESSAGES_BURST_SECONDS: f64 = 5.0;
/// And one of starts.
const STARTS_BURST_SECONDS: f64 = 60.0;

/// How many of something are all right: it fills up with time, and each takes one.
pub(crate) struct Allowance {
    per_second: f64,
    full: f64,
    left: f64,
    at: Instant,
}

impl Allowance {
    /// For the messages of one connection.
    pub(crate) fn of_messages(per_second: u32, now: Instant) -> Allowance {
        Allowance::new(per_second.into(), MESSAGES_BURST_SECONDS, now)
    }

    /// For the games that one address starts.
    pub(crate) fn of_starts(per_minute: u32, now: Instant) -> Allowance {
        Allowance::new(f64::from(per_minute) / 60.0, STARTS_BURST_SECONDS, now)
    }

    fn new(per_second: f64, burst_seconds: f64, now: Instant) -> Allowance {
        let full = per_second * burst_seconds;
        Allowance { per_second, full, left: full, at: now }
    }

    fn left(&self, now: Instant) -> f64 {
        let earned = now.saturating_duration_since(self.at).as_secs_f64() * self.per_second;
        (self.left + earned).min(self.full)
    }

    /// Is it as if nothing had been taken?
    pub(crate) fn is_full(&self, now: Instant) -> bool {
        self.left(now) >= self.full
    }

    /// Is one more all right?
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        self.left = self.left(now);
        self.at = now;
        let is_allowed = self.left >= 1.0;
        if is_allowed {
            self.left -= 1.0;
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_so_many_a_second() {
        let start = Instant::now();
        let mut allowance = Allowance::of_messages(2, start);
        assert_eq!((0..20).filter(|_| allowance.take(start)).count(), 10);
        assert_eq!((0..20).filter(|_| allowance.take(start + Duration::from_secs(1))).count(), 2);
    }

    #[test]
    fn no_limit_is_too_large() {
        let mut allowance = Allowance::of_messages(u32::MAX, Instant::now());
        assert!(allowance.take(Instant::now()));
    }
}
