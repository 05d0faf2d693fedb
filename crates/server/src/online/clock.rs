//! The server's clock: within a process it is monotonic, across restarts it follows the wall clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crownhead_game::Time;

/// A function that tells the time.
pub type Now = Arc<dyn Fn() -> Time + Send + Sync>;

/// The time of games, in milliseconds since 1970: the wall clock when the server started, and a monotonic clock from
/// then on. It is moved forward only together with an outage of the same length, so game clocks see no jump.
#[derive(Clone)]
pub struct ServerClock(Arc<Source>);

enum Source {
    System { origin: Instant, at_origin: AtomicU64 },
    Manual(Now),
}

impl ServerClock {
    /// A clock that starts at the current wall-clock time.
    pub fn system() -> ServerClock {
        ServerClock(Arc::new(Source::System { origin: Instant::now(), at_origin: AtomicU64::new(wall().0) }))
    }

    /// A clock that a test moves.
    pub fn manual(now: Now) -> ServerClock {
        ServerClock(Arc::new(Source::Manual(now)))
    }

    /// The time.
    pub fn now(&self) -> Time {
        match &*self.0 {
            Source::System { origin, at_origin } => {
                Time(at_origin.load(Ordering::SeqCst)).plus(origin.elapsed().as_millis() as u64)
            }
            Source::Manual(now) => now(),
        }
    }

    /// Does it run by itself? A manual clock says nothing about how long this process took.
    pub(crate) fn runs(&self) -> bool {
        matches!(&*self.0, Source::System { .. })
    }

    /// How far the wall clock is ahead of this one.
    pub(crate) fn behind_wall_ms(&self) -> u64 {
        match &*self.0 {
            Source::System { .. } => wall().since(self.now()),
            Source::Manual(_) => 0,
        }
    }

    /// Moves it forward.
    pub(crate) fn advance(&self, millis: u64) {
        if let Source::System { at_origin, .. } = &*self.0 {
            at_origin.fetch_add(millis, Ordering::SeqCst);
        }
    }

    /// The time as a function.
    pub(crate) fn as_now(&self) -> Now {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}

/// The time by the wall clock, which can be set at any moment.
fn wall() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_server_follows_the_wall_clock_and_can_be_moved_forward() {
        let clock = ServerClock::system();
        assert!(clock.now().0.abs_diff(wall().0) < 60_000);
        let before = clock.now();
        clock.advance(1_000_000);
        assert!(clock.now().since(before) >= 1_000_000);
        assert_eq!(clock.behind_wall_ms(), 0, "a wall clock that is behind is not followed");
    }
}
