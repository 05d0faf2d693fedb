//! Player names, stored beside the log and put into it when it is read, so that they can be removed without changing
//! events.

use crownhead_game::{Event, Player, Record, Start, Started};
use crownhead_rules::Side;
use serde_json::Value;

use super::{SeatRole, StoredEvent};

/// A start as it is stored: without names.
pub(crate) fn without_names(mut start: Start) -> Start {
    start.players = start.players.map(|player| unnamed(&player));
    start
}

fn unnamed(player: &Player) -> Player {
    if player.level().is_some() { player.clone() } else { Player::human("") }
}

impl StoredEvent {
    /// A record as it is sent, with the command that led to it.
    pub(crate) fn new(record: Record, command: &str) -> StoredEvent {
        StoredEvent { json: json(&record), record, command: command.to_owned() }
    }

    /// The record as it is stored.
    pub(super) fn stored_json(&self) -> String {
        let event = match &self.record.event {
            Event::Started(started) => {
                let (black, white) = (unnamed(&started.black), unnamed(&started.white));
                Event::Started(Box::new(Started { black, white, ..(**started).clone() }))
            }
            Event::RematchAgreed { start } => {
                Event::RematchAgreed { start: Box::new(without_names((**start).clone())) }
            }
            _ => return self.json.clone(),
        };
        json(&Record { event, ..self.record.clone() })
    }

    /// Can the event contain names?
    pub(super) fn has_names(&self) -> bool {
        matches!(self.record.event, Event::Started(_) | Event::RematchAgreed { .. })
    }

    /// Puts the names of the players into the first record. Older logs contain the names themselves.
    pub(crate) fn put_names(&mut self, names: &[String; 2]) {
        let Event::Started(started) = &mut self.record.event else { return };
        for (seat, name) in SeatRole::BOTH.into_iter().zip(names).filter(|(_, name)| !name.is_empty()) {
            let side = if seat == SeatRole::Inviter { started.bottom } else { !started.bottom };
            let player = match side {
                Side::Black => &mut started.black,
                Side::White => &mut started.white,
            };
            *player = Player::human(name);
        }
        self.json = json(&self.record);
    }
}

fn json(record: &Record) -> String {
    serde_json::to_string(record).expect("its maps have text keys")
}

/// Removes the name of a seat from JSON that was stored when names were still part of it: a record, a start or a
/// summary.
pub(super) fn redact(text: &str, seat: SeatRole) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
    let is_inviter = seat == SeatRole::Inviter;
    let blank = |player: Option<&mut Value>| {
        if let Some(name) = player.and_then(|player| player.get_mut("name")) {
            *name = Value::from("");
        }
    };
    // A start: the inviter comes first.
    for start in ["/players", "/event/start/players"] {
        if let Some(players) = value.pointer_mut(start) {
            blank(players.get_mut(usize::from(!is_inviter)));
        }
    }
    // The first record of a log: the inviter is at the bottom.
    if let Some(bottom) = value.pointer("/event/bottom").and_then(Value::as_str) {
        let side = if (bottom == "black") == is_inviter { "black" } else { "white" };
        blank(value.pointer_mut(&format!("/event/{side}")));
    }
    // A summary: Black comes first, or the inviter while it is not known who is Black.
    if value.get("names").is_some() {
        let inviter_is_first = value.get("inviter").and_then(Value::as_str) != Some("white");
        if let Some(name) =
            value.pointer_mut(&format!("/names/{}", usize::from(inviter_is_first != is_inviter)))
        {
            *name = Value::from("");
        }
    }
    value.to_string()
}

#[cfg(test)]
mod tests {
    use crownhead_game::{Game, Time};

    use super::*;
    use crate::online::summary::Summary;

    fn named() -> Start {
        Start::new([Player::human("Anna"), Player::human("Ben")], 7)
    }

    #[test]
    fn names_are_stored_beside_the_log_and_put_back_when_it_is_read() {
        let (_, step) = Game::start(named(), Time(0)).expect("a game");
        let event = StoredEvent::new(step.records[0].clone(), "");
        let mut read = StoredEvent {
            json: event.stored_json(),
            record: serde_json::from_str(&event.stored_json()).expect("a record"),
            command: String::new(),
        };
        assert!(!read.json.contains("Anna") && !read.json.contains("Ben"), "{}", read.json);
        read.put_names(&["Anna".to_owned(), "Ben".to_owned()]);
        assert_eq!(read, event);
        let rematch = Event::RematchAgreed { start: Box::new(named()) };
        let stored = StoredEvent::new(Record::new(Time(0), rematch), "").stored_json();
        assert!(!stored.contains("Anna") && !stored.contains("Ben"), "{stored}");
    }

    #[test]
    fn the_names_of_one_seat_are_removed_from_what_older_versions_stored() {
        let (game, step) = Game::start(named(), Time(0)).expect("a game");
        let rematch = Record::new(Time(0), Event::RematchAgreed { start: Box::new(named()) });
        let texts = [
            json(&step.records[0]),
            json(&rematch),
            serde_json::to_string(&named()).expect("JSON"),
            serde_json::to_string(&Summary::of(&game)).expect("JSON"),
            serde_json::to_string(&Summary::waiting(&named())).expect("JSON"),
        ];
        for text in texts {
            let without_anna = redact(&text, SeatRole::Inviter);
            assert!(!without_anna.contains("Anna") && without_anna.contains("Ben"), "{without_anna}");
            let without_ben = redact(&text, SeatRole::Guest);
            assert!(without_ben.contains("Anna") && !without_ben.contains("Ben"), "{without_ben}");
        }
    }
}
