//! The [`Control`] of native programs: the system's monotonic clock and a stop flag.
//!
//! The search itself never reads a clock; a caller that wants real time passes one of these. WebAssembly has no such
//! clock, so the page brings its own [`Control`].

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::limits::Control;

/// Measures time from its creation. Clones share one stop flag.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    started: Instant,
    stop: StopFlag,
}

/// Tells everything that checks it to stop. Clones are the same flag; once set, it stays set.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Sets the flag for good.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has it been set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Stopwatch {
    /// Starts a stopwatch with a stop flag of its own.
    pub fn start() -> Stopwatch {
        Stopwatch::with_stop(StopFlag::default())
    }

    /// Starts a stopwatch with a stop flag that others share.
    pub fn with_stop(stop: StopFlag) -> Stopwatch {
        Stopwatch { started: Instant::now(), stop }
    }

    /// Stops every search that uses this stopwatch or a clone of it.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Control for Stopwatch {
    fn now(&self, _nodes: u64) -> Duration {
        self.elapsed()
    }

    fn stopped(&self) -> bool {
        self.stop.is_set()
    }
}
