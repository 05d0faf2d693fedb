//! Search limits and time management: depth, nodes, time, and the stop signal of the caller.

use core::time::Duration;

/// The limits of a search; the first one reached ends it. The default has none: only the caller's stop ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of positions to visit. Exact with one thread.
    pub nodes: Option<u64>,
    /// The time.
    pub time: Option<TimeLimit>,
    /// Multi-PV: how many of the best moves get a line; 0 and 1 both mean the best one.
    pub multi_pv: usize,
}

/// The time limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// A fixed time for this move; none of it is saved for later moves.
    Move(Duration),
    /// The clock of the game.
    Clock(ClockState),
}

/// The state of the player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// The time left, including the increment for this move.
    pub remaining: Duration,
    /// The increment for each move.
    pub increment: Duration,
    /// Moves to the next time control, if the time is not for the whole game.
    pub moves: Option<u32>,
}

impl Limits {
    /// A limit of depth, in plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A limit of positions to visit.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A limit of time for the move.
    pub fn move_time(time: Duration) -> Limits {
        Limits { time: Some(TimeLimit::Move(time)), ..Limits::default() }
    }

    /// The time after which a search with these limits stops, if it is limited. On a clock that is well before the flag
    /// falls.
    pub fn max_time(&self) -> Option<Duration> {
        self.time.map(|time| TimeBudget::of(time).hard)
    }

    /// The same limits with this many lines.
    pub fn with_multi_pv(self, multi_pv: usize) -> Limits {
        Limits { multi_pv, ..self }
    }
}

/// The time and the stop signal, which the caller provides. The search itself never reads a system clock.
pub trait Control: Sync {
    /// The time since some fixed moment. `nodes` is the number of positions visited so far; a real clock ignores it,
    /// and a test can derive a reproducible time from it.
    fn now(&self, nodes: u64) -> Duration;

    /// Should the search stop now? Called about every 100 microseconds.
    fn stopped(&self) -> bool;
}

/// No clock and no stop: for searches limited by depth or nodes.
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

/// When to stop, counted from the start of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No new depth starts after this.
    pub(crate) soft: Duration,
    /// The search stops here.
    pub(crate) hard: Duration,
}

/// The time lost between the last check of the clock and the start of the opponent's clock.
const OVERHEAD: Duration = Duration::from_micros(500);
/// One part in this many of the clock is always kept in reserve.
const RESERVE_PART: u32 = 20;
/// Time is planned as if the game lasted this many more moves.
const MOVES_AHEAD: u32 = 28;
/// The quarters of the increment that are planned for each move; the rest is saved.
const INCREMENT_QUARTERS: u32 = 3;
/// A depth that started in time may take up to this many times the time planned for the move.
const STRETCH: u32 = 4;

impl TimeBudget {
    /// A clock may hold any value that a text can express, so nothing here may overflow.
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
