//! Lag compensation: how much network lag a player's clock gives back, so that a slow connection costs nothing and a
//! feigned one gains little.

use serde::{Deserialize, Serialize};

use crate::clock::ClockRule;

/// A clock with at least this much expected time has the full quota; a shorter one has its share.
const FULL_ESTIMATE_MS: u64 = 180_000;
/// The quota that a player starts with, and the most they can have.
const FULL_QUOTA_MS: u64 = 1_000;
/// The amount that each move adds to the quota.
const FULL_REFILL_MS: u64 = 200;
/// The assumed number of moves of each player, for estimating the time that increments add.
const ESTIMATED_MOVES: u64 = 40;
/// A shorter clock starts with this fraction of its time, which is the full quota at three minutes.
const SHORT_QUOTA_DIVISOR: u64 = FULL_ESTIMATE_MS / FULL_QUOTA_MS;
/// The fraction of its time that each move adds to the quota of a shorter clock. With it, forty moves gain less than a
/// thirtieth of the clock.
const SHORT_REFILL_DIVISOR: u64 = 8 * SHORT_QUOTA_DIVISOR;

/// The lag that can still be given back to one player. It depends only on the clock rule and the moves in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct LagQuota {
    left_ms: u64,
}

impl LagQuota {
    /// The quota at the start of a game.
    pub(crate) fn new(rule: ClockRule) -> LagQuota {
        LagQuota { left_ms: max_ms(rule) }
    }

    /// The most lag that can be given back for the next move.
    pub(crate) fn left_ms(self) -> u64 {
        self.left_ms
    }

    /// Spends the lag given back for a move, then refills. An older log may have given back more than the quota had.
    pub(crate) fn spend(&mut self, lag_ms: u64, rule: ClockRule) {
        let left_ms = self.left_ms.saturating_sub(lag_ms);
        self.left_ms = left_ms.saturating_add(refill_ms(rule)).min(max_ms(rule));
    }
}

fn max_ms(rule: ClockRule) -> u64 {
    (estimate_ms(rule) / SHORT_QUOTA_DIVISOR).min(FULL_QUOTA_MS)
}

fn refill_ms(rule: ClockRule) -> u64 {
    match estimate_ms(rule) {
        FULL_ESTIMATE_MS.. => FULL_REFILL_MS,
        short => short / SHORT_REFILL_DIVISOR,
    }
}

/// The total time that a player can expect to have; for a clock per move, its limit.
fn estimate_ms(rule: ClockRule) -> u64 {
    match rule {
        ClockRule::Game { initial_ms, increment_ms } => {
            initial_ms.saturating_add(increment_ms.saturating_mul(ESTIMATED_MOVES))
        }
        ClockRule::Move { limit_ms } => limit_ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn game(seconds: u64, increment_s: u64) -> ClockRule {
        ClockRule::Game { initial_ms: seconds * 1_000, increment_ms: increment_s * 1_000 }
    }

    #[test]
    fn short_clocks_have_a_share_of_the_quota() {
        for (rule, max, refill) in [
            (game(300, 0), 1_000, 200),
            (game(180, 0), 1_000, 200),
            (game(60, 3), 1_000, 200),
            (game(120, 0), 666, 83),
            (game(60, 0), 333, 41),
            (game(1, 0), 5, 0),
            (ClockRule::Move { limit_ms: 60_000 }, 333, 41),
            (ClockRule::Move { limit_ms: 180_000 }, 1_000, 200),
            (ClockRule::Game { initial_ms: u64::MAX, increment_ms: u64::MAX }, 1_000, 200),
        ] {
            assert_eq!((max_ms(rule), refill_ms(rule)), (max, refill), "{rule:?}");
        }
    }

    #[test]
    fn a_quota_never_grows_beyond_its_start() {
        let mut quota = LagQuota::new(game(300, 0));
        quota.spend(0, game(300, 0));
        assert_eq!(quota.left_ms(), 1_000);
        quota.spend(900, game(300, 0));
        assert_eq!(quota.left_ms(), 300);
        quota.spend(u64::MAX, game(300, 0));
        assert_eq!(quota.left_ms(), 200, "an older log may have given more");
    }
}
