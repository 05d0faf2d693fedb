//! Messages between servers on one database: which game was written, and who is connected where.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crownhead_game::Time;
use serde::{Deserialize, Serialize};

use crate::online::ids::GameId;

/// A peer that is silent for this long is gone, with all clients that were connected to it.
const GONE_MS: u64 = 5_000;

/// A message to all servers on the database, the sender included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClusterMessage {
    /// A game has this many events now.
    Written {
        /// The game.
        game: GameId,
        /// Its number of events.
        seq: usize,
    },
    /// The heartbeat of a server.
    Alive {
        /// The id of the server.
        server: u64,
    },
    /// Who is connected to a game at a server.
    Here {
        /// Which game.
        game: GameId,
        /// Which server.
        server: u64,
        /// The inviter and the guest.
        seats: [bool; 2],
        /// The number of watchers.
        watchers: usize,
    },
    /// A server asks the others who is connected to a game there.
    Who {
        /// Which game.
        game: GameId,
        /// Which server.
        server: u64,
    },
    /// Stored data of a game other than its log has changed.
    Changed {
        /// Which game.
        game: GameId,
    },
    /// Messages may have been lost.
    Missed,
}

impl ClusterMessage {
    /// The message as JSON.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("its maps have text keys")
    }
}

/// The other servers, and when each was last heard.
#[derive(Default)]
pub(crate) struct Peers(Mutex<HashMap<u64, Time>>);

impl Peers {
    /// Notes a message from a peer. Returns whether the peer is new, or had been dropped as silent.
    pub(crate) fn heard(&self, server: u64, now: Time) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(server, now).is_none()
    }

    /// Removes the silent peers, and returns them with the time at which each was last heard.
    pub(crate) fn take_silent(&self, now: Time) -> Vec<(u64, Time)> {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.extract_if(|_, last| now.since(*last) > GONE_MS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_falls_silent_is_gone_since_its_last_word() {
        let peers = Peers::default();
        assert!(peers.heard(7, Time(9_000)));
        assert!(!peers.heard(7, Time(10_000)));
        assert!(peers.heard(8, Time(15_000)));
        assert_eq!(peers.take_silent(Time(15_000)), []);
        assert_eq!(peers.take_silent(Time(15_001)), [(7, Time(10_000))]);
        assert_eq!(peers.take_silent(Time(15_001)), []);
        assert!(peers.heard(7, Time(15_002)), "it only paused");
    }
}
