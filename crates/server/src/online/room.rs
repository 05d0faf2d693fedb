//! One game that somebody looks at: its state, who is here, and the only way to change it.
//!
//! A change is decided on a copy, stored, and only then shown; so what anybody was told is never lost. The game itself is
//! a cache of what is stored: whenever that is in doubt it is read again.

mod change;
mod judge;
mod party;
mod record;
mod state;

use std::sync::Arc;
use std::time::Duration;

use crownhead_game::{Event, Time};
use tokio::sync::{Mutex, MutexGuard};

use crate::error::ApiError;
use crate::online::ids::GameId;
use crate::online::context::ServerContext;
use crate::online::store::StoredGame;
use crate::online::word::Word;

use party::Party;
use state::State;

pub(crate) use change::By;
pub(crate) use party::{Attendance, Newcomer, Outbox, WeakOutbox};
pub(crate) use record::{appended, invitation, withdrawn};

/// Who comes and goes within so short a time is told together: a crowd at the door does not drown the game.
const GATHER: Duration = Duration::from_millis(100);

/// Whoever lacks more events than this gets a snapshot instead: no watcher costs more than a short message.
const LONGEST_WELCOME: usize = 500;

/// A game, perhaps not read yet.
pub(crate) struct Room {
    id: GameId,
    context: Arc<ServerContext>,
    state: Mutex<Option<State>>,
}

impl Room {
    pub(crate) fn new(id: GameId, context: Arc<ServerContext>) -> Room {
        Room { id, context, state: Mutex::new(None) }
    }

    pub(crate) fn id(&self) -> GameId {
        self.id
    }

    /// The state as it is stored, with nobody else at it.
    async fn enter(&self) -> Result<MutexGuard<'_, Option<State>>, ApiError> {
        let mut guard = self.state.lock().await;
        match guard.as_mut() {
            None => {
                *guard = Some(State::read(self.id, &self.read().await?, self.context.now())?);
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

    /// Looks at the game.
    pub(crate) async fn look<T>(&self, look: impl FnOnce(&State) -> T) -> Result<T, ApiError> {
        let guard = self.enter().await?;
        Ok(look(guard.as_ref().expect("it was just read")))
    }

    /// Reads what others have stored, and tells those who are here.
    async fn catch_up(&self, state: &mut State) -> Result<(), ApiError> {
        // Nothing comes after that, and a crowd that is let go does not ask the database why.
        if state.is_withdrawn {
            return Err(ApiError::Withdrawn);
        }
        let known = state.seq();
        // Before it starts, and when a rematch is agreed on, more than the events changes.
        if known > 0 {
            let events = self.context.store.events(self.id, known).await?;
            let is_plain =
                !events.iter().any(|event| matches!(event.record.event, Event::RematchAgreed { .. }));
            if is_plain && state.absorb(&events).is_ok() {
                state.is_stale = false;
                if !events.is_empty() {
                    state.tell_events(self, known, &events);
                }
                return Ok(());
            }
        }
        self.read_again(state, known).await
    }

    /// Reads all that is stored, and tells those who are here what they do not know.
    async fn read_again(&self, state: &mut State, known: usize) -> Result<(), ApiError> {
        let stored = match self.read().await {
            Err(error @ ApiError::NoGame) => {
                // It was deleted. Those who are here are let go, and learn why.
                (state.is_stale, state.game) = (true, None);
                state.party = Party::default();
                return Err(error);
            }
            stored => stored?,
        };
        let fresh = match State::read(self.id, &stored, self.context.now()) {
            Err(error @ ApiError::Withdrawn) => {
                state.dismiss();
                return Err(error);
            }
            fresh => fresh?,
        };
        let next = state.next;
        let party = std::mem::take(&mut state.party);
        *state = State { party, ..fresh };
        if let Some(events @ [_, ..]) = stored.events.get(known..) {
            state.tell_events(self, known, events);
        }
        if state.next != next {
            state.tell_next(self.context.now());
        }
        Ok(())
    }

    /// Somebody comes. Sends them what they do not have.
    pub(crate) async fn arrive(self: &Arc<Room>, newcomer: Newcomer, have: usize) -> Result<(), ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        if have > state.seq() {
            // Another server has told them what we have not heard of yet.
            self.catch_up(state).await?;
        }
        let seat = state.seat_of(newcomer.owner.as_ref());
        if seat.is_none() && state.party.len() >= self.context.limits.connections_per_game {
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
        let outbox = newcomer.outbox.clone();
        state.party.come(newcomer, seat);
        // Another server may have stored more by now; that comes when it is heard of.
        let events = &events[..events.len().min(state.seq() - have)];
        outbox.send(if is_long {
            state.welcome_by_snapshot(self, seat)
        } else {
            state.welcome(self, seat, have, events)
        });
        // Whoever was to judge a claim may have died over it.
        self.judge_soon(state);
        self.tell_soon(state);
        Ok(())
    }

    /// Somebody goes.
    pub(crate) async fn leave(self: &Arc<Room>, key: u64) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut() {
            state.party.go(key, self.context.now());
            self.tell_soon(state);
        }
    }

    /// Has it told that an outage is over, with all else that there is to tell.
    pub(crate) async fn tell_outage(self: &Arc<Room>) {
        if let Some(state) = self.state.lock().await.as_mut() {
            self.tell_soon(state);
        }
    }

    /// Has it told in a moment who is here, to those who are and to the other servers.
    fn tell_soon(self: &Arc<Room>, state: &mut State) {
        if std::mem::replace(&mut state.party.is_telling, true) {
            return;
        }
        let room = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(GATHER).await;
            if let Some(state) = room.state.lock().await.as_mut() {
                state.party.is_telling = false;
                state.tell_here(&room);
                room.tell_elsewhere(state);
            }
        });
    }

    fn tell_elsewhere(&self, state: &State) {
        let Attendance { seats, watchers } = state.party.here();
        self.context.tell(Word::Here { game: self.id, server: self.context.server, seats, watchers });
    }

    /// Reads the game again, whatever was known of it.
    pub(crate) async fn reload(self: &Arc<Room>) -> Result<(), ApiError> {
        let mut guard = self.state.lock().await;
        let Some(state) = guard.as_mut() else { return Ok(()) };
        let known = state.seq();
        self.read_again(state, known).await?;
        state.party.begin(&state.owners, self.context.now());
        self.tell_soon(state);
        Ok(())
    }

    /// Another server wrote to the game: so many events, if it said so.
    pub(crate) async fn heard(&self, seq: Option<usize>) -> Result<(), ApiError> {
        let mut guard = self.state.lock().await;
        match guard.as_mut() {
            Some(state) if seq.is_none_or(|seq| seq > state.seq()) => self.catch_up(state).await,
            _ => Ok(()),
        }
    }

    /// Another server told who is connected there.
    pub(crate) async fn heard_of(&self, server: u64, attendance: Attendance) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut()
            && state.party.heard(server, attendance, self.context.now())
        {
            state.tell_here(self);
        }
    }

    /// Another server is gone, and those who were connected there.
    pub(crate) async fn lost(&self, server: u64, gone_since: Time) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut()
            && state.party.heard(server, Attendance::default(), gone_since)
        {
            state.tell_here(self);
        }
    }

    /// Another server wants to know who is connected here.
    pub(crate) async fn asked_for(&self) {
        if let Some(state) = self.state.lock().await.as_ref().filter(|state| !state.party.is_empty()) {
            self.tell_elsewhere(state);
        }
    }

    /// Is nobody here? A game that is being used is not.
    pub(crate) fn is_deserted(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| state.as_ref().is_none_or(|state| state.party.is_empty()))
    }
}
