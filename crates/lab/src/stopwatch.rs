//! The real time and a button to stop: the [`Control`] of native programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crownhead_engine::Control;

/// Runs from when it is made. Clones share one stop button.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    started: Instant,
    button: StopButton,
}

/// Ends whatever looks at it. Clones are the same button.
#[derive(Clone, Debug, Default)]
pub struct StopButton(Arc<AtomicBool>);

impl StopButton {
    /// Presses it, for good.
    pub fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has somebody pressed it?
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Stopwatch {
    /// Starts the watch.
    pub fn start() -> Stopwatch {
        Stopwatch::with_button(StopButton::default())
    }

    /// Starts the watch, with a button that may stop more than this.
    pub fn with_button(button: StopButton) -> Stopwatch {
        Stopwatch { started: Instant::now(), button }
    }

    /// Ends the search that this watch was given to.
    pub fn stop(&self) {
        self.button.press();
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
        self.button.is_pressed()
    }
}
