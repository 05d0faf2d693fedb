//! Outages: periods in which no server ran or none could store a move. No clock is charged for them.
//!
//! There are three kinds of outage: no server ran (found when one starts, by the last heartbeat), this process did not
//! run (it was paused, or every thread was busy; found by a watchdog), and the database took no writes (found by the
//! writes themselves). Commands and flag falls ask [`Outages::between`] first, which also counts an outage in progress.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crownhead_game::Time;
use tokio::sync::watch;

use crate::online::clock::ServerClock;
use crate::online::metrics::Metrics;
use crate::online::store::{Outage, StoreError};

/// The interval of the watchdog.
const TICK: Duration = Duration::from_millis(50);
/// If the watchdog has not run for this long, the process did not run.
const GAP: Duration = Duration::from_millis(300);
/// A write that takes longer is a stall of the database.
const STALL: Duration = Duration::from_millis(500);
/// A write in progress for longer than this may become a stall, and decisions made meanwhile treat it as one.
const SLOW: Duration = Duration::from_millis(100);
/// The wall clock is followed forward if it is ahead by this much: the machine slept, or its clock was set.
const WALL_JUMP_MS: u64 = 5_000;

/// The clocks of two servers may differ by this much.
const SKEW_MS: u64 = 2_000;

/// All outages that may matter to a game in progress, past and present.
pub struct Outages {
    clock: ServerClock,
    state: Mutex<OutageLog>,
    numbers: AtomicU64,
    /// Can the database write, as far as is known?
    is_writable: watch::Sender<bool>,
    pub(crate) metrics: Arc<Metrics>,
}

struct OutageLog {
    past: Vec<Outage>,
    /// Past outages that are not stored yet.
    unsaved: Vec<Outage>,
    /// Is there an outage that clients have not been told of?
    unannounced: bool,
    /// When this process was last seen running.
    seen: (Instant, Time),
    /// When the last successful write began, and when it ended. Nothing is known of the database after that.
    last_write: (Time, Time),
    /// Since when every write has failed.
    failing_since: Option<Time>,
    /// Writes in progress, by number.
    attempts: BTreeMap<u64, (Instant, Time)>,
}

impl Outages {
    /// A log without outages.
    pub fn new(clock: ServerClock) -> Arc<Outages> {
        let state = OutageLog {
            past: Vec::new(),
            unsaved: Vec::new(),
            unannounced: false,
            seen: (Instant::now(), clock.now()),
            last_write: (clock.now(), clock.now()),
            failing_since: None,
            attempts: BTreeMap::new(),
        };
        Arc::new(Outages {
            clock,
            state: Mutex::new(state),
            numbers: AtomicU64::new(0),
            is_writable: watch::Sender::new(true),
            metrics: Arc::new(Metrics::new()),
        })
    }

    fn state(&self) -> MutexGuard<'_, OutageLog> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the watchdog, which runs until all other owners are gone.
    pub(crate) fn start_watchdog(self: &Arc<Outages>) {
        let outages = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(TICK).await;
                let Some(outages) = outages.upgrade() else { return };
                outages.check();
            }
        });
    }

    /// Notes a pause of this process, and a jump of the wall clock.
    fn check(&self) {
        let mut state = self.state();
        self.check_pause(&mut state);
        let behind = self.clock.behind_wall_ms();
        if behind > WALL_JUMP_MS {
            let now = self.clock.now();
            // The outage is noted before the clock moves, so no reader sees the jump without it.
            self.note(&mut state, Outage { since: now, until: now.plus(behind) });
            self.clock.advance(behind);
            state.seen = (Instant::now(), self.clock.now());
        }
    }

    fn check_pause(&self, state: &mut OutageLog) {
        let (instant, time) = (Instant::now(), self.clock.now());
        if instant.saturating_duration_since(state.seen.0) > GAP && self.clock.runs() {
            let since = state.seen.1;
            self.note(state, Outage { since, until: time });
        }
        state.seen = (instant, time);
    }

    fn note(&self, state: &mut OutageLog, outage: Outage) {
        if outage.until <= outage.since {
            return;
        }
        tracing::warn!(length_ms = outage.until.since(outage.since), "an outage, for which no clock pays");
        self.metrics.outages.inc();
        state.past.push(outage);
        state.unsaved.push(outage);
        state.unannounced = true;
    }

    /// The outage time between two moments, in milliseconds. `more` is an outage that only the caller knows of.
    pub(crate) fn between(&self, from: Time, to: Time, more: Option<Outage>) -> u64 {
        let mut state = self.state();
        self.check_pause(&mut state);
        let is_slow =
            self.clock.runs() && state.attempts.values().any(|(instant, _)| instant.elapsed() > SLOW);
        let going_on = state.failing_since.or(is_slow.then_some(state.last_write.1));
        let going_on = going_on.map(|since| Outage { since, until: to });
        let mut all: Vec<Outage> = state
            .past
            .iter()
            .copied()
            .chain(going_on)
            .chain(more)
            .filter(|outage| outage.until > from && outage.since < to)
            .collect();
        all.sort_unstable();
        // Overlapping outages count once.
        let (mut total, mut counted) = (0, from);
        for outage in all {
            let (since, until) = (outage.since.max(counted), outage.until.min(to));
            total += until.since(since);
            counted = counted.max(until);
        }
        total
    }

    /// Notes that a write begins. The caller reports its end with [`WriteAttempt::ended`].
    pub(crate) fn attempt(&self) -> WriteAttempt<'_> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.state().attempts.insert(number, (Instant::now(), self.clock.now()));
        WriteAttempt { outages: self, number }
    }

    /// Adds outages that are stored: those before this server started, and those of other servers.
    pub(crate) fn merge(&self, stored: &[Outage]) {
        let mut state = self.state();
        for outage in stored {
            if !state.past.contains(outage) {
                state.past.push(*outage);
            }
        }
    }

    /// Notes an outage that the heartbeats revealed: no server ran.
    pub(crate) fn add(&self, outage: Outage) {
        let mut state = self.state();
        self.note(&mut state, outage);
    }

    /// Follows another server's clock if it is ahead, so that a game has the same time on every server.
    pub(crate) fn follow(&self, other: Time) {
        let mut state = self.state();
        let now = self.clock.now();
        let behind = other.since(now);
        if behind > SKEW_MS {
            // The other server was up during this time, so the outage is not stored.
            state.past.push(Outage { since: now, until: now.plus(behind) });
            state.unannounced = true;
            self.clock.advance(behind);
        }
    }

    /// Is there an outage that clients have not been told of? Clears the flag.
    pub(crate) fn take_unannounced(&self) -> bool {
        std::mem::take(&mut self.state().unannounced)
    }

    /// Takes the outages to be stored. If storing fails, the caller gives them back with `restore_unsaved`.
    pub(crate) fn take_unsaved(&self) -> Vec<Outage> {
        std::mem::take(&mut self.state().unsaved)
    }

    pub(crate) fn restore_unsaved(&self, unsaved: Vec<Outage>) {
        self.state().unsaved.extend(unsaved);
    }

    /// Forgets outages that ended too long ago to matter to any clock.
    pub(crate) fn forget_before(&self, time: Time) {
        self.state().past.retain(|outage| outage.until >= time);
    }

    /// Has a write that began after this moment succeeded, so that the database is known to have taken writes at it?
    pub(crate) fn is_confirmed(&self, moment: Time) -> bool {
        self.state().last_write.0 >= moment
    }

    /// Did the last write succeed, and is no write stalled?
    pub(crate) fn is_writable(&self) -> bool {
        let state = self.state();
        let is_stalled = state.attempts.values().any(|(instant, _)| instant.elapsed() > STALL);
        state.failing_since.is_none() && !is_stalled
    }

    /// Waits until the database writes again, for `patience` at most. Returns whether it does.
    pub(crate) async fn writable(&self, patience: Duration) -> bool {
        let mut changes = self.is_writable.subscribe();
        let writes = tokio::time::timeout(patience, changes.wait_for(|&is_writable| is_writable));
        matches!(writes.await, Ok(Ok(_)))
    }
}

/// A write in progress.
pub(crate) struct WriteAttempt<'a> {
    outages: &'a Outages,
    number: u64,
}

impl WriteAttempt<'_> {
    /// The write ended, perhaps with an error.
    pub(crate) fn ended(self, error: Option<&StoreError>) {
        let outages = self.outages;
        let mut state = outages.state();
        let Some((instant, began)) = state.attempts.remove(&self.number) else { return };
        let now = outages.clock.now();
        // When the database stopped taking writes is unknown; the players get the benefit of the doubt.
        let known_until = state.last_write.1;
        if let Some(error) = error.filter(|error| !error.is_about_one_job()) {
            outages.metrics.database_errors.inc();
            tracing::error!(%error, "cannot write");
            state.failing_since.get_or_insert(known_until);
        } else {
            let is_stall = instant.elapsed() > STALL && outages.clock.runs();
            let stalled_since = is_stall.then_some(known_until);
            if let Some(since) = state.failing_since.take().or(stalled_since) {
                outages.note(&mut state, Outage { since, until: now });
            }
            state.last_write = (state.last_write.0.max(began), now);
        }
        let is_writable = state.failing_since.is_none();
        drop(state);
        outages.is_writable.send_if_modified(|was| std::mem::replace(was, is_writable) != is_writable);
    }
}

/// A cancelled write counts neither as a success nor as a failure.
impl Drop for WriteAttempt<'_> {
    fn drop(&mut self) {
        self.outages.state().attempts.remove(&self.number);
    }
}
