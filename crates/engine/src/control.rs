//! What the engine needs from outside: the time, and whether to stop.

use core::time::Duration;

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
