//! What passes over a WebSocket, as JSON with a version.

use axum::extract::ws::Utf8Bytes;
use crownhead_game::{Command, Snapshot, Time};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::online::ids::GameId;
use crate::online::requests::SideName;
use crate::online::store::StoredEvent;

/// The version of the messages. Older pages are message to load themselves again.
pub const PROTOCOL: u16 = 1;

/// A connection that is closed with this need not be tried again; why was message before.
pub(crate) const CLOSE_NOT_ADMITTED: u16 = 4_000;

/// From a client.
#[derive(Debug, Deserialize)]
pub(crate) struct ClientEnvelope {
    pub(crate) v: u16,
    #[serde(flatten)]
    pub(crate) message: ClientMessage,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClientMessage {
    /// Carried out once, however often it is sent under the same id.
    Command { id: String, command: Command },
    /// The answer to `ping`, with its time.
    Pong { now: Time },
}

/// To a client.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    /// The first message, and again when the game starts: who the client is and all events that it does not have.
    Welcome {
        game: GameId,
        /// The client's side; nothing for those who watch, or before the sides are drawn.
        you: Option<SideName>,
        /// Has the client a seat?
        seated: bool,
        /// The number of the first of the records.
        seq: usize,
        records: Vec<&'a RawValue>,
        /// In the place of the records before `seq`, if they are many: the game as it stands after them.
        #[serde(skip_serializing_if = "Option::is_none")]
        snapshot: Option<Box<Snapshot>>,
        now: Time,
        presence: PresenceStatus,
        next: Option<GameId>,
    },
    /// What happened, numbered from `seq` on.
    Events { seq: usize, records: Vec<&'a RawValue>, now: Time },
    /// A command was carried out and is stored; the log has `seq` records by then.
    Ack { id: &'a str, seq: usize },
    /// A command cannot be stored at the moment; it is tried again, and answered then.
    Waiting { id: &'a str, notice: &'a str },
    /// A command was not carried out, and why.
    Refused { id: &'a str, error: String },
    /// A message was not understood, or there is nothing to talk about.
    Error {
        error: String,
        /// There will be no game, and nothing comes after this.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        withdrawn: bool,
    },
    /// Who is here.
    Presence { presence: PresenceStatus },
    /// To be answered with `pong` and the same time.
    Ping { now: Time },
    /// The next game of the same two.
    Next { game: GameId },
    /// The server stops; connect again.
    Bye,
}

/// Who is here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PresenceStatus {
    /// Since when the inviter is not connected; nothing if they are.
    pub(crate) inviter_away_since: Option<Time>,
    /// The same for the guest.
    pub(crate) guest_away_since: Option<Time>,
    /// How many watch.
    pub(crate) watchers: usize,
    /// How long no server has served the game since its last event; no clock pays for that.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) outage_ms: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl ServerMessage<'_> {
    /// As it is sent.
    pub(crate) fn text(&self) -> Utf8Bytes {
        #[derive(Serialize)]
        struct Envelope<'a> {
            v: u16,
            #[serde(flatten)]
            message: &'a ServerMessage<'a>,
        }
        serde_json::to_string(&Envelope { v: PROTOCOL, message: self })
            .expect("its maps have text keys")
            .into()
    }
}

/// Records as they are stored.
pub(crate) fn raw(events: &[StoredEvent]) -> Vec<&RawValue> {
    events.iter().map(|event| serde_json::from_str(&event.json).expect("it was written as JSON")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_carry_the_version_and_records_as_they_are() {
        let record = RawValue::from_string(r#"{"v":1,"at":5}"#.to_owned()).expect("JSON");
        let message = ServerMessage::Events { seq: 3, records: vec![&record], now: Time(9) };
        assert_eq!(
            message.text().as_str(),
            r#"{"v":1,"type":"events","seq":3,"records":[{"v":1,"at":5}],"now":9}"#
        );
    }

    #[test]
    fn commands_are_read() {
        let text = r#"{"v":1,"type":"command","id":"a1","command":{"type":"move","move":"11-15"}}"#;
        let ClientEnvelope { v: 1, message: ClientMessage::Command { id, command } } =
            serde_json::from_str(text).expect("a command")
        else {
            panic!("not a command of version 1")
        };
        assert_eq!((id.as_str(), command), ("a1", Command::Move { text: "11-15".to_owned() }));
    }
}
