//! Unlinks a browser from its games in SQLite.

use rusqlite::{Connection, Row, params};

use super::{events, execute, rows};
use crate::online::ids::{GameId, Owner};
use crate::online::store::names::redact;
use crate::online::store::queries as sql;
use crate::online::store::{SeatRole, StoreError, row};

/// The only place where an event is changed: older versions wrote names into the log.
pub(super) fn forget(connection: &Connection, owner: &Owner) -> Result<Vec<GameId>, StoreError> {
    let seat = |row: &Row<'_>| -> rusqlite::Result<(String, i64)> { Ok((row.get(0)?, row.get(1)?)) };
    let mut games = Vec::new();
    for (id, seat) in rows(connection, sql::SEATS_OF, [&owner.0], seat)? {
        let seat = if seat == 0 { SeatRole::Inviter } else { SeatRole::Guest };
        let game = row::game_id(&id)?;
        for (seq, event) in events(connection, game, 0)?.into_iter().enumerate() {
            let redacted = redact(&event.json, seat);
            if event.has_names() && redacted != event.json {
                execute(connection, sql::REDACT_EVENT, params![redacted, id, seq as i64])?;
            }
        }
        let (start, summary): (String, String) =
            connection.query_row(sql::GAME_TEXTS, [&id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        execute(connection, sql::REDACT_GAME, [&redact(&start, seat), &redact(&summary, seat), &id])?;
        games.push(game);
    }
    execute(connection, sql::UNLINK, [&owner.0])?;
    Ok(games)
}
