//! The server context that all rooms share: store, limits, clock, outages, and messages to other servers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crownhead_game::Time;
use tokio::sync::{mpsc, watch};

use crate::error::ApiError;
use crate::online::clock::ServerClock;
use crate::online::cluster::ClusterMessage;
use crate::online::ids::{GameId, Owner, random};
use crate::online::key::ServerKey;
use crate::online::limits::Limits;
use crate::online::metrics::Metrics;
use crate::online::outages::Outages;
use crate::online::rate_limiter::RateLimiters;
use crate::online::store::{Change, Heartbeat, Outage, Store, StoreError};
use crate::server::Config;
use crate::tablebase::SharedTablebase;

/// If the last heartbeat of any server is older than this, no server ran.
const OUTAGE_MS: u64 = 700;
/// A server whose heartbeat is older than this cannot take games.
const LATE: Duration = Duration::from_secs(2);
/// The longest time that a clock can run. Older outages matter to no game.
pub(super) const LONGEST_CLOCK_MS: u64 = 61 * 86_400_000;
const DAY_MS: u64 = 86_400_000;
/// The name of the server key in the table of settings.
const KEY: &str = "server_key";
/// How far back each heartbeat looks for outages that other servers stored. No server goes without a heartbeat for
/// longer and still has an outage to store.
const RECENT_MS: u64 = 60_000;
/// How many messages to other servers may wait.
const WORDS: usize = 1_024;

/// What all rooms share.
pub(crate) struct ServerContext {
    pub(crate) store: Arc<Store>,
    pub(crate) limits: Limits,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) outages: Arc<Outages>,
    pub(crate) tables: SharedTablebase,
    /// Our id among the servers on this database.
    pub(crate) server: u64,
    clock: ServerClock,
    /// Signs cookies and hides addresses; shared by all servers on this database.
    pub(crate) key: ServerKey,
    pub(crate) rate_limiters: Arc<RateLimiters>,
    database_bytes: AtomicU64,
    /// One heartbeat at a time.
    beating: tokio::sync::Mutex<()>,
    /// When the last heartbeat was stored.
    last_beat: Mutex<Option<Instant>>,
    messages: mpsc::Sender<ClusterMessage>,
    /// Becomes true when the server is to stop.
    pub(super) stopping: watch::Sender<bool>,
}

impl ServerContext {
    /// Opens the context on a database, and notes the time in which no server ran on it as an outage.
    pub(crate) async fn open(
        store: Arc<Store>,
        config: &Config,
        rate_limiters: Arc<RateLimiters>,
    ) -> Result<ServerContext, StoreError> {
        let Config { limits, tables, clock, .. } = config.clone();
        let key = store.setting(KEY, &ServerKey::random().to_text()).await?;
        let key = ServerKey::from_text(&key).ok_or(StoreError::DamagedKey)?;
        let (messages, waiting) = mpsc::channel(WORDS);
        tokio::spawn(speak(store.clone(), waiting));
        let outages = store.outages_seen().clone();
        let context = ServerContext {
            limits,
            metrics: outages.metrics.clone(),
            outages,
            tables,
            server: u64::from_le_bytes(random()),
            clock,
            key,
            rate_limiters,
            database_bytes: AtomicU64::new(0),
            beating: tokio::sync::Mutex::default(),
            last_beat: Mutex::new(None),
            messages,
            stopping: watch::Sender::new(false),
            store,
        };
        if let Some(last) = context.store.last_heartbeat().await? {
            // Time never runs backwards in a log, even if the wall clock was set back.
            context.clock.advance(last.since(context.now()));
            let now = context.now();
            if now.since(last) > OUTAGE_MS {
                context.outages.add(Outage { since: last, until: now });
            }
        }
        context.outages.merge(&context.store.outages(context.now().minus(LONGEST_CLOCK_MS)).await?);
        context.beat().await?;
        context.measure().await?;
        Ok(context)
    }

    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Writes all changes or none, and counts their events. When this returns, they are on the disk.
    pub(crate) async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let events: usize = changes.iter().map(|change| change.events.len()).sum();
        self.store.write(changes).await?;
        self.metrics.events_stored.inc_by(events as u64);
        Ok(())
    }

    /// Fails if the server is stopping, because then no game can start.
    pub(crate) fn check_open(&self) -> Result<(), ApiError> {
        if *self.stopping.borrow() { Err(ApiError::Stopping) } else { Ok(()) }
    }

    /// May a browser at an address start one more game?
    pub(crate) async fn check_new_game(&self, owner: &Owner, address: &str) -> Result<(), ApiError> {
        self.check_open()?;
        self.check_writable()?;
        if self.limits.database_bytes.is_some_and(|most| self.database_bytes.load(Ordering::Relaxed) >= most)
        {
            return Err(ApiError::DatabaseFull);
        }
        self.check_games_of(owner).await?;
        if self.store.open_games_from(address).await? >= self.limits.games_per_address {
            return Err(ApiError::TooManyGamesHere);
        }
        let today = self.now().0 / DAY_MS;
        if self.store.started_from(address, today).await? >= self.limits.games_per_address_per_day {
            return Err(ApiError::TooManyGamesToday);
        }
        Ok(())
    }

    /// Measures the database and the free space on its disk.
    pub(crate) async fn measure(&self) -> Result<(), StoreError> {
        let bytes = self.store.size().await?;
        self.database_bytes.store(bytes, Ordering::Relaxed);
        self.metrics.database_bytes.set(bytes as i64);
        self.metrics.disk_free_bytes.set(self.store.disk_free().map_or(-1, |bytes| bytes as i64));
        Ok(())
    }

    /// May a browser have one more game?
    pub(crate) async fn check_games_of(&self, owner: &Owner) -> Result<(), ApiError> {
        let is_full = self.store.open_games_of(owner).await? >= self.limits.games_per_browser;
        if is_full { Err(ApiError::TooManyGames) } else { Ok(()) }
    }

    /// Queues a message to the other servers, or drops it if the queue is full.
    pub(crate) fn tell(&self, message: ClusterMessage) {
        let _ = self.messages.try_send(message);
    }

    /// Asks all servers who is connected to a game there. Waits for room in the queue, because the question is not
    /// repeated.
    pub(crate) async fn ask_who(&self, game: GameId) {
        // The receiver lives as long as the context.
        let _ = self.messages.send(ClusterMessage::Who { game, server: self.server }).await;
    }

    /// Makes sure that a write that began after this moment has succeeded.
    pub(crate) async fn confirm(&self, moment: Time) -> Result<(), StoreError> {
        let beating = self.beating.lock().await;
        // Another task may have confirmed it meanwhile.
        if self.outages.is_confirmed(moment) { Ok(()) } else { self.beat_alone(&beating).await }
    }

    /// Stores a heartbeat together with new outages, and reads the outages of other servers.
    pub(crate) async fn beat(&self) -> Result<(), StoreError> {
        let beating = self.beating.lock().await;
        self.beat_alone(&beating).await
    }

    async fn beat_alone(&self, _beating: &tokio::sync::MutexGuard<'_, ()>) -> Result<(), StoreError> {
        let unsaved = self.outages.take_unsaved();
        let beat = Heartbeat { server: self.server, now: self.clock.as_now(), outages: unsaved.clone() };
        let attempt = self.outages.attempt();
        let noted = self.store.heartbeat(beat).await;
        attempt.ended(noted.as_ref().err());
        if let Err(error) = noted {
            self.outages.restore_unsaved(unsaved);
            return Err(error);
        }
        *self.last_beat.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.tell(ClusterMessage::Alive { server: self.server });
        let stored = self.store.outages(self.now().minus(RECENT_MS)).await?;
        self.outages.merge(&stored);
        if let Some(last) = self.store.last_heartbeat().await? {
            self.outages.follow(last);
        }
        Ok(())
    }

    /// Can a move be stored, as far as the last heartbeat tells?
    pub(crate) fn check_writable(&self) -> Result<(), ApiError> {
        let last_beat = *self.last_beat.lock().unwrap_or_else(PoisonError::into_inner);
        let is_late = last_beat.is_none_or(|at| at.elapsed() > LATE);
        if is_late || !self.outages.is_writable() { Err(StoreError::Unavailable.into()) } else { Ok(()) }
    }
}

/// Sends the queued messages to the other servers, in order.
async fn speak(store: Arc<Store>, mut messages: mpsc::Receiver<ClusterMessage>) {
    while let Some(message) = messages.recv().await {
        if let Err(error) = store.tell(&message).await {
            tracing::warn!(?error, "cannot tell the other servers");
        }
    }
}
