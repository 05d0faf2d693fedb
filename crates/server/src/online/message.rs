//! WebSocket messages between clients and the server, as versioned JSON.

use axum::extract::ws::Utf8Bytes;
use crownhead_game::{Command, Snapshot, Time};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::online::ids::GameId;
use crate::online::requests::SideName;
use crate::online::store::StoredEvent;

/// The version of the messages. Older pages are told to reload.
pub const PROTOCOL: u16 = 1;

/// The close code that tells clients not to reconnect. An error message with the reason comes before it.
pub(crate) const CLOSE_NOT_ADMITTED: u16 = 4_000;

/// A message from a client, with its protocol version.
#[derive(Debug, Deserialize)]
pub(crate) struct ClientEnvelope {
    pub(crate) v: u16,
    #[serde(flatten)]
    pub(crate) message: ClientMessage,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClientMessage {
    /// A command, carried out once however often it is sent under the same id.
    Command { id: String, command: Command },
    /// The answer to `ping`, with its time.
    Pong { now: Time },
}

/// A message to a client.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    /// The first message, and again when the game starts: the client's side and all events that it does not have.
    Welcome {
        game: GameId,
        /// The client's side; `None` for watchers, and before the sides are drawn.
        you: Option<SideName>,
        /// Does the client have a seat?
        seated: bool,
        /// The number of the first of the records.
        seq: usize,
        records: Vec<&'a RawValue>,
        /// Replaces the records before `seq` if they are many: the game as it stands after them.
        #[serde(skip_serializing_if = "Option::is_none")]
        snapshot: Option<Box<Snapshot>>,
        now: Time,
        presence: PresenceStatus,
        next: Option<GameId>,
    },
    /// New events, numbered from `seq` on.
    Events { seq: usize, records: Vec<&'a RawValue>, now: Time },
    /// A command was carried out and is stored; the log has `seq` records by then.
    Ack { id: &'a str, seq: usize },
    /// A command cannot be stored at the moment; the server tries again and answers later.
    Waiting { id: &'a str, notice: &'a str },
    /// A command was not carried out, and why.
    Refused { id: &'a str, error: String },
    /// A message could not be read, or the connection is rejected.
    Error {
        error: String,
        /// The invitation was withdrawn, and no message follows.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        withdrawn: bool,
    },
    /// Who is connected.
    Presence { presence: PresenceStatus },
    /// The client answers with `pong` and the same time.
    Ping { now: Time },
    /// The rematch that was agreed on.
    Next { game: GameId },
    /// The server is stopping; the client should reconnect.
    Bye,
}

/// Who is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PresenceStatus {
    /// Since when the inviter has been away; `None` if they are connected.
    pub(crate) inviter_away_since: Option<Time>,
    /// The same for the guest.
    pub(crate) guest_away_since: Option<Time>,
    /// The number of watchers.
    pub(crate) watchers: usize,
    /// The outage time since the last event, which no clock is charged for.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) outage_ms: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl ServerMessage<'_> {
    /// The message as JSON text.
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

/// The JSON of the records, ready to be sent.
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
