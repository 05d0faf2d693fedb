//! Who is connected to a game, here and at other servers, and how those who are here are told things.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use crownhead_game::Time;
use tokio::sync::mpsc;

use crate::online::ids::Owner;
use crate::online::message::Presence;
use crate::online::store::Seat;

/// So many messages wait for a slow reader before it is dropped.
pub(crate) const OUTBOX: usize = 64;

/// The way to one connection. When all of its ends are gone the connection closes.
#[derive(Clone)]
pub(crate) struct Outbox(mpsc::Sender<Utf8Bytes>);

impl Outbox {
    pub(crate) fn new() -> (Outbox, mpsc::Receiver<Utf8Bytes>) {
        let (sender, receiver) = mpsc::channel(OUTBOX);
        (Outbox(sender), receiver)
    }

    /// For the connection itself, which is to close when the room drops it.
    pub(crate) fn weak(&self) -> WeakOutbox {
        WeakOutbox(self.0.downgrade())
    }

    /// Tells whether there was room for it.
    pub(crate) fn send(&self, text: Utf8Bytes) -> bool {
        self.0.try_send(text).is_ok()
    }
}

/// The way to a connection that the room may have cut.
pub(crate) struct WeakOutbox(mpsc::WeakSender<Utf8Bytes>);

impl WeakOutbox {
    /// Tells whether the room still talks to it and there was room.
    pub(crate) fn send(&self, text: Utf8Bytes) -> bool {
        self.0.upgrade().is_some_and(|sender| sender.try_send(text).is_ok())
    }
}

/// Somebody who comes.
pub(crate) struct Newcomer {
    /// What tells it from all others.
    pub(crate) key: u64,
    pub(crate) owner: Option<Owner>,
    pub(crate) outbox: Outbox,
}

/// Somebody who is connected.
struct Peer {
    key: u64,
    owner: Option<Owner>,
    seat: Option<Seat>,
    outbox: Outbox,
}

/// Who is connected to the game at another server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attendance {
    pub(crate) seats: [bool; 2],
    pub(crate) watchers: usize,
}

/// All who are connected, and since when the players are not.
#[derive(Default)]
pub(crate) struct Party {
    peers: Vec<Peer>,
    gone_since: [Time; 2],
    elsewhere: HashMap<u64, Attendance>,
    /// It is about to be told who is here.
    pub(super) is_telling: bool,
}

impl Party {
    pub(crate) fn new(now: Time) -> Party {
        Party { gone_since: [now; 2], ..Party::default() }
    }

    pub(crate) fn come(&mut self, newcomer: Newcomer, seat: Option<Seat>) {
        let Newcomer { key, owner, outbox } = newcomer;
        self.peers.push(Peer { key, owner, seat, outbox });
    }

    pub(crate) fn go(&mut self, key: u64, now: Time) {
        self.keep(now, |peer| peer.key != key);
    }

    pub(crate) fn len(&self) -> usize {
        self.peers.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.peers.is_empty()
    }

    /// The game begins: looks again who has a seat, because a watcher may have taken one. Before that nobody had to be
    /// here, so nobody counts as gone for longer.
    pub(crate) fn begin(&mut self, owners: &[Option<Owner>; 2], at: Time) {
        self.gone_since = self.gone_since.map(|since| since.max(at));
        for peer in &mut self.peers {
            let has = |seat: &Seat| peer.owner.is_some() && owners[seat.index()] == peer.owner;
            peer.seat = Seat::BOTH.into_iter().find(has);
        }
    }

    /// Who is here.
    pub(crate) fn here(&self) -> Attendance {
        Attendance {
            seats: Seat::BOTH.map(|seat| self.peers.iter().any(|peer| peer.seat == Some(seat))),
            watchers: self.peers.iter().filter(|peer| peer.seat.is_none()).count(),
        }
    }

    /// Word from another server, or of its end. Tells whether it is new.
    pub(crate) fn heard(&mut self, server: u64, attendance: Attendance, now: Time) -> bool {
        let before = self.elsewhere.insert(server, attendance).unwrap_or_default();
        self.note_gone(before.seats, attendance.seats, now);
        if attendance == Attendance::default() {
            self.elsewhere.remove(&server);
        }
        before != attendance
    }

    /// Since when a player is connected nowhere.
    pub(crate) fn away_since(&self, seat: Seat) -> Option<Time> {
        let seat = seat.index();
        let is_there = self.here().seats[seat] || self.elsewhere.values().any(|there| there.seats[seat]);
        (!is_there).then_some(self.gone_since[seat])
    }

    pub(crate) fn presence(&self) -> Presence {
        let elsewhere: usize = self.elsewhere.values().map(|there| there.watchers).sum();
        Presence {
            inviter_away_since: self.away_since(Seat::Inviter),
            guest_away_since: self.away_since(Seat::Guest),
            watchers: self.here().watchers + elsewhere,
            outage_ms: 0,
        }
    }

    /// Tells everybody what fits their seat. Those who do not read are dropped.
    pub(crate) fn tell_each(&mut self, now: Time, text: impl Fn(Option<Seat>) -> Utf8Bytes) {
        self.keep(now, |peer| peer.outbox.send(text(peer.seat)));
    }

    fn keep(&mut self, now: Time, stays: impl FnMut(&Peer) -> bool) {
        let before = self.here().seats;
        self.peers.retain(stays);
        self.note_gone(before, self.here().seats, now);
    }

    fn note_gone(&mut self, before: [bool; 2], after: [bool; 2], now: Time) {
        for seat in Seat::BOTH.map(Seat::index).into_iter().filter(|&seat| before[seat] && !after[seat]) {
            self.gone_since[seat] = self.gone_since[seat].max(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_read_is_dropped_and_counts_as_gone() {
        let mut party = Party::new(Time(0));
        let (slow, _unread) = Outbox::new();
        let (quick, mut read) = Outbox::new();
        let answers = slow.weak();
        party.come(Newcomer { key: 1, owner: None, outbox: slow }, Some(Seat::Inviter));
        party.come(Newcomer { key: 2, owner: None, outbox: quick }, Some(Seat::Guest));
        for n in 0..=OUTBOX {
            assert_eq!(party.away_since(Seat::Inviter), None, "after {n} messages");
            party.tell_each(Time(5), |_| "news".into());
            read.try_recv().expect("a message");
        }
        assert_eq!(party.away_since(Seat::Inviter), Some(Time(5)));
        assert_eq!((party.away_since(Seat::Guest), party.len()), (None, 1));
        assert!(!answers.send("an answer".into()), "the connection learns of it");
    }
}
