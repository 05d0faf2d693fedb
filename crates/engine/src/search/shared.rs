//! The shared state of the threads of a search (lazy SMP): transposition table, limits, node count and stop flag.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;

use crate::evaluation::Evaluation;
use crate::limits::{Control, Limits, TimeBudget};
use crate::tablebase::Probe;
use crate::tt::TranspositionTable;

/// The state of one search that all its threads share.
pub(crate) struct SharedState<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) evaluation: &'a Evaluation,
    pub(super) tablebase: Option<&'a dyn Probe>,
    control: &'a dyn Control,
    pub(super) limits: &'a Limits,
    pub(super) budget: Option<TimeBudget>,
    started: Duration,
    stop: AtomicBool,
    pub(super) nodes: AtomicU64,
    pub(super) tablebase_hits: AtomicU64,
}

/// The search was stopped; the node under search has no score.
pub(crate) struct Stopped;

impl<'a> SharedState<'a> {
    pub(crate) fn new(
        tt: &'a TranspositionTable,
        evaluation: &'a Evaluation,
        tablebase: Option<&'a dyn Probe>,
        control: &'a dyn Control,
        limits: &'a Limits,
        started: Duration,
    ) -> SharedState<'a> {
        SharedState {
            tt,
            evaluation,
            tablebase,
            control,
            limits,
            budget: limits.time.map(TimeBudget::of),
            started,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
        }
    }

    /// Makes all threads stop at their next check.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.control.now(self.nodes()).saturating_sub(self.started)
    }

    /// Has the caller or a limit ended the search?
    pub(super) fn is_over(&self) -> bool {
        self.is_stopped()
            || self.limits.nodes.is_some_and(|limit| self.nodes() >= limit)
            || self.budget.is_some_and(|budget| self.elapsed() >= budget.hard)
            || self.control.stopped()
    }
}
