//! The real time and a button to stop: the [`Control`] of native programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crownhead_engine::Control;

/// Runs from when it is made. Clones share one stop button.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    started: Instant,
    stopped: Arc<AtomicBool>,
}

impl Stopwatch {
    /// Starts the watch.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), stopped: Arc::default() }
    }

    /// Ends the search that this watch was given to.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
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
        self.stopped.load(Ordering::Relaxed)
    }
}
