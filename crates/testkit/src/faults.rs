//! Fault injection: faults that real hosts see, injected into a server process while players check for lost moves.
//!
//! [`full_disk`] fills the disk below the database; [`clock_faults`] pauses the server, stalls its database or steps
//! its wall clock. Each counts what was lost, and nothing may be.

pub mod clock_faults;
pub mod full_disk;
mod lock_holder;
mod player_pair;
mod test_host;

pub use lock_holder::LockHolder;

use std::collections::BTreeMap;
use std::fmt;

/// Counts of what happened, and of failures.
#[derive(Clone, Debug, Default)]
pub struct FaultReport {
    counts: BTreeMap<&'static str, u64>,
    failures: BTreeMap<&'static str, u64>,
    examples: Vec<String>,
}

/// Failures beyond this number are counted, not described.
const EXAMPLES: usize = 8;

impl FaultReport {
    /// Counts something that may happen.
    pub fn count(&mut self, what: &'static str, number: usize) {
        *self.counts.entry(what).or_default() += number as u64;
    }

    /// Counts something that must not happen, with an example. A count of 0 shows that it was checked.
    pub fn fail(&mut self, what: &'static str, number: usize, example: impl FnOnce() -> String) {
        *self.failures.entry(what).or_default() += number as u64;
        if number > 0 && self.examples.len() < EXAMPLES {
            self.examples.push(format!("{what}: {}", example()));
        }
    }

    /// Adds the counts of another report.
    pub fn add(&mut self, other: FaultReport) {
        for (what, number) in other.counts {
            *self.counts.entry(what).or_default() += number;
        }
        for (what, number) in other.failures {
            *self.failures.entry(what).or_default() += number;
        }
        let room = EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.into_iter().take(room));
    }

    /// How often something happened that must not.
    pub fn failed(&self, what: &str) -> Option<u64> {
        self.failures.get(what).copied()
    }

    /// Did nothing fail?
    pub fn is_clean(&self) -> bool {
        self.failures.values().all(|&number| number == 0)
    }
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let all = self.counts.iter().chain(&self.failures).map(|(what, number)| format!("{number} {what}"));
        write!(f, "{}", all.collect::<Vec<_>>().join(", "))?;
        for example in &self.examples {
            write!(f, "\n  {example}")?;
        }
        Ok(())
    }
}
