//! Periodic maintenance: heartbeats, flag falls, idle rooms and retention.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crownhead_game::Time;

use super::Games;
use crate::error::ApiError;
use crate::online::context::LONGEST_CLOCK_MS;
use crate::online::ids::GameId;
use crate::online::store::Retention;

/// The interval between heartbeats.
const BEAT: Duration = Duration::from_millis(500);
/// The interval between checks for flag falls.
const LOOK: Duration = Duration::from_millis(200);
/// How many games one check covers.
const DUE_AT_ONCE: usize = 100;
/// How long a game is set aside after its clock could not be checked.
const ASIDE_MS: u64 = 10_000;
/// A game whose flag fall an outage has postponed is checked again after this long: a move changes whose clock runs.
const PUT_OFF_MS: u64 = 1_000;
/// The interval between sweeps for empty rooms.
const SWEEP: Duration = Duration::from_secs(20);
/// The interval between removals of expired games.
const CLEAN_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;

impl Games {
    pub(super) fn start_maintenance(self: &Arc<Games>) {
        self.every(BEAT, async |games| games.beat().await);
        // Removing many games takes a while, and the heartbeat does not wait for it.
        self.every(BEAT, async |games| games.clean_at_times().await);
        self.every(LOOK, async |games| games.look_at_clocks().await);
        self.every(SWEEP, async |games| {
            games.sweep();
            Ok(games.context.measure().await?)
        });
    }

    /// Runs a job periodically for as long as the registry exists.
    fn every<F>(self: &Arc<Games>, pause: Duration, job: impl Fn(Arc<Games>) -> F + Send + 'static)
    where
        F: Future<Output = Result<(), ApiError>> + Send,
    {
        let games = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                let Some(games) = games.upgrade() else { return };
                if let Err(error) = job(games).await {
                    tracing::error!(?error, "maintenance failed");
                }
            }
        });
    }

    async fn beat(&self) -> Result<(), ApiError> {
        self.context.beat().await?;
        if self.context.outages.take_unannounced() {
            // The clocks that clients show have run on. A room that waits for the database does not delay the others.
            for room in self.open_rooms() {
                tokio::spawn(async move { room.announce_outage().await });
            }
        }
        self.drop_silent_peers().await;
        Ok(())
    }

    /// Ends games in which the side to move has run out of time, whether or not clients are connected.
    async fn look_at_clocks(&self) -> Result<(), ApiError> {
        if !self.context.outages.is_writable() {
            // No flag fall can be stored, and this time does not count.
            return Ok(());
        }
        let now = self.context.now();
        let aside = {
            let mut aside = self.set_aside.lock().unwrap_or_else(PoisonError::into_inner);
            aside.retain(|_, until| *until > now);
            aside.clone()
        };
        // Games that are set aside are still due and come first.
        let mut due = self.context.store.due(now, DUE_AT_ONCE + aside.len()).await?;
        due.retain(|id| !aside.contains_key(id));
        let look = async |id: GameId| {
            let ticked = match self.room(id).await {
                Ok(room) => room.tick().await,
                Err(error) => Err(error),
            };
            // One game that cannot be read does not keep the others waiting.
            let wake_at = ticked.unwrap_or_else(|error| {
                tracing::error!(?error, game = ?id, "cannot check a clock");
                None
            });
            // If the game goes on, an outage has postponed its flag fall.
            let until = wake_at.map_or(now.plus(ASIDE_MS), |at| at.min(now.plus(PUT_OFF_MS)));
            self.set_aside.lock().unwrap_or_else(PoisonError::into_inner).insert(id, until);
        };
        futures_util::future::join_all(due.into_iter().map(look)).await;
        Ok(())
    }

    /// Drops empty rooms. They are read again when a client connects.
    fn sweep(&self) {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        // Only the registry holds rooms that are not in use, and no client can enter while it is locked.
        rooms.retain(|_, room| Arc::strong_count(room) > 1 || !room.is_empty());
        rooms.shrink_to_fit();
        self.context.metrics.rooms.set(rooms.len() as i64);
    }

    /// Removes expired games once an hour by the server's clock.
    async fn clean_at_times(&self) -> Result<(), ApiError> {
        let now = self.context.now();
        if now.since(Time(self.cleaned_at.load(Ordering::Relaxed))) < CLEAN_MS {
            return Ok(());
        }
        self.cleaned_at.store(now.0, Ordering::Relaxed);
        let days_ago = |days: u64| now.minus(days.saturating_mul(DAY_MS));
        let outages_before = now.minus(LONGEST_CLOCK_MS);
        self.context.outages.forget_before(outages_before);
        let terms = Retention {
            unplayed_before: days_ago(self.context.limits.keep_unplayed_days),
            finished_before: self.context.limits.keep_finished_days.map(days_ago),
            outages_before,
            first_day: now.0 / DAY_MS,
        };
        let cleaned = self.context.store.clean(terms).await?;
        if cleaned > 0 {
            tracing::info!(cleaned, "removed expired games");
        }
        Ok(())
    }
}
