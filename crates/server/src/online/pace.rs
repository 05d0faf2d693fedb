//! How fast each network address invites and joins.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::error::ApiError;
use crate::online::limits::Allowance;

/// Those who have started games lately, by address.
#[derive(Clone, Default)]
pub(crate) struct Pace(Arc<Mutex<HashMap<String, Allowance>>>);

impl Pace {
    /// One more start, if the address may have it.
    pub(crate) fn start(&self, address: &str, per_minute: u32) -> Result<(), ApiError> {
        self.start_at(address, per_minute, Instant::now())
    }

    fn start_at(&self, address: &str, per_minute: u32, now: Instant) -> Result<(), ApiError> {
        let mut allowances = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if allowances.len() == allowances.capacity() {
            // Before there is room for more, those are forgotten who have paused for long enough.
            allowances.retain(|_, allowance| !allowance.is_full(now));
        }
        let allowance =
            allowances.entry(address.to_owned()).or_insert_with(|| Allowance::of_starts(per_minute, now));
        if allowance.take(now) { Ok(()) } else { Err(ApiError::TooFast) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_address_may_start_a_minutes_worth_at_once_and_then_as_many_a_minute() {
        let (pace, start) = (Pace::default(), Instant::now());
        let started =
            |address: &str, at: Instant| (0..20).filter(|_| pace.start_at(address, 6, at).is_ok()).count();
        assert_eq!(started("::1", start), 6);
        assert_eq!(started("::2", start), 6);
        assert_eq!(started("::1", start + Duration::from_secs(30)), 3);
    }

    #[test]
    fn who_has_paused_takes_no_room() {
        let (pace, start) = (Pace::default(), Instant::now());
        for n in 0..100_000_u32 {
            let later = start + Duration::from_secs(n.into());
            pace.start_at(&n.to_string(), 60, later).expect("the first of its address");
        }
        assert!(pace.0.lock().expect("nobody panicked").len() < 100);
    }
}
