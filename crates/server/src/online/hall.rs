//! All games: finds the room of each, opens new ones, and ends.

mod chores;
mod listening;

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use crownhead_game::{Game, Time};
use crownhead_rules::Side;
use tokio::sync::watch;

use crate::error::ApiError;
use crate::online::code::{GameId, Owner, random};
use crate::online::house::House;
use crate::online::room::{Room, invitation};
use crate::online::store::Listed;
use crate::online::summary::Phase;
use crate::online::terms::Terms;
use crate::online::word::{Neighbours, Word};

/// So many games are listed.
const LISTED: usize = 200;

/// All games.
pub(crate) struct Hall {
    pub(crate) house: Arc<House>,
    rooms: Mutex<HashMap<GameId, Arc<Room>>>,
    neighbours: Neighbours,
    /// Games whose clocks could not be looked at, and until when they are left alone.
    set_aside: Mutex<HashMap<GameId, Time>>,
    /// When games that nobody played were last forgotten.
    cleaned_at: AtomicU64,
    /// How many connections are open.
    visits: watch::Sender<usize>,
}

/// A connection, counted until it is dropped: when nobody is left the server may end.
pub(crate) struct Visit(Arc<Hall>);

impl Drop for Visit {
    fn drop(&mut self) {
        self.0.visits.send_modify(|visits| *visits -= 1);
    }
}

impl Hall {
    /// Opens the hall and starts to look after the games.
    pub(crate) fn open(house: House) -> Arc<Hall> {
        let feed = house.store.feed();
        house.outages.start_watchdog();
        let hall = Arc::new(Hall {
            cleaned_at: AtomicU64::new(house.now().0),
            house: Arc::new(house),
            rooms: Mutex::default(),
            neighbours: Neighbours::default(),
            set_aside: Mutex::default(),
            visits: watch::Sender::new(0),
        });
        hall.start_chores();
        hall.listen(feed);
        hall
    }

    /// The room of a game, if there is such a game.
    pub(crate) async fn room(&self, id: GameId) -> Result<Arc<Room>, ApiError> {
        let room = {
            let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            rooms.entry(id).or_insert_with(|| Arc::new(Room::new(id, self.house.clone()))).clone()
        };
        // It has to be known while it is read, so that nothing is missed which another server writes meanwhile.
        let entered = room.look(|_| ()).await;
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if entered.is_err()
            && rooms.get(&id).is_some_and(|known| Arc::ptr_eq(known, &room) && room.is_deserted())
        {
            rooms.remove(&id);
        }
        self.house.metrics.rooms.set(rooms.len() as i64);
        entered.map(|()| room)
    }

    /// The room of a game, or one in which everybody learns that its invitation was withdrawn.
    pub(crate) async fn room_or_its_end(&self, id: GameId) -> Result<Arc<Room>, ApiError> {
        match self.room(id).await {
            Err(ApiError::Withdrawn) => Ok(Arc::new(Room::new(id, self.house.clone()))),
            room => room,
        }
    }

    /// The room of a game, if somebody uses it.
    fn open_room(&self, game: GameId) -> Option<Arc<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).get(&game).cloned()
    }

    /// All rooms that somebody uses.
    fn open_rooms(&self) -> Vec<Arc<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Opens an invitation.
    pub(crate) async fn invite(&self, terms: Terms, owner: Owner, address: &str) -> Result<GameId, ApiError> {
        self.house.check_new_game(&owner, address).await?;
        let start = terms.start(u32::from_le_bytes(random()));
        let now = self.house.now();
        // Is it a game that can be?
        Game::start(start.clone(), now)?;
        let id = GameId::random();
        self.house.write(vec![invitation(id, start, owner, address.to_owned(), now)]).await?;
        self.house.metrics.invitations.inc();
        tracing::info!(game = ?id, "invitation made");
        Ok(id)
    }

    /// Takes the free seat of a game.
    pub(crate) async fn join(&self, id: GameId, owner: Owner, name: &str) -> Result<Side, ApiError> {
        self.house.check_open()?;
        self.house.check_writable()?;
        self.room(id).await?.join(owner, name).await
    }

    /// Takes an invitation back.
    pub(crate) async fn withdraw(&self, id: GameId, owner: Option<&Owner>) -> Result<(), ApiError> {
        self.room_or_its_end(id).await?.withdraw(owner).await
    }

    /// Forgets a browser: its seats are free of it, and its names are gone.
    pub(crate) async fn forget(&self, owner: &Owner) -> Result<usize, ApiError> {
        for listed in self.games_of(owner).await? {
            if listed.summary.phase == Phase::Waiting {
                self.withdraw(listed.game, Some(owner)).await?;
            }
        }
        let games = self.house.store.forget(owner).await?;
        for &game in &games {
            if let Some(room) = self.open_room(game) {
                match room.reload().await {
                    // Those who waited for the game are let go by now.
                    Ok(()) | Err(ApiError::Withdrawn) => {}
                    Err(error) => return Err(error),
                }
            }
            self.house.tell(Word::Changed { game });
        }
        Ok(games.len())
    }

    /// The games of a browser.
    pub(crate) async fn games_of(&self, owner: &Owner) -> Result<Vec<Listed>, ApiError> {
        Ok(self.house.store.games_of(owner, LISTED).await?)
    }

    /// Can games be played?
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        self.house.check_open()?;
        self.house.check_writable()
    }

    /// Tells all connections to go elsewhere.
    pub(crate) fn stop(&self) {
        self.house.stopping.send_replace(true);
    }

    /// Notes a connection, until the guest is dropped.
    pub(crate) fn welcome(self: &Arc<Hall>) -> Visit {
        self.visits.send_modify(|visits| *visits += 1);
        Visit(self.clone())
    }

    /// Waits until all connections are closed.
    pub(crate) async fn emptied(&self) {
        let mut visits = self.visits.subscribe();
        visits.wait_for(|&visits| visits == 0).await.expect("the hall holds the sender");
    }

    /// What goes on, for Prometheus.
    pub(crate) fn metrics(&self) -> String {
        self.house.metrics.connections.set(*self.visits.borrow() as i64);
        self.house.metrics.write_queue_length.set(self.house.store.queue_length() as i64);
        self.house.metrics.text()
    }

    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.house.stopping.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use crownhead_game::Command;
    use futures_util::FutureExt;

    use super::*;
    use crate::Database;
    use crate::online::code::Secret;
    use crate::online::room::By;
    use crate::online::{Limits, Outages, RateLimiters, ServerClock, Store};
    use crate::tables::Tables;

    async fn hall(folder: &tempfile::TempDir) -> Arc<Hall> {
        let clock = ServerClock::system();
        let database = Database::File(folder.path().join("games"));
        let store = Store::open(&database, Outages::new(clock.clone())).await.expect("a store");
        let limits = Limits::default();
        let rate_limiters = Arc::new(RateLimiters::new(&limits));
        let house = House::open(Arc::new(store), limits, Tables::default(), clock, rate_limiters);
        Hall::open(house.await.expect("a house"))
    }

    #[tokio::test]
    async fn a_hall_that_closes_takes_no_new_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = hall(&folder).await;
        let [anna, ben] = [0; 2].map(|_| Secret::random().owner());
        let id = hall.invite(Terms::default(), anna.clone(), "here").await.expect("an invitation");
        hall.stop();
        assert!(matches!(hall.invite(Terms::default(), anna, "here").await, Err(ApiError::Stopping)));
        assert!(matches!(hall.join(id, ben, "Ben").await, Err(ApiError::Stopping)));
        assert!(matches!(hall.check(), Err(ApiError::Stopping)));
    }

    #[tokio::test]
    async fn a_hall_that_closes_takes_no_rematch_but_lets_games_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = hall(&folder).await;
        let [anna, ben] = [0; 2].map(|_| Secret::random().owner());
        let [over, on] = [0; 2].map(|_| hall.invite(Terms::default(), anna.clone(), "here"));
        let (over, on) = (over.await.expect("an invitation"), on.await.expect("an invitation"));
        for id in [over, on] {
            hall.join(id, ben.clone(), "Ben").await.expect("a seat");
        }
        let give = async |game, owner: &Owner, id: &str, command| {
            hall.room(game)
                .await?
                .command(By::Peer { owner: Some(owner), id, lag_ms: 0, address: "here" }, &command)
                .await
        };
        give(over, &ben, "1", Command::Resign).await.expect("the end");
        give(over, &ben, "2", Command::Rematch).await.expect("a wish");
        hall.stop();
        assert!(matches!(give(over, &anna, "3", Command::Rematch).await, Err(ApiError::Stopping)));
        let stored = hall.house.store.game(over).await.expect("an answer").expect("the game");
        assert_eq!((stored.events.len(), stored.next), (3, None));
        give(on, &ben, "1", Command::Resign).await.expect("the end");
    }

    #[tokio::test]
    async fn a_hall_is_empty_when_the_last_connection_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = hall(&folder).await;
        let (one, two) = (hall.welcome(), hall.welcome());
        assert!(hall.metrics().contains("crownhead_connections 2"));
        drop(one);
        assert!(hall.emptied().now_or_never().is_none());
        drop(two);
        assert!(hall.emptied().now_or_never().is_some());
    }
}
