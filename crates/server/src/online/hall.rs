//! All games: finds the room of each, opens new ones, and looks after them while nobody is there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crownhead_game::{Game, Time};
use tokio::sync::{mpsc, watch};

use crate::error::ApiError;
use crate::online::code::{GameId, Owner, hash};
use crate::online::limits::Limits;
use crate::online::metrics::Metrics;
use crate::online::room::{Attendance, Room, invitation};
use crate::online::sql::News;
use crate::online::store::{Listed, Outage, Store, StoreError};
use crate::online::terms::Terms;
use crate::online::word::{Neighbours, Word};
use crate::tables::Tables;

/// So often a server notes that it is alive.
const BEAT: Duration = Duration::from_secs(1);
/// If none did for so long, none ran.
const OUTAGE_MS: u64 = 1_500;
/// So often it is looked whose time is up.
const LOOK: Duration = Duration::from_millis(200);
/// So many games are looked at in one go.
const DUE_AT_ONCE: usize = 100;
/// So often empty rooms are closed.
const SWEEP: Duration = Duration::from_secs(20);
/// So often games that nobody played are forgotten.
const CLEAN: Duration = Duration::from_secs(3_600);
const DAY_MS: u64 = 86_400_000;
/// The longest time that a clock can run over: outages before that are of no use.
const LONGEST_CLOCK_MS: u64 = 61 * DAY_MS;
/// So often it is looked whether the last connection has closed.
const GLANCE: Duration = Duration::from_millis(10);
/// So many words wait to be told to other servers.
const WORDS: usize = 1_024;
/// So many games are listed.
const LISTED: usize = 200;

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
    now: Now,
    /// The times at which no server ran, in order.
    outages: RwLock<Vec<Outage>>,
    last_beat: AtomicU64,
    /// Our name among the servers on this database.
    pub(crate) server: u64,
    pub(crate) neighbours: Neighbours,
    words: mpsc::Sender<Word>,
}

impl House {
    /// Tells something to the other servers, in order. If too much waits it is left out: presence is told again.
    pub(crate) fn tell(&self, word: Word) {
        let _ = self.words.try_send(word);
    }

    pub(crate) fn now(&self) -> Time {
        (self.now)()
    }

    /// The first outage that a game has not been told of.
    pub(crate) fn outage_after(&self, last_at: Time) -> Option<Outage> {
        let outages = self.outages.read().unwrap_or_else(PoisonError::into_inner);
        outages.iter().find(|outage| outage.until > last_at).copied()
    }

    /// Notes that we are alive, and learns of the time before in which nobody was.
    async fn beat(&self) -> Result<(), StoreError> {
        let now = self.now();
        self.store.beat(now, OUTAGE_MS).await?;
        self.tell(Word::Alive { server: self.server });
        self.neighbours.forget(now.minus(DAY_MS));
        if self.last_beat.swap(now.0, Ordering::Relaxed) + OUTAGE_MS < now.0 {
            let outages = self.store.outages(now.minus(LONGEST_CLOCK_MS)).await?;
            *self.outages.write().unwrap_or_else(PoisonError::into_inner) = outages;
        }
        Ok(())
    }
}

/// All games.
pub(crate) struct Hall {
    pub(crate) house: Arc<House>,
    rooms: Mutex<HashMap<GameId, Arc<Room>>>,
    /// Becomes true when the server is to stop.
    stopping: watch::Sender<bool>,
}

impl Hall {
    /// Opens the hall and starts to look after the games.
    pub(crate) async fn open(
        store: Arc<dyn Store>,
        news: Option<News>,
        limits: Limits,
        tables: Tables,
        now: Now,
    ) -> Result<Arc<Hall>, StoreError> {
        let (words, waiting) = mpsc::channel(WORDS);
        tokio::spawn(speak(store.clone(), waiting));
        let house = Arc::new(House {
            store,
            limits,
            metrics: Metrics::new(),
            tables,
            now,
            outages: RwLock::default(),
            last_beat: AtomicU64::new(0),
            server: random(),
            neighbours: Neighbours::default(),
            words,
        });
        let hall = Arc::new(Hall { house, rooms: Mutex::default(), stopping: watch::Sender::new(false) });
        hall.house.beat().await?;
        hall.every(BEAT, async |hall| Ok(hall.house.beat().await?));
        hall.every(LOOK, async |hall| hall.look_at_clocks().await);
        hall.every(SWEEP, async |hall| {
            hall.sweep();
            Ok(())
        });
        hall.every(CLEAN, async |hall| hall.clean().await);
        if let Some(news) = news {
            hall.listen(news);
        }
        Ok(hall)
    }

    /// The room of a game. Whether there is such a game shows when it is entered.
    pub(crate) fn room(&self, id: GameId) -> Arc<Room> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let room = rooms.entry(id).or_insert_with(|| Arc::new(Room::new(id, self.house.clone())));
        let room = room.clone();
        self.house.metrics.rooms.set(rooms.len() as i64);
        room
    }

    /// Opens an invitation.
    pub(crate) async fn invite(&self, terms: Terms, owner: Owner, address: &str) -> Result<GameId, ApiError> {
        if *self.stopping.borrow() {
            return Err(ApiError::Stopping);
        }
        let address = hash(address.as_bytes());
        let open = self.house.store.open_games(&owner, &address).await?;
        if open.of_browser >= self.house.limits.games_per_browser {
            return Err(ApiError::TooManyGames);
        }
        if open.of_address >= self.house.limits.games_per_address {
            return Err(ApiError::TooManyGamesHere);
        }
        let start = terms.start(random() as u32);
        let now = self.house.now();
        // Is it a game that can be?
        Game::start(start.clone(), now)?;
        let id = GameId::random();
        self.house.store.write(vec![invitation(id, start, owner, address, now)]).await?;
        self.house.metrics.invitations.inc();
        Ok(id)
    }

    /// The games of a browser.
    pub(crate) async fn games_of(&self, owner: &Owner) -> Result<Vec<Listed>, ApiError> {
        Ok(self.house.store.games_of(owner, LISTED).await?)
    }

    /// Can games be played?
    pub(crate) async fn check(&self) -> Result<(), ApiError> {
        if *self.stopping.borrow() {
            return Err(ApiError::Stopping);
        }
        self.house.store.due(Time(0), 1).await?;
        Ok(())
    }

    /// Tells all connections to go elsewhere.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits until all connections are closed.
    pub(crate) async fn emptied(&self) {
        while self.house.metrics.connections.get() > 0 {
            tokio::time::sleep(GLANCE).await;
        }
    }

    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Lets the time of those run out whose time is up, wherever they are.
    async fn look_at_clocks(&self) -> Result<(), ApiError> {
        let now = self.house.now();
        if self.house.last_beat.load(Ordering::Relaxed) + OUTAGE_MS < now.0 {
            // We have slept; that is nobody's time.
            self.house.beat().await?;
        }
        for id in self.house.store.due(now, DUE_AT_ONCE).await? {
            // One game that cannot be read does not keep the others waiting.
            if let Err(error) = self.room(id).tick().await {
                tracing::error!(%error, game = %id, "cannot look at a clock");
            }
        }
        Ok(())
    }

    /// Closes rooms that nobody is in. They are opened again when somebody comes.
    fn sweep(&self) {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        // Only the hall itself holds those that are not in use, and nobody can enter while it is locked.
        rooms.retain(|_, room| Arc::strong_count(room) > 1 || !room.is_deserted());
        rooms.shrink_to_fit();
        self.house.metrics.rooms.set(rooms.len() as i64);
    }

    async fn clean(&self) -> Result<(), ApiError> {
        let before = self.house.now().minus(self.house.limits.keep_unplayed_days * DAY_MS);
        let cleaned = self.house.store.clean(before).await?;
        if cleaned > 0 {
            tracing::info!(cleaned, "forgot games that nobody played");
        }
        Ok(())
    }

    /// Does something again and again, for as long as the hall is there.
    fn every<F>(self: &Arc<Hall>, pause: Duration, job: impl Fn(Arc<Hall>) -> F + Send + 'static)
    where
        F: Future<Output = Result<(), ApiError>> + Send,
    {
        let hall = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                let Some(hall) = hall.upgrade() else { return };
                if let Err(error) = job(hall).await {
                    tracing::error!(%error, "the games cannot be looked after");
                }
            }
        });
    }

    /// Follows what other servers write.
    fn listen(self: &Arc<Hall>, news: News) {
        let (hall, mut words) = (Arc::downgrade(self), news.listen());
        tokio::spawn(async move {
            while let Some(word) = words.recv().await {
                let Some(hall) = hall.upgrade() else { return };
                hall.heard(word).await;
            }
        });
    }

    async fn heard(&self, word: Word) {
        let (ours, now) = (self.house.server, self.house.now());
        match word {
            Word::Alive { server } => self.house.neighbours.heard(server, now),
            Word::Here { game, server, seats, watchers } if server != ours => {
                self.house.neighbours.heard(server, now);
                if let Some(room) = self.open_room(game) {
                    room.heard_of(server, Attendance { seats, watchers }).await;
                }
            }
            Word::Who { game, server } if server != ours => {
                if let Some(room) = self.open_room(game) {
                    room.asked_for().await;
                }
            }
            Word::Here { .. } | Word::Who { .. } => {}
            Word::Written { game, seq } => {
                if let Some(room) = self.open_room(game) {
                    follow(&room, Some(seq)).await;
                }
            }
            Word::Missed => {
                let rooms: Vec<Arc<Room>> =
                    self.rooms.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
                for room in rooms {
                    follow(&room, None).await;
                }
            }
        }
    }

    /// The room of a game, if somebody uses it.
    fn open_room(&self, game: GameId) -> Option<Arc<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).get(&game).cloned()
    }
}

/// Tells the other servers what there is to tell.
async fn speak(store: Arc<dyn Store>, mut words: mpsc::Receiver<Word>) {
    while let Some(word) = words.recv().await {
        if let Err(error) = store.tell(&word).await {
            tracing::warn!(%error, "cannot tell the other servers");
        }
    }
}

/// Reads what another server wrote.
async fn follow(room: &Room, seq: Option<usize>) {
    if let Err(error) = room.heard(seq).await {
        tracing::error!(%error, game = %room.id(), "cannot follow another server");
    }
}

fn random() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from_le_bytes(bytes)
}
