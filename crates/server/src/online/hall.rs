//! All games: finds the room of each, opens new ones, and ends.

mod chores;
mod listening;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crownhead_game::{Game, Time};
use tokio::sync::watch;

use crate::error::ApiError;
use crate::online::code::{GameId, Owner, hash, random};
use crate::online::house::House;
use crate::online::room::{Room, invitation};
use crate::online::sql::News;
use crate::online::store::{Listed, StoreError};
use crate::online::terms::Terms;
use crate::online::word::Neighbours;

/// So often it is looked whether the last connection has closed.
const GLANCE: Duration = Duration::from_millis(10);
/// So many games are listed.
const LISTED: usize = 200;

/// All games.
pub(crate) struct Hall {
    pub(crate) house: Arc<House>,
    rooms: Mutex<HashMap<GameId, Arc<Room>>>,
    neighbours: Neighbours,
    /// Becomes true when the server is to stop.
    stopping: watch::Sender<bool>,
}

impl Hall {
    /// Opens the hall and starts to look after the games.
    pub(crate) async fn open(house: House, news: News) -> Result<Arc<Hall>, StoreError> {
        let hall = Arc::new(Hall {
            house: Arc::new(house),
            rooms: Mutex::default(),
            neighbours: Neighbours::default(),
            stopping: watch::Sender::new(false),
        });
        hall.house.beat().await?;
        hall.start_chores();
        hall.listen(news);
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
        let start = terms.start(u32::from_le_bytes(random()));
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
}
