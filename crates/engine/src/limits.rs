//! How long a search may take, in whatever measure.

use core::time::Duration;

/// Where a search ends, whichever comes first. The default has no end but the stop from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit. Kept exactly with one thread.
    pub nodes: Option<u64>,
    /// Time to use.
    pub time: Option<TimeLimit>,
    /// How many of the best moves get a line; 0 and 1 both mean the best one.
    pub multi_pv: usize,
}

/// The time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// So much for this move, and none is saved for later.
    Move(Duration),
    /// A clock for the game.
    Clock(ClockState),
}

/// What a player's clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// What is left now, the increment for this move included.
    pub remaining: Duration,
    /// What is added for each move.
    pub increment: Duration,
    /// Moves until more time comes, if the time is not for the whole game.
    pub moves: Option<u32>,
}

impl Limits {
    /// So many plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// So many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So much time for the move.
    pub fn move_time(time: Duration) -> Limits {
        Limits { time: Some(TimeLimit::Move(time)), ..Limits::default() }
    }

    /// The time after which a search with these limits is broken off, if there is one. On a clock it is well before all is
    /// spent.
    pub fn max_time(&self) -> Option<Duration> {
        self.time.map(|time| TimeBudget::of(time).hard)
    }

    /// The same, with so many lines.
    pub fn with_multi_pv(self, multi_pv: usize) -> Limits {
        Limits { multi_pv, ..self }
    }
}

/// The world that a search runs in. The engine never asks the system for the time and starts nothing by itself.
pub trait Control: Sync {
    /// The time since any fixed moment. `nodes` is how many positions the search has visited so far; a real clock
    /// ignores it, a test can make time out of it.
    fn now(&self, nodes: u64) -> Duration;

    /// Should the search end now? Asked about every 100 microseconds.
    fn stopped(&self) -> bool;
}

/// No clock and no stop: for searches that are limited by depth or nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timeless;

impl Control for Timeless {
    fn now(&self, _nodes: u64) -> Duration {
        Duration::ZERO
    }

    fn stopped(&self) -> bool {
        false
    }
}

/// When to stop thinking, reckoned from the start of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No new depth is begun after this.
    pub(crate) soft: Duration,
    /// The search is broken off here.
    pub(crate) hard: Duration,
}

/// Lost between the engine's last look at the time and the opponent's clock.
const OVERHEAD: Duration = Duration::from_micros(500);
/// This part of a clock is kept back, whatever happens.
const RESERVE_PART: u32 = 20;
/// A game is planned as if it lasted this many more moves.
const MOVES_AHEAD: u32 = 28;
/// Of the increment so much is planned for each move, in quarters; the rest is saved.
const INCREMENT_QUARTERS: u32 = 3;
/// A depth that was begun in time may go on for this many times what was planned for the move.
const STRETCH: u32 = 4;

impl TimeBudget {
    /// A clock may show anything that a text can say, so nothing here may overflow.
    pub(crate) fn of(time: TimeLimit) -> TimeBudget {
        match time {
            TimeLimit::Move(time) => {
                let hard = time.saturating_sub(OVERHEAD);
                TimeBudget { soft: hard, hard }
            }
            TimeLimit::Clock(ClockState { remaining, increment, moves }) => {
                let moves = moves.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
                let reserve = OVERHEAD.saturating_add(remaining / RESERVE_PART);
                let spendable = remaining.saturating_sub(reserve);
                let saved = spendable.saturating_sub(increment);
                let added = increment.min(spendable) / 4 * INCREMENT_QUARTERS;
                let planned = (saved / moves).saturating_add(added);
                let most = if moves == 1 { spendable } else { spendable / 2 };
                TimeBudget { soft: (planned / 2).min(most), hard: planned.saturating_mul(STRETCH).min(most) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_overspent() {
        for remaining in [0, 1, 2, 10, 300, 60_000].map(Duration::from_millis) {
            for increment in [0, 1, 10, 5_000].map(Duration::from_millis) {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let budget = TimeBudget::of(TimeLimit::Clock(ClockState { remaining, increment, moves }));
                    assert!(budget.soft <= budget.hard, "{budget:?}");
                    assert!(budget.hard <= remaining.saturating_sub(OVERHEAD), "{budget:?} of {remaining:?}");
                }
            }
        }
    }

    #[test]
    fn the_longest_clock_is_no_trouble() {
        for increment in [Duration::ZERO, Duration::MAX] {
            for moves in [None, Some(1)] {
                let budget = TimeBudget::of(TimeLimit::Clock(ClockState {
                    remaining: Duration::MAX,
                    increment,
                    moves,
                }));
                assert!(budget.soft <= budget.hard && budget.hard < Duration::MAX, "{budget:?}");
            }
        }
    }

    #[test]
    fn a_long_game_uses_its_time_slowly() {
        let clock = ClockState { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves: None };
        let budget = TimeBudget::of(TimeLimit::Clock(clock));
        assert!(budget.soft > Duration::from_millis(800) && budget.hard < Duration::from_secs(10));
    }
}
