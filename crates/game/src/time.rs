//! Points in time and what is known at one of them, all told from outside.

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, by whoever runs the game. The game itself has no clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// The milliseconds from an earlier time to this one; none if the clock was set back in between.
    pub const fn since(self, earlier: Time) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// So many milliseconds earlier.
    pub const fn minus(self, millis: u64) -> Time {
        Time(self.0.saturating_sub(millis))
    }

    /// So many milliseconds later.
    pub const fn plus(self, millis: u64) -> Time {
        Time(self.0.saturating_add(millis))
    }
}

/// What the program that runs a game knows when a command arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// The time now.
    pub now: Time,
    /// How long the command was under way on the network. A clock gives it back as far as the player's lag quota goes.
    #[serde(default)]
    pub lag_ms: u64,
    /// How long since the last record no server ran, or none could store a move.
    #[serde(default)]
    pub outage_ms: u64,
    /// Since when Black has not been connected, in a game over a link.
    #[serde(default)]
    pub black_away_since: Option<Time>,
    /// The same for White.
    #[serde(default)]
    pub white_away_since: Option<Time>,
}

impl Moment {
    /// A moment of which nothing but the time is known.
    pub fn at(now: Time) -> Moment {
        Moment { now, ..Moment::default() }
    }

    /// The time by which clocks are judged: outages are taken out.
    pub(crate) fn clock_time(&self) -> Time {
        self.now.minus(self.outage_ms)
    }

    pub(crate) fn away_since(&self, side: Side) -> Option<Time> {
        match side {
            Side::Black => self.black_away_since,
            Side::White => self.white_away_since,
        }
    }
}
