//! The registry of games: finds the room of each, opens invitations, and shuts down.

mod maintenance;
mod peers;

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use crownhead_game::{Game, Time};
use crownhead_rules::Side;
use tokio::sync::watch;

use crate::error::ApiError;
use crate::online::cluster::{ClusterMessage, Peers};
use crate::online::context::ServerContext;
use crate::online::ids::{GameId, Owner, random};
use crate::online::requests::InviteRequest;
use crate::online::room::{Room, invitation};
use crate::online::store::ListedGame;
use crate::online::summary::Phase;

/// The most games in a list.
const LISTED: usize = 200;

/// The registry of games.
pub(crate) struct Games {
    pub(crate) context: Arc<ServerContext>,
    rooms: Mutex<HashMap<GameId, Arc<Room>>>,
    peers: Peers,
    /// Games whose clocks are not checked for now, and until when.
    set_aside: Mutex<HashMap<GameId, Time>>,
    /// When unplayed games were last removed.
    cleaned_at: AtomicU64,
    /// How many connections are open.
    connections: watch::Sender<usize>,
}

/// A connection, counted until it is dropped. The server waits for the last one when it stops.
pub(crate) struct ConnectionGuard(Arc<Games>);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.0.connections.send_modify(|connections| *connections -= 1);
    }
}

impl Games {
    /// Opens the registry and starts its maintenance.
    pub(crate) fn open(context: ServerContext) -> Arc<Games> {
        let feed = context.store.feed();
        context.outages.start_watchdog();
        let games = Arc::new(Games {
            cleaned_at: AtomicU64::new(context.now().0),
            context: Arc::new(context),
            rooms: Mutex::default(),
            peers: Peers::default(),
            set_aside: Mutex::default(),
            connections: watch::Sender::new(0),
        });
        games.start_maintenance();
        games.listen(feed);
        games
    }

    /// The room of a game, if there is such a game.
    pub(crate) async fn room(&self, id: GameId) -> Result<Arc<Room>, ApiError> {
        let room = {
            let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            rooms.entry(id).or_insert_with(|| Arc::new(Room::new(id, self.context.clone()))).clone()
        };
        // The room is registered before it is read, so that it misses nothing that another server writes meanwhile.
        let entered = room.with_state(|_| ()).await;
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if entered.is_err()
            && rooms.get(&id).is_some_and(|known| Arc::ptr_eq(known, &room) && room.is_empty())
        {
            rooms.remove(&id);
        }
        self.context.metrics.rooms.set(rooms.len() as i64);
        entered.map(|()| room)
    }

    /// The room of a game, or a room that tells its visitors that the invitation was withdrawn.
    pub(crate) async fn room_or_its_end(&self, id: GameId) -> Result<Arc<Room>, ApiError> {
        match self.room(id).await {
            Err(ApiError::Withdrawn) => Ok(Arc::new(Room::new(id, self.context.clone()))),
            room => room,
        }
    }

    /// The room of a game, if it is in memory.
    fn open_room(&self, game: GameId) -> Option<Arc<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).get(&game).cloned()
    }

    /// All rooms in memory.
    fn open_rooms(&self) -> Vec<Arc<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Opens an invitation.
    pub(crate) async fn invite(
        &self,
        request: InviteRequest,
        owner: Owner,
        address: &str,
    ) -> Result<GameId, ApiError> {
        self.context.check_new_game(&owner, address).await?;
        let start = request.start(u32::from_le_bytes(random()));
        let now = self.context.now();
        // Rejects a start that no game can have.
        Game::start(start.clone(), now)?;
        let id = GameId::random();
        self.context.write(vec![invitation(id, start, owner, address.to_owned(), now)]).await?;
        self.context.metrics.invitations.inc();
        tracing::info!(game = ?id, "invitation made");
        Ok(id)
    }

    /// Takes the free seat of a game.
    pub(crate) async fn join(&self, id: GameId, owner: Owner, name: &str) -> Result<Side, ApiError> {
        self.context.check_open()?;
        self.context.check_writable()?;
        self.room(id).await?.join(owner, name).await
    }

    /// Withdraws an invitation.
    pub(crate) async fn withdraw(&self, id: GameId, owner: Option<&Owner>) -> Result<(), ApiError> {
        self.room_or_its_end(id).await?.withdraw(owner).await
    }

    /// Forgets a browser: withdraws its invitations, unlinks its seats, removes its names. Returns the number of games.
    pub(crate) async fn forget(&self, owner: &Owner) -> Result<usize, ApiError> {
        for listed in self.games_of(owner).await? {
            if listed.summary.phase == Phase::Waiting {
                self.withdraw(listed.game, Some(owner)).await?;
            }
        }
        let games = self.context.store.forget(owner).await?;
        for &game in &games {
            if let Some(room) = self.open_room(game) {
                match room.reload().await {
                    // The subscribers have been dropped already.
                    Ok(()) | Err(ApiError::Withdrawn) => {}
                    Err(error) => return Err(error),
                }
            }
            self.context.tell(ClusterMessage::Changed { game });
        }
        Ok(games.len())
    }

    /// The games of a browser.
    pub(crate) async fn games_of(&self, owner: &Owner) -> Result<Vec<ListedGame>, ApiError> {
        Ok(self.context.store.games_of(owner, LISTED).await?)
    }

    /// Can games be played?
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        self.context.check_open()?;
        self.context.check_writable()
    }

    /// Starts the shutdown, on which every connection closes.
    pub(crate) fn stop(&self) {
        self.context.stopping.send_replace(true);
    }

    /// Counts a connection until the guard is dropped.
    pub(crate) fn welcome(self: &Arc<Games>) -> ConnectionGuard {
        self.connections.send_modify(|connections| *connections += 1);
        ConnectionGuard(self.clone())
    }

    /// Waits until all connections are closed.
    pub(crate) async fn drained(&self) {
        let mut connections = self.connections.subscribe();
        connections.wait_for(|&connections| connections == 0).await.expect("the registry holds the sender");
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        self.context.metrics.connections.set(*self.connections.borrow() as i64);
        self.context.metrics.write_queue_length.set(self.context.store.queue_length() as i64);
        self.context.metrics.text()
    }

    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.context.stopping.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use crownhead_game::Command;
    use futures_util::FutureExt;

    use super::*;
    use crate::online::ids::Secret;
    use crate::online::room::CommandSource;
    use crate::online::{Outages, RateLimiters, Store};
    use crate::{Config, Database};

    async fn games(folder: &tempfile::TempDir) -> Arc<Games> {
        let config = Config::default();
        let database = Database::File(folder.path().join("games"));
        let store = Store::open(&database, Outages::new(config.clock.clone())).await.expect("a store");
        let rate_limiters = Arc::new(RateLimiters::new(&config.limits));
        let context = ServerContext::open(Arc::new(store), &config, rate_limiters).await;
        Games::open(context.expect("a context"))
    }

    #[tokio::test]
    async fn a_stopping_server_takes_no_new_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games(&folder).await;
        let [anna, ben] = [0; 2].map(|_| Secret::random().owner());
        let id = games.invite(InviteRequest::default(), anna.clone(), "here").await.expect("an invitation");
        games.stop();
        assert!(matches!(
            games.invite(InviteRequest::default(), anna, "here").await,
            Err(ApiError::Stopping)
        ));
        assert!(matches!(games.join(id, ben, "Ben").await, Err(ApiError::Stopping)));
        assert!(matches!(games.check(), Err(ApiError::Stopping)));
    }

    #[tokio::test]
    async fn a_stopping_server_takes_no_rematch_but_lets_games_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games(&folder).await;
        let [anna, ben] = [0; 2].map(|_| Secret::random().owner());
        let [over, on] = [0; 2].map(|_| games.invite(InviteRequest::default(), anna.clone(), "here"));
        let (over, on) = (over.await.expect("an invitation"), on.await.expect("an invitation"));
        for id in [over, on] {
            games.join(id, ben.clone(), "Ben").await.expect("a seat");
        }
        let give = async |game, owner: &Owner, id: &str, command| {
            games
                .room(game)
                .await?
                .command(
                    CommandSource::Client { owner: Some(owner), id, lag_ms: 0, address: "here" },
                    &command,
                )
                .await
        };
        give(over, &ben, "1", Command::Resign).await.expect("the end");
        give(over, &ben, "2", Command::Rematch).await.expect("a wish");
        games.stop();
        assert!(matches!(give(over, &anna, "3", Command::Rematch).await, Err(ApiError::Stopping)));
        let stored = games.context.store.game(over).await.expect("an answer").expect("the game");
        assert_eq!((stored.events.len(), stored.next), (3, None));
        give(on, &ben, "1", Command::Resign).await.expect("the end");
    }

    #[tokio::test]
    async fn connections_are_drained_when_the_last_one_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games(&folder).await;
        let (one, two) = (games.welcome(), games.welcome());
        assert!(games.metrics().contains("crownhead_connections 2"));
        drop(one);
        assert!(games.drained().now_or_never().is_none());
        drop(two);
        assert!(games.drained().now_or_never().is_some());
    }
}
