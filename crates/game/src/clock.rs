//! The clocks of both players.

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

use crate::Time;
use crate::error::Refusal;
use crate::lag::LagQuota;

/// How much time there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClockRule {
    /// So much for the whole game, and some more with every move.
    Game {
        /// At the start.
        initial_ms: u64,
        /// Added after each move.
        increment_ms: u64,
    },
    /// So much for each move, often days.
    Move {
        /// For one move.
        limit_ms: u64,
    },
}

const SECOND_MS: u64 = 1_000;
const DAY_MS: u64 = 24 * 60 * 60 * SECOND_MS;
/// From here on a game is played by mail: nobody has to stay at the board.
const CORRESPONDENCE_MS: u64 = DAY_MS / 2;

impl ClockRule {
    pub(crate) fn check(self) -> Result<(), Refusal> {
        let sensible = match self {
            ClockRule::Game { initial_ms, increment_ms } => {
                (SECOND_MS..=DAY_MS).contains(&initial_ms) && increment_ms <= DAY_MS
            }
            ClockRule::Move { limit_ms } => (SECOND_MS..=60 * DAY_MS).contains(&limit_ms),
        };
        if sensible { Ok(()) } else { Err(Refusal::ClockOutOfRange) }
    }

    pub(crate) fn is_correspondence(self) -> bool {
        matches!(self, ClockRule::Move { limit_ms } if limit_ms >= CORRESPONDENCE_MS)
    }

    /// What a player has when the game begins.
    fn initial_ms(self) -> u64 {
        match self {
            ClockRule::Game { initial_ms, .. } => initial_ms,
            ClockRule::Move { limit_ms } => limit_ms,
        }
    }

    /// What is added for a move.
    pub(crate) fn increment_ms(self) -> u64 {
        match self {
            ClockRule::Game { increment_ms, .. } => increment_ms,
            ClockRule::Move { .. } => 0,
        }
    }
}

/// Both clocks. The one of the side to move runs while `since` is set.
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

    /// What a side has left while `turn` is to move.
    pub(crate) fn left_ms(&self, side: Side, turn: Side, now: Time) -> u64 {
        let used = if side == turn { self.since.map_or(0, |since| now.since(since)) } else { 0 };
        self.left_ms[side.index()].saturating_sub(used)
    }

    /// What a side had when its clock was started.
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

    /// Charges the side that was to move for its time and stops.
    pub(crate) fn stop(&mut self, turn: Side, now: Time) {
        self.left_ms[turn.index()] = self.left_ms(turn, turn, now);
        self.since = None;
    }

    /// The most that the network may have taken of the next move of a side and the clock gives back.
    pub(crate) fn lag_quota_ms(&self, side: Side) -> u64 {
        self.lag[side.index()].left_ms()
    }

    /// Credits a side for the move it made, which was compensated for so much lag.
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

    /// Takes out of the running clock time that no server gave, up to `now`.
    pub(crate) fn skip(&mut self, outage_ms: u64, now: Time) {
        if let Some(since) = &mut self.since {
            *since = since.plus(outage_ms).min(now.max(*since));
        }
    }

    /// Forgets the time from `gone` to `back`, in which nobody ran the game.
    pub(crate) fn forgive(&mut self, gone: Time, back: Time) {
        if let Some(since) = &mut self.since {
            *since = since.plus(back.since(gone.max(*since)));
        }
    }
}
