//! Points in time, and what the caller knows at one of them: the time, network lag, outages and presence.

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, measured by the program that runs the game. The game itself has no clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// The milliseconds from an earlier time to this one; 0 if the clock was set back in between.
    pub const fn since(self, earlier: Time) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The time this many milliseconds earlier.
    pub const fn minus(self, millis: u64) -> Time {
        Time(self.0.saturating_sub(millis))
    }

    /// The time this many milliseconds later.
    pub const fn plus(self, millis: u64) -> Time {
        Time(self.0.saturating_add(millis))
    }
}

/// What the program that runs a game knows when a command arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// The time now.
    pub now: Time,
    /// How long the command was on its way over the network. The clock gives this back up to the player's lag quota.
    #[serde(default)]
    pub lag_ms: u64,
    /// How long, since the last record, no server ran or none could store a move.
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
    /// A moment at which only the time is known.
    pub fn at(now: Time) -> Moment {
        Moment { now, ..Moment::default() }
    }

    /// The time that clocks are judged by, with outages taken out.
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
