//! Writes to SQLite, inside a transaction: changes, heartbeats and clean-up.

use crownhead_game::Time;
use rusqlite::{Connection, params};

use super::execute;
use crate::online::store::queries as sql;
use crate::online::store::{Change, Heartbeat, NewGame, Retention, StoreError, row};

const DAY_MS: i64 = 86_400_000;

const APPEND: &str = "UPDATE games SET seq = $1, updated = $2, wake_at = $3, plies = $4, finished = $5, summary = $6, \
     address = CASE WHEN $5 = 0 THEN address ELSE '' END, \
     next = CASE WHEN $7 = '' THEN next ELSE $7 END WHERE id = $8 AND seq = $9";
const CREATE: &str = "INSERT INTO games (id, created, updated, seq, wake_at, plies, finished, address, start, summary, next) \
     VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, '')";
const COUNT_START: &str = "INSERT INTO starts (address, day, games) VALUES ($1, $2, 1) \
     ON CONFLICT (address, day) DO UPDATE SET games = games + 1";
const EVENT: &str = "INSERT INTO events (game, seq, json, command) VALUES ($1, $2, $3, $4)";
const SEAT: &str = "INSERT INTO seats (game, seat, owner, name) VALUES ($1, $2, $3, $4)";

/// Writes the changes of a job and returns whether it was written. If not, nothing of it is.
pub(super) fn job(connection: &Connection, changes: &[Change]) -> Result<bool, StoreError> {
    for (n, change) in changes.iter().enumerate() {
        if !write(connection, change)? {
            // Only a change to an existing game can conflict, and that one comes first.
            debug_assert_eq!(n, 0, "a later change of a job creates a game");
            return Ok(false);
        }
    }
    Ok(true)
}

fn write(connection: &Connection, change: &Change) -> Result<bool, StoreError> {
    let id = change.game.to_string();
    let seq = (change.seq + change.events.len()) as i64;
    let (status, updated) = (&change.status, change.status.updated.0 as i64);
    let (wake_at, plies) = (row::wake_at(change), status.plies as i64);
    let (finished, summary) = (row::finished(change), row::summary(change));
    if let Some(NewGame { start, address }) = &change.new {
        let start = row::start(start);
        execute(
            connection,
            CREATE,
            params![id, updated, seq, wake_at, plies, finished, address, start, summary],
        )?;
        if !address.is_empty() {
            execute(connection, COUNT_START, params![address, updated / DAY_MS])?;
        }
    } else {
        let next = row::next(change);
        let first = change.seq as i64;
        let parameters = params![seq, updated, wake_at, plies, finished, summary, next, id, first];
        if execute(connection, APPEND, parameters)? == 0 {
            return Ok(false);
        }
    }
    for (seq, event) in (change.seq as i64..).zip(&change.events) {
        execute(connection, EVENT, params![id, seq, event.stored_json(), event.command])?;
    }
    for taken in &change.seats {
        execute(connection, SEAT, params![id, taken.seat as i64, taken.owner.0, taken.name])?;
    }
    Ok(true)
}

/// Writes a heartbeat and returns its time.
pub(super) fn heartbeat(connection: &Connection, beat: &Heartbeat, seq: i64) -> Result<i64, StoreError> {
    // Taken only now, when the write lock is ours, however long that took.
    let Time(at) = (beat.now)();
    let (game, at) = (beat.game(), at as i64);
    execute(connection, sql::BEATING_GAME, params![game, at])?;
    execute(connection, sql::BEAT, params![game, seq, sql::LIKE_A_MOVE, at.to_string()])?;
    execute(connection, sql::FORGET_BEATS, params![game, seq])?;
    execute(connection, sql::NOTE_ALIVE, params![at])?;
    for outage in &beat.outages {
        execute(connection, sql::NOTE_OUTAGE, params![outage.since.0 as i64, outage.until.0 as i64])?;
    }
    Ok(at)
}

pub(super) fn clean(connection: &Connection, terms: Retention) -> Result<u64, StoreError> {
    let mut cleaned = execute(connection, sql::CLEAN_UNPLAYED, [terms.unplayed_before.0 as i64])?;
    if let Some(before) = terms.finished_before {
        cleaned += execute(connection, sql::CLEAN_FINISHED, [before.0 as i64])?;
    }
    execute(connection, sql::CLEAN_OUTAGES, [terms.outages_before.0 as i64])?;
    execute(connection, sql::CLEAN_STARTS, [terms.first_day as i64])?;
    Ok(cleaned as u64)
}
