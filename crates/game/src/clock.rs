//! Game clocks: time controls, the remaining time of both players, and their text form.

use core::fmt;

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

use crate::Time;
use crate::error::Refusal;
use crate::lag::LagQuota;

/// A time control: time for the whole game with an increment, or a limit for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClockRule {
    /// A fixed time for the whole game, plus an increment for every move.
    Game {
        /// At the start.
        initial_ms: u64,
        /// Added after each move.
        increment_ms: u64,
    },
    /// A limit for each move, often days.
    Move {
        /// For one move.
        limit_ms: u64,
    },
}

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;
/// Below this a clock shows tenths of a second.
const TENTHS_BELOW_MS: u64 = 10 * SECOND_MS;
/// From this limit per move on, a game counts as correspondence play and its players need not stay online.
const CORRESPONDENCE_MS: u64 = DAY_MS / 2;

impl ClockRule {
    /// The clocks that screens suggest, the fastest first.
    pub const PRESETS: [ClockRule; 9] = [
        ClockRule::minutes(1, 0),
        ClockRule::minutes(3, 2),
        ClockRule::minutes(5, 3),
        ClockRule::minutes(10, 5),
        ClockRule::minutes(20, 10),
        ClockRule::minutes(60, 30),
        ClockRule::Move { limit_ms: DAY_MS },
        ClockRule::Move { limit_ms: 3 * DAY_MS },
        ClockRule::Move { limit_ms: 7 * DAY_MS },
    ];

    /// Minutes for the game, and seconds for each move.
    pub const fn minutes(minutes: u64, increment_s: u64) -> ClockRule {
        ClockRule::Game { initial_ms: minutes * MINUTE_MS, increment_ms: increment_s * SECOND_MS }
    }

    pub(crate) fn check(self) -> Result<(), Refusal> {
        let sensible = match self {
            ClockRule::Game { initial_ms, increment_ms } => {
                (SECOND_MS..=DAY_MS).contains(&initial_ms) && increment_ms <= DAY_MS
            }
            ClockRule::Move { limit_ms } => (SECOND_MS..=60 * DAY_MS).contains(&limit_ms),
        };
        if sensible { Ok(()) } else { Err(Refusal::ClockOutOfRange) }
    }

    /// Is it a correspondence clock, for games over days?
    pub fn is_correspondence(self) -> bool {
        matches!(self, ClockRule::Move { limit_ms } if limit_ms >= CORRESPONDENCE_MS)
    }

    /// The time of each player when the game begins.
    fn initial_ms(self) -> u64 {
        match self {
            ClockRule::Game { initial_ms, .. } => initial_ms,
            ClockRule::Move { limit_ms } => limit_ms,
        }
    }

    /// The increment for a move.
    pub(crate) fn increment_ms(self) -> u64 {
        match self {
            ClockRule::Game { increment_ms, .. } => increment_ms,
            ClockRule::Move { .. } => 0,
        }
    }
}

/// “5 min + 3 s a move”, “3 days a move”.
impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ClockRule::Game { initial_ms, increment_ms: 0 } => f.write_str(&duration(initial_ms)),
            ClockRule::Game { initial_ms, increment_ms } => {
                write!(f, "{} + {} a move", duration(initial_ms), duration(increment_ms))
            }
            ClockRule::Move { limit_ms } => write!(f, "{} a move", duration(limit_ms)),
        }
    }
}

/// A duration in the largest unit that fits; an hour is written as 60 minutes, as players say it.
fn duration(ms: u64) -> String {
    match ms {
        DAY_MS => "1 day".to_owned(),
        _ if ms > 0 && ms.is_multiple_of(DAY_MS) => format!("{} days", ms / DAY_MS),
        _ if ms > HOUR_MS && ms.is_multiple_of(HOUR_MS) => format!("{} h", ms / HOUR_MS),
        _ if ms > 0 && ms.is_multiple_of(MINUTE_MS) => format!("{} min", ms / MINUTE_MS),
        _ => format!("{} s", ms.div_ceil(SECOND_MS)),
    }
}

/// The remaining time as a clock shows it: `4:05`, with tenths below ten seconds, with days and hours from one day on.
/// Rounded up, so that a clock shows zero only when no time is left.
pub fn clock_text(left_ms: u64) -> String {
    let seconds = left_ms.div_ceil(SECOND_MS);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    if left_ms < TENTHS_BELOW_MS {
        let tenths = left_ms.div_ceil(SECOND_MS / 10);
        format!("0:{:02}.{}", tenths / 10, tenths % 10)
    } else if days > 0 {
        format!("{days} d {hours} h")
    } else if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// Both clocks. The clock of the side to move runs while `since` is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clock {
    pub(crate) rule: ClockRule,
    left_ms: [u64; 2],
    since: Option<Time>,
    lag: [LagQuota; 2],
}

impl Clock {
    pub(crate) fn new(rule: ClockRule, now: Time) -> Clock {
        Clock { rule, left_ms: [rule.initial_ms(); 2], since: Some(now), lag: [LagQuota::new(rule); 2] }
    }

    /// The time that a side has left while `turn` is to move.
    pub(crate) fn left_ms(&self, side: Side, turn: Side, now: Time) -> u64 {
        let used = if side == turn { self.since.map_or(0, |since| now.since(since)) } else { 0 };
        self.left_ms[side.index()].saturating_sub(used)
    }

    /// The time that a side had when its clock was started.
    pub(crate) fn left_at_turn_ms(&self, side: Side) -> u64 {
        self.left_ms[side.index()]
    }

    pub(crate) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// When the side to move runs out of time, if its clock runs.
    pub(crate) fn flag_at(&self, turn: Side) -> Option<Time> {
        self.since.map(|since| since.plus(self.left_ms[turn.index()]))
    }

    /// Charges the side that was to move for the time it used, and stops its clock.
    pub(crate) fn stop(&mut self, turn: Side, now: Time) {
        self.left_ms[turn.index()] = self.left_ms(turn, turn, now);
        self.since = None;
    }

    /// The most network lag that the clock can give back for the next move of a side.
    pub(crate) fn lag_quota_ms(&self, side: Side) -> u64 {
        self.lag[side.index()].left_ms()
    }

    /// Adds the increment for a move to the mover's clock and takes `lag_ms`, which was given back, out of its lag
    /// quota.
    pub(crate) fn credit(&mut self, mover: Side, lag_ms: u64) {
        self.lag[mover.index()].spend(lag_ms, self.rule);
        let left = &mut self.left_ms[mover.index()];
        *left = left.saturating_add(self.rule.increment_ms());
    }

    /// Starts the clock of the side that is to move.
    pub(crate) fn start(&mut self, turn: Side, now: Time) {
        if let ClockRule::Move { limit_ms } = self.rule {
            self.left_ms[turn.index()] = limit_ms;
        }
        self.since = Some(now);
    }

    /// Removes an outage from the time of the running clock, up to `now`.
    pub(crate) fn skip(&mut self, outage_ms: u64, now: Time) {
        if let Some(since) = &mut self.since {
            *since = since.plus(outage_ms).min(now.max(*since));
        }
    }

    /// Gives back the time from `gone` to `back`, in which no program ran the game.
    pub(crate) fn forgive(&mut self, gone: Time, back: Time) {
        if let Some(since) = &mut self.since {
            *since = since.plus(back.since(gone.max(*since)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_what_is_left() {
        for (left_ms, text) in [
            (0, "0:00.0"),
            (9_900, "0:09.9"),
            (9_940, "0:10.0"),
            (10_000, "0:10"),
            (59_400, "1:00"),
            (300_000, "5:00"),
            (300_500, "5:01"),
            (3_600_000, "1:00:00"),
            (3_725_000, "1:02:05"),
            (3 * DAY_MS + 5 * HOUR_MS, "3 d 5 h"),
        ] {
            assert_eq!(clock_text(left_ms), text, "{left_ms}");
        }
    }

    #[test]
    fn a_clock_never_shows_zero_while_time_remains() {
        for left_ms in 1..=20_000 {
            assert!(!matches!(clock_text(left_ms).as_str(), "0:00" | "0:00.0"), "{left_ms}");
        }
    }

    #[test]
    fn a_clock_is_described_in_the_units_of_players() {
        for (rule, text) in [
            (ClockRule::minutes(5, 3), "5 min + 3 s a move"),
            (ClockRule::minutes(60, 0), "60 min"),
            (ClockRule::Game { initial_ms: 90_000, increment_ms: 0 }, "90 s"),
            (ClockRule::Move { limit_ms: DAY_MS }, "1 day a move"),
            (ClockRule::Move { limit_ms: DAY_MS / 2 }, "12 h a move"),
        ] {
            assert_eq!(rule.to_string(), text);
        }
    }
}
