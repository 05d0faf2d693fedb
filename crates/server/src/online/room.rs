//! A room: one game in memory, its subscribers, and the only way to change it.
//!
//! A command is applied to a copy of the game, stored, and only then broadcast, so nothing that a client was told is
//! ever lost. The game in memory is a cache of the log: whenever it may be stale, the room reads the log again.

mod adjudication;
mod change;
mod command;
mod presence;

mod state;

use std::sync::Arc;
use std::time::Duration;

use crownhead_game::{Event, Time};
use tokio::sync::{Mutex, MutexGuard};

use crate::error::ApiError;
use crate::online::cluster::ClusterMessage;
use crate::online::context::ServerContext;
use crate::online::ids::GameId;
use crate::online::store::StoredGame;

use presence::Presence;
use state::RoomState;

pub(crate) use change::{appended, invitation, withdrawn};
pub(crate) use command::CommandSource;
pub(crate) use presence::{NewSubscriber, Outbox, ServerPresence, WeakOutbox};

/// Changes of presence within this time are announced together, so that a crowd does not flood the room.
const GATHER: Duration = Duration::from_millis(100);

/// A client that lacks more events than this gets a snapshot instead, so that no watcher costs more than a short
/// message.
const LONGEST_WELCOME: usize = 500;

/// The room of one game. The state is read from the store on first use.
pub(crate) struct Room {
    id: GameId,
    context: Arc<ServerContext>,
    state: Mutex<Option<RoomState>>,
}

impl Room {
    pub(crate) fn new(id: GameId, context: Arc<ServerContext>) -> Room {
        Room { id, context, state: Mutex::new(None) }
    }

    pub(crate) fn id(&self) -> GameId {
        self.id
    }

    /// Locks the state and brings it up to date with the store.
    async fn enter(&self) -> Result<MutexGuard<'_, Option<RoomState>>, ApiError> {
        let mut guard = self.state.lock().await;
        match guard.as_mut() {
            None => {
                *guard = Some(RoomState::read(self.id, &self.read().await?, self.context.now())?);
                self.context.ask_who(self.id).await;
            }
            Some(state) if state.is_stale => self.catch_up(state).await?,
            Some(_) => {}
        }
        Ok(guard)
    }

    async fn read(&self) -> Result<StoredGame, ApiError> {
        self.context.store.game(self.id).await?.ok_or(ApiError::NoGame)
    }

    /// Brings the state up to date and reads from it.
    pub(crate) async fn with_state<T>(&self, read: impl FnOnce(&RoomState) -> T) -> Result<T, ApiError> {
        let guard = self.enter().await?;
        Ok(read(guard.as_ref().expect("it was just read")))
    }

    /// Reads the events that other servers have stored, and sends them to the subscribers.
    async fn catch_up(&self, state: &mut RoomState) -> Result<(), ApiError> {
        // No event follows a withdrawal, and a crowd of dropped subscribers must not query the database for the reason.
        if state.is_withdrawn {
            return Err(ApiError::Withdrawn);
        }
        let known = state.seq();
        // When the game starts, and when a rematch is agreed on, more than the log changes.
        if known > 0 {
            let events = self.context.store.events(self.id, known).await?;
            let is_plain =
                !events.iter().any(|event| matches!(event.record.event, Event::RematchAgreed { .. }));
            if is_plain && state.absorb(&events).is_ok() {
                state.is_stale = false;
                if !events.is_empty() {
                    state.send_events(self, known, &events);
                }
                return Ok(());
            }
        }
        self.read_again(state, known).await
    }

    /// Reads the whole game, and sends the subscribers what they do not have yet.
    async fn read_again(&self, state: &mut RoomState, known: usize) -> Result<(), ApiError> {
        let stored = match self.read().await {
            Err(error @ ApiError::NoGame) => {
                // The game was deleted. Its subscribers are dropped, and their connections tell them why.
                (state.is_stale, state.game) = (true, None);
                state.presence = Presence::default();
                return Err(error);
            }
            stored => stored?,
        };
        let fresh = match RoomState::read(self.id, &stored, self.context.now()) {
            Err(error @ ApiError::Withdrawn) => {
                state.dismiss();
                return Err(error);
            }
            fresh => fresh?,
        };
        let next = state.next;
        let presence = std::mem::take(&mut state.presence);
        *state = RoomState { presence, ..fresh };
        if let Some(events @ [_, ..]) = stored.events.get(known..) {
            state.send_events(self, known, events);
        }
        if state.next != next {
            state.send_next(self.context.now());
        }
        Ok(())
    }

    /// Adds a subscriber and sends it the events that it does not have.
    pub(crate) async fn subscribe(
        self: &Arc<Room>,
        subscriber: NewSubscriber,
        have: usize,
    ) -> Result<(), ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        if have > state.seq() {
            // The client has events from another server that have not reached this one yet.
            self.catch_up(state).await?;
        }
        let seat = state.seat_of(subscriber.owner.as_ref());
        if seat.is_none() && state.presence.len() >= self.context.limits.connections_per_game {
            return Err(ApiError::GameFull);
        }
        let have = have.min(state.seq());
        let is_long = state.seq() - have > LONGEST_WELCOME;
        let mut events = if have < state.seq() && !is_long {
            self.context.store.events(self.id, have).await?
        } else {
            vec![]
        };
        if let (0, Some(first)) = (have, events.first_mut()) {
            first.put_names(&state.names);
        }
        let outbox = subscriber.outbox.clone();
        state.presence.add(subscriber, seat);
        // Another server may have stored more by now; its cluster message brings that.
        let events = &events[..events.len().min(state.seq() - have)];
        outbox.send(if is_long {
            state.welcome_by_snapshot(self, seat)
        } else {
            state.welcome(self, seat, have, events)
        });
        // The server that was to adjudicate a claim may have died.
        self.adjudicate_soon(state);
        self.announce_soon(state);
        Ok(())
    }

    /// Removes a subscriber.
    pub(crate) async fn unsubscribe(self: &Arc<Room>, key: u64) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut() {
            state.presence.remove(key, self.context.now());
            self.announce_soon(state);
        }
    }

    /// Schedules an announcement, because the outage time that it carries has changed.
    pub(crate) async fn announce_outage(self: &Arc<Room>) {
        if let Some(state) = self.state.lock().await.as_mut() {
            self.announce_soon(state);
        }
    }

    /// Schedules an announcement of who is connected, to the subscribers and to the other servers.
    fn announce_soon(self: &Arc<Room>, state: &mut RoomState) {
        if std::mem::replace(&mut state.presence.is_announcing, true) {
            return;
        }
        let room = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(GATHER).await;
            if let Some(state) = room.state.lock().await.as_mut() {
                state.presence.is_announcing = false;
                state.send_presence(&room);
                room.publish_presence(state);
            }
        });
    }

    fn publish_presence(&self, state: &RoomState) {
        let ServerPresence { seats, watchers } = state.presence.local();
        self.context.tell(ClusterMessage::Here {
            game: self.id,
            server: self.context.server,
            seats,
            watchers,
        });
    }

    /// Reads the whole game again, because more than its log has changed.
    pub(crate) async fn reload(self: &Arc<Room>) -> Result<(), ApiError> {
        let mut guard = self.state.lock().await;
        let Some(state) = guard.as_mut() else { return Ok(()) };
        let known = state.seq();
        self.read_again(state, known).await?;
        state.presence.assign_seats(&state.owners, self.context.now());
        self.announce_soon(state);
        Ok(())
    }

    /// Another server wrote to the game, which has `seq` events now if that is known.
    pub(crate) async fn heard(&self, seq: Option<usize>) -> Result<(), ApiError> {
        let mut guard = self.state.lock().await;
        match guard.as_mut() {
            Some(state) if seq.is_none_or(|seq| seq > state.seq()) => self.catch_up(state).await,
            _ => Ok(()),
        }
    }

    /// Another server reported who is connected there.
    pub(crate) async fn remote_presence(&self, server: u64, presence: ServerPresence) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut()
            && state.presence.update_remote(server, presence, self.context.now())
        {
            state.send_presence(self);
        }
    }

    /// Another server is gone, and its clients with it.
    pub(crate) async fn peer_lost(&self, server: u64, gone_since: Time) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut()
            && state.presence.update_remote(server, ServerPresence::default(), gone_since)
        {
            state.send_presence(self);
        }
    }

    /// Another server asks who is connected here.
    pub(crate) async fn presence_requested(&self) {
        if let Some(state) = self.state.lock().await.as_ref().filter(|state| !state.presence.is_empty()) {
            self.publish_presence(state);
        }
    }

    /// Does it have no subscribers? A room whose state is locked is in use.
    pub(crate) fn is_empty(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| state.as_ref().is_none_or(|state| state.presence.is_empty()))
    }
}
