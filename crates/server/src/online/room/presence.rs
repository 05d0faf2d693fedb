//! Presence: who is connected to a game, at this server and at others, and the outboxes of local subscribers.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use crownhead_game::Time;
use tokio::sync::mpsc;

use crate::online::ids::Owner;
use crate::online::message::PresenceStatus;
use crate::online::store::SeatRole;

/// A subscriber with this many unread messages is dropped.
pub(crate) const OUTBOX: usize = 64;

/// The send queue of one connection. The connection closes when the last sender is dropped.
#[derive(Clone)]
pub(crate) struct Outbox(mpsc::Sender<Utf8Bytes>);

impl Outbox {
    pub(crate) fn new() -> (Outbox, mpsc::Receiver<Utf8Bytes>) {
        let (sender, receiver) = mpsc::channel(OUTBOX);
        (Outbox(sender), receiver)
    }

    /// A handle for the connection itself, which must not keep its own queue open.
    pub(crate) fn weak(&self) -> WeakOutbox {
        WeakOutbox(self.0.downgrade())
    }

    /// Returns whether the queue had room.
    pub(crate) fn send(&self, text: Utf8Bytes) -> bool {
        self.0.try_send(text).is_ok()
    }
}

/// A send queue that the room may have closed.
pub(crate) struct WeakOutbox(mpsc::WeakSender<Utf8Bytes>);

impl WeakOutbox {
    /// Returns whether the queue is still open and had room.
    pub(crate) fn send(&self, text: Utf8Bytes) -> bool {
        self.0.upgrade().is_some_and(|sender| sender.try_send(text).is_ok())
    }
}

/// A client that is about to subscribe.
pub(crate) struct NewSubscriber {
    /// Unique among all connections.
    pub(crate) key: u64,
    pub(crate) owner: Option<Owner>,
    pub(crate) outbox: Outbox,
}

/// A connected client.
struct Subscriber {
    key: u64,
    owner: Option<Owner>,
    seat: Option<SeatRole>,
    outbox: Outbox,
}

/// Who is connected to the game at one server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerPresence {
    pub(crate) seats: [bool; 2],
    pub(crate) watchers: usize,
}

/// All connected clients, and since when absent players have been away.
#[derive(Default)]
pub(crate) struct Presence {
    subscribers: Vec<Subscriber>,
    disconnected_at: [Time; 2],
    remote: HashMap<u64, ServerPresence>,
    /// An announcement of the presence is scheduled.
    pub(super) is_announcing: bool,
}

impl Presence {
    pub(crate) fn new(now: Time) -> Presence {
        Presence { disconnected_at: [now; 2], ..Presence::default() }
    }

    pub(crate) fn add(&mut self, subscriber: NewSubscriber, seat: Option<SeatRole>) {
        let NewSubscriber { key, owner, outbox } = subscriber;
        self.subscribers.push(Subscriber { key, owner, seat, outbox });
    }

    pub(crate) fn remove(&mut self, key: u64, now: Time) {
        self.retain(now, |subscriber| subscriber.key != key);
    }

    pub(crate) fn len(&self) -> usize {
        self.subscribers.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Assigns seats when the game begins, because a watcher may have joined. Players were not expected before that, so
    /// absence counts from here.
    pub(crate) fn assign_seats(&mut self, owners: &[Option<Owner>; 2], at: Time) {
        self.disconnected_at = self.disconnected_at.map(|since| since.max(at));
        for subscriber in &mut self.subscribers {
            let has =
                |seat: &SeatRole| subscriber.owner.is_some() && owners[seat.index()] == subscriber.owner;
            subscriber.seat = SeatRole::BOTH.into_iter().find(has);
        }
    }

    /// Who is connected at this server.
    pub(crate) fn local(&self) -> ServerPresence {
        ServerPresence {
            seats: SeatRole::BOTH
                .map(|seat| self.subscribers.iter().any(|subscriber| subscriber.seat == Some(seat))),
            watchers: self.subscribers.iter().filter(|subscriber| subscriber.seat.is_none()).count(),
        }
    }

    /// Updates the presence at another server and returns whether it has changed.
    pub(crate) fn update_remote(&mut self, server: u64, remote: ServerPresence, now: Time) -> bool {
        let before = self.remote.insert(server, remote).unwrap_or_default();
        self.note_disconnected(before.seats, remote.seats, now);
        if remote == ServerPresence::default() {
            self.remote.remove(&server);
        }
        before != remote
    }

    /// Since when a player has not been connected to any server.
    pub(crate) fn away_since(&self, seat: SeatRole) -> Option<Time> {
        let seat = seat.index();
        let is_there = self.local().seats[seat] || self.remote.values().any(|there| there.seats[seat]);
        (!is_there).then_some(self.disconnected_at[seat])
    }

    pub(crate) fn status(&self) -> PresenceStatus {
        let remote: usize = self.remote.values().map(|there| there.watchers).sum();
        PresenceStatus {
            inviter_away_since: self.away_since(SeatRole::Inviter),
            guest_away_since: self.away_since(SeatRole::Guest),
            watchers: self.local().watchers + remote,
            outage_ms: 0,
        }
    }

    /// Sends each subscriber the text for their seat, and drops those that do not read.
    pub(crate) fn send_each(&mut self, now: Time, text: impl Fn(Option<SeatRole>) -> Utf8Bytes) {
        self.retain(now, |subscriber| subscriber.outbox.send(text(subscriber.seat)));
    }

    fn retain(&mut self, now: Time, stays: impl FnMut(&Subscriber) -> bool) {
        let before = self.local().seats;
        self.subscribers.retain(stays);
        self.note_disconnected(before, self.local().seats, now);
    }

    fn note_disconnected(&mut self, before: [bool; 2], after: [bool; 2], now: Time) {
        for seat in
            SeatRole::BOTH.map(SeatRole::index).into_iter().filter(|&seat| before[seat] && !after[seat])
        {
            self.disconnected_at[seat] = self.disconnected_at[seat].max(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reader_is_dropped_and_counts_as_away() {
        let mut presence = Presence::new(Time(0));
        let (slow, _unread) = Outbox::new();
        let (quick, mut read) = Outbox::new();
        let answers = slow.weak();
        presence.add(NewSubscriber { key: 1, owner: None, outbox: slow }, Some(SeatRole::Inviter));
        presence.add(NewSubscriber { key: 2, owner: None, outbox: quick }, Some(SeatRole::Guest));
        for n in 0..=OUTBOX {
            assert_eq!(presence.away_since(SeatRole::Inviter), None, "after {n} messages");
            presence.send_each(Time(5), |_| "news".into());
            read.try_recv().expect("a message");
        }
        assert_eq!(presence.away_since(SeatRole::Inviter), Some(Time(5)));
        assert_eq!((presence.away_since(SeatRole::Guest), presence.len()), (None, 1));
        assert!(!answers.send("an answer".into()), "the connection learns of it");
    }
}
