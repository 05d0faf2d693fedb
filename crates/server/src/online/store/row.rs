//! Converts between database rows and games, for both databases.

use crownhead_game::{Player, Start, Time};

use super::queries::{OPEN, OVER, WITHDRAWN};
use super::{Change, ListedGame, SeatRole, StoreError, StoredEvent, StoredGame, without_names};
use crate::online::ids::{GameId, Owner};
use crate::online::summary::{Phase, Summary};

/// Start, time of creation, rematch.
pub(super) type GameRow = (String, i64, String);
/// Seat, owner, name.
pub(super) type SeatRow = (i64, String, String);
/// Number, record, command.
pub(super) type EventRow = (i64, String, String);
/// Id, seat, time of the last change, summary, names of the inviter and the guest.
pub(super) type ListedRow = (String, i64, i64, String, String, String);

pub(super) fn game(
    id: GameId,
    (start, created, next): GameRow,
    seats: &[SeatRow],
    mut events: Vec<StoredEvent>,
) -> Result<StoredGame, StoreError> {
    let mut start: Start = read_json(id, &start)?;
    let row = |seat: SeatRole| seats.iter().find(|(number, ..)| *number == seat as i64);
    // A browser that was forgotten has no seat any more.
    let owner =
        |seat| row(seat).filter(|(_, owner, _)| !owner.is_empty()).map(|(_, owner, _)| Owner(owner.clone()));
    let names = SeatRole::BOTH.map(|seat| row(seat).map(|(.., name)| name.clone()).unwrap_or_default());
    for (player, name) in start.players.iter_mut().zip(&names).filter(|(_, name)| !name.is_empty()) {
        *player = Player::human(name);
    }
    if let Some(first) = events.first_mut() {
        first.put_names(&names);
    }
    let next = (!next.is_empty()).then(|| next.parse()).transpose();
    let next =
        next.map_err(|error| StoreError::Damaged { game: id, problem: format!("its rematch {error}") })?;
    Ok(StoredGame { start, created: time(created), owners: SeatRole::BOTH.map(owner), names, next, events })
}

pub(super) fn events(id: GameId, from: usize, rows: Vec<EventRow>) -> Result<Vec<StoredEvent>, StoreError> {
    let event = |(expected, (seq, json, command)): (usize, EventRow)| {
        if seq != expected as i64 {
            let problem = format!("event {expected} is missing");
            return Err(StoreError::Damaged { game: id, problem });
        }
        Ok(StoredEvent { record: read_json(id, &json)?, json, command })
    };
    (from..).zip(rows).map(event).collect()
}

pub(super) fn listed(
    (id, seat, updated, summary, inviter, guest): ListedRow,
) -> Result<ListedGame, StoreError> {
    let game = game_id(&id)?;
    let seat = if seat == 0 { SeatRole::Inviter } else { SeatRole::Guest };
    let mut summary: Summary = read_json(game, &summary)?;
    summary.put_names([inviter, guest]);
    Ok(ListedGame { game, seat, updated: time(updated), summary })
}

/// The value of `games.finished` after a change.
pub(super) fn finished(change: &Change) -> i64 {
    match change.status.summary.phase {
        Phase::Waiting | Phase::Playing => OPEN,
        Phase::Over => OVER,
        Phase::Withdrawn => WITHDRAWN,
    }
}

pub(super) fn wake_at(change: &Change) -> i64 {
    change.status.wake_at.map_or(0, |at| at.0 as i64)
}

pub(super) fn next(change: &Change) -> String {
    change.next.map(|next| next.to_string()).unwrap_or_default()
}

/// The summary as it is stored: without names.
pub(super) fn summary(change: &Change) -> String {
    let summary = Summary { names: Default::default(), ..change.status.summary.clone() };
    serde_json::to_string(&summary).expect("its maps have text keys")
}

pub(super) fn start(start: &Start) -> String {
    serde_json::to_string(&without_names(start.clone())).expect("its maps have text keys")
}

pub(super) fn time(millis: i64) -> Time {
    Time(millis.max(0) as u64)
}

pub(super) fn game_id(text: &str) -> Result<GameId, StoreError> {
    text.parse().map_err(|_| StoreError::Migration(format!("{text:?} is not the id of a game")))
}

pub(super) fn read_json<T: serde::de::DeserializeOwned>(game: GameId, json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::Damaged { game, problem: error.to_string() })
}
