//! One game that somebody looks at: its state, who is here, and the only way to change it.
//!
//! A change is decided on a copy, stored, and only then shown; so what anybody was told is never lost. The game itself is
//! a cache of what is stored: whenever that is in doubt it is read again.

mod judge;
mod party;
mod record;

use std::collections::HashMap;
use std::sync::Arc;

use crownhead_game::{Command, Effect, Game, Moment, Start, Time, Who};
use crownhead_rules::Side;
use tokio::sync::{Mutex, MutexGuard};

use crate::error::ApiError;
use crate::online::code::{GameId, Owner};
use crate::online::hall::House;
use crate::online::message::{Told, raw};
use crate::online::store::{Seat, StoreError, StoredEvent, StoredGame};
use crate::online::summary::Summary;
use crate::online::word::Word;

use party::Party;
pub(crate) use party::{Attendance, Outbox, Peer, WeakOutbox};
pub(crate) use record::invitation;

/// A command that lost a race is tried again so often; somebody makes progress each time.
const TRIES: usize = 5;

/// A game, perhaps not read yet.
pub(crate) struct Room {
    id: GameId,
    house: Arc<House>,
    state: Mutex<Option<State>>,
}

/// What is known of the game.
pub(crate) struct State {
    pub(crate) start: Start,
    pub(crate) created: Time,
    pub(crate) owners: [Option<Owner>; 2],
    pub(crate) next: Option<GameId>,
    /// Nothing until somebody joins.
    pub(crate) game: Option<Game>,
    /// Commands that were carried out, by seat and by the name that their sender gave them, and the length of the log
    /// afterwards.
    commands: HashMap<Box<str>, usize>,
    party: Party,
    /// A change may have been stored that is not known here.
    stale: bool,
}

impl Room {
    pub(crate) fn new(id: GameId, house: Arc<House>) -> Room {
        Room { id, house, state: Mutex::new(None) }
    }

    pub(crate) fn id(&self) -> GameId {
        self.id
    }

    /// The state as it is stored, with nobody else at it.
    async fn enter(&self) -> Result<MutexGuard<'_, Option<State>>, ApiError> {
        let mut guard = self.state.lock().await;
        match guard.as_mut() {
            None => {
                let stored = self.house.store.game(self.id).await?.ok_or(ApiError::NoGame)?;
                *guard = Some(State::read(self.id, stored, self.house.now())?);
                self.house.tell(Word::Who { game: self.id, server: self.house.server });
            }
            Some(state) if state.stale => self.catch_up(state).await?,
            Some(_) => {}
        }
        Ok(guard)
    }

    /// Looks at the game.
    pub(crate) async fn look<T>(&self, look: impl FnOnce(&State) -> T) -> Result<T, ApiError> {
        let guard = self.enter().await?;
        Ok(look(guard.as_ref().expect("it was just read")))
    }

    /// Reads what others have stored, and tells those who are here.
    async fn catch_up(&self, state: &mut State) -> Result<(), ApiError> {
        let stored = self.house.store.game(self.id).await?.ok_or(ApiError::NoGame)?;
        let fresh = State::read(self.id, stored, self.house.now())?;
        let known = state.seq();
        let before = state.next;
        let party = std::mem::take(&mut state.party);
        *state = State { party, ..fresh };
        if state.seq() > known {
            let events = self.house.store.events(self.id, known).await?;
            state.tell_events(self, known, &events);
        }
        if state.next != before {
            state.tell_next(self.house.now());
        }
        Ok(())
    }

    /// Another server wrote to the game.
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
            && state.party.heard(server, attendance, self.house.now())
        {
            state.tell_here(self, None);
        }
    }

    /// Another server wants to know who is connected here.
    pub(crate) async fn asked_for(&self) {
        if let Some(state) = self.state.lock().await.as_ref().filter(|state| !state.party.is_empty()) {
            self.tell_elsewhere(state);
        }
    }

    fn tell_elsewhere(&self, state: &State) {
        let Attendance { seats, watchers } = state.party.here();
        self.house.tell(Word::Here { game: self.id, server: self.house.server, seats, watchers });
    }

    /// Somebody takes the free seat, and the game starts.
    pub(crate) async fn join(&self, owner: Owner, name: &str) -> Result<Side, ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        if let Some(side) =
            state.seat_of(Some(&owner)).filter(|&seat| seat == Seat::Guest).and_then(|seat| state.side(seat))
        {
            return Ok(side);
        }
        if state.seat_of(Some(&owner)).is_some() {
            return Err(ApiError::OwnInvitation);
        }
        if state.game.is_some() {
            return Err(ApiError::SeatTaken);
        }
        let now = self.house.now();
        let mut start = state.start.clone();
        start.players[1] = crownhead_game::Player::human(name);
        let (game, step) = Game::start(start, now)?;
        let events = record::stored(&step.records, "");
        let seats = vec![(Seat::Guest, owner.clone())];
        let change = record::started(self.id, &game, events.clone(), seats, now);
        state.stale = true;
        match self.house.store.write(vec![change]).await {
            Ok(()) => {}
            Err(StoreError::Taken) => return Err(ApiError::SeatTaken),
            Err(error) => return Err(error.into()),
        }
        state.stale = false;
        state.owners[Seat::Guest.index()] = Some(owner);
        state.game = Some(game);
        state.tell_events(self, 0, &events);
        self.house.metrics.games_started.inc();
        Ok(state.side(Seat::Guest).expect("the game has started"))
    }

    /// Carries out a command of a player, or of the program if there is no seat.
    ///
    /// Gives the length of the log when it was carried out.
    pub(crate) async fn command(&self, by: By<'_>, command: &Command) -> Result<usize, ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        for _ in 0..TRIES {
            match self.try_command(state, by, command).await {
                Err(ApiError::Store(StoreError::Taken)) => self.catch_up(state).await?,
                result => return result,
            }
        }
        Err(ApiError::Busy)
    }

    async fn try_command(&self, state: &mut State, by: By<'_>, command: &Command) -> Result<usize, ApiError> {
        self.forgive_outages(state).await?;
        let key = by.key();
        if let Some(&seq) = state.commands.get(&*key) {
            return Ok(seq);
        }
        let game = state.game.as_ref().ok_or(ApiError::NotStarted)?;
        let who = match by {
            By::House => Who::House,
            By::Peer { seat, .. } => seat.and_then(|seat| state.side(seat)).map_or(Who::Watcher, Who::Seat),
        };
        let moment = state.moment(&self.house, by.lag_ms());
        let mut next = game.clone();
        let step = next.handle(who, command, moment)?;
        if step.records.is_empty() {
            return Ok(next.seq());
        }
        self.store(state, next, &step.records, &key).await
    }

    /// Stores what happened, then makes it so.
    async fn store(
        &self,
        state: &mut State,
        game: Game,
        records: &[crownhead_game::Record],
        key: &str,
    ) -> Result<usize, ApiError> {
        let now = self.house.now();
        let seq = state.seq();
        let events = record::stored(records, key);
        let mut change = record::appended(self.id, &game, seq, events.clone(), now);
        let mut changes = Vec::new();
        if let Some(start) = rematch(&game, records) {
            let next = GameId::random();
            change.next = Some(next);
            changes.push(record::rematch(next, start, &state.owners, now)?);
        }
        let next = change.next;
        changes.insert(0, change);
        // If this future is dropped half-way nobody knows what became of it.
        state.stale = true;
        self.house.store.write(changes).await?;
        state.stale = false;
        self.house.metrics.events_stored.inc_by(events.len() as u64);
        if !key.is_empty() {
            state.commands.insert(key.into(), game.seq());
        }
        state.game = Some(game);
        state.tell_events(self, seq, &events);
        if next.is_some() {
            state.next = next;
            state.tell_next(self.house.now());
        }
        Ok(state.seq())
    }

    /// Nobody's clock pays for time in which no server ran.
    async fn forgive_outages(&self, state: &mut State) -> Result<(), ApiError> {
        while let Some(game) = state.game.as_ref().filter(|game| game.wake_at().is_some())
            && let Some(outage) = self.house.outage_after(game.last_at())
        {
            let mut next = game.clone();
            let moment = Moment::at(outage.until);
            let step = next.handle(Who::House, &Command::Interrupted { since: outage.since }, moment)?;
            self.store(state, next, &step.records, "").await?;
        }
        Ok(())
    }

    /// Looks whether the time of the side to move is up.
    pub(crate) async fn tick(&self) -> Result<(), ApiError> {
        self.command(By::House, &Command::Tick).await.map(drop)
    }

    /// Somebody comes. Sends them what they do not have.
    pub(crate) async fn arrive(&self, peer: Peer, have: usize) -> Result<(), ApiError> {
        let mut guard = self.enter().await?;
        let state = guard.as_mut().expect("it was just read");
        let most = self.house.limits.connections_per_game;
        if peer.seat.is_none() && state.party.len() >= most {
            return Err(ApiError::GameFull);
        }
        let have = have.min(state.seq());
        let events = if have < state.seq() { self.house.store.events(self.id, have).await? } else { vec![] };
        let (seat, outbox, key) = (peer.seat, peer.outbox.clone(), peer.key);
        state.party.come(peer);
        let welcome = state.welcome(self, seat, have, &events[..events.len().min(state.seq() - have)]);
        outbox.send(welcome);
        state.tell_here(self, Some(key));
        self.tell_elsewhere(state);
        Ok(())
    }

    /// Somebody goes.
    pub(crate) async fn leave(&self, key: u64) {
        let mut guard = self.state.lock().await;
        if let Some(state) = guard.as_mut() {
            state.party.go(key, self.house.now());
            state.tell_here(self, None);
            self.tell_elsewhere(state);
        }
    }

    /// Is nobody here? A game that is being used is not.
    pub(crate) fn is_deserted(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| state.as_ref().is_none_or(|state| state.party.is_empty()))
    }
}

/// Who gives a command.
#[derive(Clone, Copy)]
pub(crate) enum By<'a> {
    /// The server itself.
    House,
    /// Somebody who is connected.
    Peer {
        seat: Option<Seat>,
        /// What they call the command.
        id: &'a str,
        lag_ms: u64,
    },
}

impl By<'_> {
    /// What tells this command from all others of the game; nothing for those of the server.
    fn key(&self) -> Box<str> {
        match self {
            By::Peer { seat: Some(seat), id, .. } => format!("{}:{id}", seat.index()).into(),
            By::House | By::Peer { seat: None, .. } => Box::default(),
        }
    }

    fn lag_ms(&self) -> u64 {
        match self {
            By::House => 0,
            By::Peer { lag_ms, .. } => *lag_ms,
        }
    }
}

/// The start of the next game, if it was agreed on just now.
fn rematch(game: &Game, records: &[crownhead_game::Record]) -> Option<Start> {
    let agreed =
        records.iter().any(|record| matches!(record.event, crownhead_game::Event::RematchAgreed { .. }));
    let effect = game.outstanding().into_iter().find_map(|effect| match effect {
        Effect::NewGame { start } => Some(*start),
        _ => None,
    });
    effect.filter(|_| agreed)
}

impl State {
    fn read(id: GameId, stored: StoredGame, now: Time) -> Result<State, StoreError> {
        let damaged =
            |error: crownhead_game::LogError| StoreError::Damaged { game: id, problem: error.to_string() };
        let game = match &stored.events[..] {
            [] => None,
            events => Some(Game::replay(events.iter().map(|event| &event.record)).map_err(damaged)?),
        };
        let mut commands = HashMap::new();
        for (n, event) in stored.events.iter().enumerate().filter(|(_, event)| !event.command.is_empty()) {
            // The last event of a command tells how long the log was after it.
            commands.insert(event.command.as_str().into(), n + 1);
        }
        let StoredGame { start, created, owners, next, .. } = stored;
        Ok(State { start, created, owners, next, game, commands, party: Party::new(now), stale: false })
    }

    /// How many events there are.
    pub(crate) fn seq(&self) -> usize {
        self.game.as_ref().map_or(0, Game::seq)
    }

    /// The seat of somebody.
    pub(crate) fn seat_of(&self, owner: Option<&Owner>) -> Option<Seat> {
        let owner = owner?;
        Seat::BOTH.into_iter().find(|seat| self.owners[seat.index()].as_ref() == Some(owner))
    }

    /// The side of a seat, once it is known.
    pub(crate) fn side(&self, seat: Seat) -> Option<Side> {
        let bottom = self.game.as_ref()?.started().bottom;
        Some(match seat {
            Seat::Inviter => bottom,
            Seat::Guest => !bottom,
        })
    }

    pub(crate) fn summary(&self) -> Summary {
        self.game.as_ref().map_or_else(|| Summary::waiting(&self.start), Summary::of)
    }

    fn moment(&self, house: &House, lag_ms: u64) -> Moment {
        let now = house.now();
        let away = |side| {
            let seat = Seat::BOTH.into_iter().find(|&seat| self.side(seat) == Some(side))?;
            self.party.away_since(seat, &house.neighbours, now)
        };
        Moment { now, lag_ms, black_away_since: away(Side::Black), white_away_since: away(Side::White) }
    }

    fn welcome(
        &self,
        room: &Room,
        seat: Option<Seat>,
        seq: usize,
        events: &[StoredEvent],
    ) -> axum::extract::ws::Utf8Bytes {
        Told::Welcome {
            game: room.id,
            you: seat.and_then(|seat| self.side(seat)).map(Into::into),
            seated: seat.is_some(),
            seq,
            records: raw(events),
            now: room.house.now(),
            presence: self.party.presence(&room.house.neighbours, room.house.now()),
            next: self.next,
        }
        .text()
    }

    fn tell_events(&mut self, room: &Room, seq: usize, events: &[StoredEvent]) {
        let now = room.house.now();
        if seq == 0 {
            // The game starts: now everybody learns their side.
            let told = [None, Some(Seat::Inviter), Some(Seat::Guest)]
                .map(|seat| self.welcome(room, seat, 0, events));
            self.party.reseat(&self.owners);
            self.party.tell_each(now, |seat| told[seat.map_or(0, |seat| 1 + seat.index())].clone());
        } else {
            let text = Told::Events { seq, records: raw(events), now }.text();
            self.party.tell_each(now, |_| text.clone());
        }
    }

    fn tell_next(&mut self, now: Time) {
        if let Some(game) = self.next {
            let text = Told::Next { game }.text();
            self.party.tell_each(now, |_| text.clone());
        }
    }

    /// Tells who is here, to all but one who knows already.
    fn tell_here(&mut self, room: &Room, except: Option<u64>) {
        let now = room.house.now();
        let text = Told::Presence { presence: self.party.presence(&room.house.neighbours, now) }.text();
        self.party.tell_all_but(now, except, &text);
    }
}
