//! The state of a room, and the messages that it sends to its subscribers.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use crownhead_game::{Event, Game, LogError, Moment, Start, Time};
use crownhead_rules::Side;

use super::Room;
use super::presence::Presence;
use crate::error::ApiError;
use crate::online::ids::{GameId, Owner};
use crate::online::message::{PresenceStatus, ServerMessage, raw};
use crate::online::store::{Outage, SeatRole, StoreError, StoredEvent, StoredGame};
use crate::online::summary::Summary;

/// A game, or the invitation to one.
pub(crate) struct RoomState {
    pub(crate) start: Start,
    pub(crate) created: Time,
    pub(super) owners: [Option<Owner>; 2],
    /// The names of the inviter and the guest, as far as they are stored beside the log.
    pub(super) names: [String; 2],
    pub(crate) next: Option<GameId>,
    /// `None` until a guest joins.
    pub(crate) game: Option<Game>,
    /// The length of the log after each command that was carried out, by idempotency key: the seat and the client's id.
    pub(super) commands: HashMap<Box<str>, usize>,
    pub(super) presence: Presence,
    /// The period of the last write, in which players could not see the change yet.
    pub(super) last_write: Option<Outage>,
    /// The store may have changes that this state lacks.
    pub(super) is_stale: bool,
    /// The invitation was withdrawn.
    pub(super) is_withdrawn: bool,
}

impl RoomState {
    /// Builds the state from a stored game. Fails with [`ApiError::Withdrawn`] for a withdrawn invitation.
    pub(super) fn read(id: GameId, stored: &StoredGame, now: Time) -> Result<RoomState, ApiError> {
        let damaged = |error: LogError| StoreError::Damaged { game: id, problem: error.to_string() };
        let game = match &stored.events[..] {
            [] => None,
            [first, ..] if first.record.event == Event::Withdrawn => return Err(ApiError::Withdrawn),
            events => Some(Game::replay(events.iter().map(|event| &event.record)).map_err(damaged)?),
        };
        Ok(RoomState {
            start: stored.start.clone(),
            created: stored.created,
            owners: stored.owners.clone(),
            names: stored.names.clone(),
            next: stored.next,
            game,
            commands: commands(0, &stored.events).collect(),
            presence: Presence::new(now),
            last_write: None,
            is_stale: false,
            is_withdrawn: false,
        })
    }

    /// Applies events that another server stored, in a game that has started. After an error, read the game again.
    pub(super) fn absorb(&mut self, events: &[StoredEvent]) -> Result<(), LogError> {
        let seq = self.seq();
        if let Some(game) = &mut self.game {
            events.iter().try_for_each(|event| game.absorb(&event.record))?;
            self.commands.extend(commands(seq, events));
        }
        Ok(())
    }

    /// Drops all subscribers because there will be no game. Later visitors are told why.
    pub(super) fn dismiss(&mut self) {
        (self.is_stale, self.is_withdrawn) = (true, true);
        self.presence = Presence::default();
    }

    /// How many events there are.
    pub(crate) fn seq(&self) -> usize {
        self.game.as_ref().map_or(0, Game::seq)
    }

    /// The seat of a browser.
    pub(crate) fn seat_of(&self, owner: Option<&Owner>) -> Option<SeatRole> {
        let owner = owner?;
        SeatRole::BOTH.into_iter().find(|seat| self.owners[seat.index()].as_ref() == Some(owner))
    }

    /// The side of a seat, once it is known.
    pub(crate) fn side(&self, seat: SeatRole) -> Option<Side> {
        let bottom = self.game.as_ref()?.started().bottom;
        Some(match seat {
            SeatRole::Inviter => bottom,
            SeatRole::Guest => !bottom,
        })
    }

    pub(super) fn side_of_guest(&self) -> Side {
        self.side(SeatRole::Guest).expect("the game has started")
    }

    pub(crate) fn summary(&self) -> Summary {
        self.game.as_ref().map_or_else(|| Summary::waiting(&self.start), Summary::of)
    }

    /// The outage time since the last event of the game, up to now.
    pub(super) fn outage_ms(&self, room: &Room, now: Time) -> u64 {
        let going_on = self.game.as_ref().filter(|game| game.outcome().is_none());
        going_on.map_or(0, |game| room.context.outages.between(game.last_at(), now, self.last_write))
    }

    pub(super) fn moment(&self, room: &Room, now: Time, lag_ms: u64) -> Moment {
        let away = |side| {
            let seat = SeatRole::BOTH.into_iter().find(|&seat| self.side(seat) == Some(side))?;
            let since = self.presence.away_since(seat)?;
            Some(since.plus(room.context.outages.between(since, now, None)))
        };
        Moment {
            now,
            lag_ms,
            outage_ms: self.outage_ms(room, now),
            black_away_since: away(Side::Black),
            white_away_since: away(Side::White),
        }
    }

    /// The first message to a client, with the events that it does not have.
    pub(super) fn welcome(
        &self,
        room: &Room,
        seat: Option<SeatRole>,
        seq: usize,
        events: &[StoredEvent],
    ) -> Utf8Bytes {
        ServerMessage::Welcome {
            game: room.id,
            you: seat.and_then(|seat| self.side(seat)).map(Into::into),
            seated: seat.is_some(),
            seq,
            records: raw(events),
            snapshot: None,
            now: room.context.now(),
            presence: self.presence_status(room),
            next: self.next,
        }
        .text()
    }

    /// The same for a log that is too long to send: a snapshot instead of events.
    pub(super) fn welcome_by_snapshot(&self, room: &Room, seat: Option<SeatRole>) -> Utf8Bytes {
        ServerMessage::Welcome {
            game: room.id,
            you: seat.and_then(|seat| self.side(seat)).map(Into::into),
            seated: seat.is_some(),
            seq: self.seq(),
            records: Vec::new(),
            snapshot: self.game.as_ref().map(|game| Box::new(game.snapshot())),
            now: room.context.now(),
            presence: self.presence_status(room),
            next: self.next,
        }
        .text()
    }

    /// Who is connected, and the outage time of the game.
    fn presence_status(&self, room: &Room) -> PresenceStatus {
        let now = room.context.now();
        let status = self.presence.status();
        let served = |since: Time| since.plus(room.context.outages.between(since, now, None));
        PresenceStatus {
            inviter_away_since: status.inviter_away_since.map(served),
            guest_away_since: status.guest_away_since.map(served),
            outage_ms: self.outage_ms(room, now),
            ..status
        }
    }

    pub(super) fn send_events(&mut self, room: &Room, seq: usize, events: &[StoredEvent]) {
        let now = room.context.now();
        if seq == 0 {
            // The game starts, and each player learns their side.
            self.presence.assign_seats(&self.owners, self.game.as_ref().map_or(now, Game::started_at));
            let message = [None, Some(SeatRole::Inviter), Some(SeatRole::Guest)]
                .map(|seat| self.welcome(room, seat, 0, events));
            self.presence.send_each(now, |seat| message[seat.map_or(0, |seat| 1 + seat.index())].clone());
        } else {
            let text = ServerMessage::Events { seq, records: raw(events), now }.text();
            self.presence.send_each(now, |_| text.clone());
        }
    }

    pub(super) fn send_next(&mut self, now: Time) {
        if let Some(game) = self.next {
            let text = ServerMessage::Next { game }.text();
            self.presence.send_each(now, |_| text.clone());
        }
    }

    /// Broadcasts who is connected.
    pub(super) fn send_presence(&mut self, room: &Room) {
        let text = ServerMessage::Presence { presence: self.presence_status(room) }.text();
        self.presence.send_each(room.context.now(), |_| text.clone());
    }
}

/// The idempotency keys of events, each with the length of the log after it. The last event of a command counts.
fn commands(seq: usize, events: &[StoredEvent]) -> impl Iterator<Item = (Box<str>, usize)> {
    let numbered = (seq + 1..).zip(events).filter(|(_, event)| !event.command.is_empty());
    numbered.map(|(n, event)| (event.command.as_str().into(), n))
}
