//! What all rooms share: the store, the limits, the time, and the times at which there was none.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use crownhead_game::Time;
use tokio::sync::{mpsc, watch};

use crate::error::ApiError;
use crate::online::code::{GameId, Owner, random};
use crate::online::limits::Limits;
use crate::online::metrics::Metrics;
use crate::online::store::{Change, Outage, Store, StoreError};
use crate::online::word::Word;
use crate::tables::Tables;

/// If no server noted for so long that it is alive, none ran.
const OUTAGE_MS: u64 = 1_500;
/// The longest time that a clock can run over: outages before that are of no use.
const LONGEST_CLOCK_MS: u64 = 61 * 86_400_000;
/// So many words wait to be told to other servers.
const WORDS: usize = 1_024;

/// Tells the time. Tests have one of their own.
pub type Now = Arc<dyn Fn() -> Time + Send + Sync>;

/// The time of the system.
pub fn system_time() -> Now {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(since.as_millis() as u64)
    })
}

/// What all rooms share.
pub(crate) struct House {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) tables: Tables,
    /// Our name among the servers on this database.
    pub(crate) server: u64,
    now: Now,
    /// The times at which no server ran, in order.
    outages: RwLock<Vec<Outage>>,
    last_beat: AtomicU64,
    words: mpsc::Sender<Word>,
    /// Becomes true when the server is to stop.
    pub(super) stopping: watch::Sender<bool>,
}

impl House {
    pub(crate) fn new(store: Arc<dyn Store>, limits: Limits, tables: Tables, now: Now) -> House {
        let (words, waiting) = mpsc::channel(WORDS);
        tokio::spawn(speak(store.clone(), waiting));
        House {
            store,
            limits,
            metrics: Metrics::new(),
            tables,
            server: u64::from_le_bytes(random()),
            now,
            outages: RwLock::default(),
            last_beat: AtomicU64::new(0),
            words,
            stopping: watch::Sender::new(false),
        }
    }

    pub(crate) fn now(&self) -> Time {
        (self.now)()
    }

    /// Writes all of it or nothing, and counts it. When this returns, it is on the disk.
    pub(crate) async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let events: usize = changes.iter().map(|change| change.events.len()).sum();
        self.store.write(changes).await?;
        self.metrics.events_stored.inc_by(events as u64);
        Ok(())
    }

    /// Does the server go on, so that games can begin?
    pub(crate) fn check_open(&self) -> Result<(), ApiError> {
        if *self.stopping.borrow() { Err(ApiError::Stopping) } else { Ok(()) }
    }

    /// May a browser have one more game?
    pub(crate) async fn check_games_of(&self, owner: &Owner) -> Result<(), ApiError> {
        let is_full = self.store.open_games_of(owner).await? >= self.limits.games_per_browser;
        if is_full { Err(ApiError::TooManyGames) } else { Ok(()) }
    }

    /// Tells something to the other servers, in order. If too much waits it is left out: presence is told again.
    pub(crate) fn tell(&self, word: Word) {
        let _ = self.words.try_send(word);
    }

    /// Asks all servers who is connected to a game there. Waits until there is room for the question: nobody repeats it.
    pub(crate) async fn ask_who(&self, game: GameId) {
        // The one who speaks is gone only when we are.
        let _ = self.words.send(Word::Who { game, server: self.server }).await;
    }

    /// The first outage that a game has not been told of.
    pub(crate) fn outage_after(&self, last_at: Time) -> Option<Outage> {
        let outages = self.outages.read().unwrap_or_else(PoisonError::into_inner);
        outages.iter().find(|outage| outage.until > last_at).copied()
    }

    /// Has it been so long since we noted that we are alive that we must have slept?
    pub(crate) fn has_slept(&self) -> bool {
        self.last_beat.load(Ordering::Relaxed) + OUTAGE_MS < self.now().0
    }

    /// Notes that we are alive, and learns of the time before in which nobody was.
    pub(crate) async fn beat(&self) -> Result<(), StoreError> {
        let has_slept = self.has_slept();
        let now = self.now();
        self.store.beat(now, OUTAGE_MS).await?;
        self.tell(Word::Alive { server: self.server });
        self.last_beat.store(now.0, Ordering::Relaxed);
        if has_slept {
            let outages = self.store.outages(now.minus(LONGEST_CLOCK_MS)).await?;
            *self.outages.write().unwrap_or_else(PoisonError::into_inner) = outages;
        }
        Ok(())
    }
}

/// Tells the other servers what there is to tell.
async fn speak(store: Arc<dyn Store>, mut words: mpsc::Receiver<Word>) {
    while let Some(word) = words.recv().await {
        if let Err(error) = store.tell(&word).await {
            tracing::warn!(?error, "cannot tell the other servers");
        }
    }
}
