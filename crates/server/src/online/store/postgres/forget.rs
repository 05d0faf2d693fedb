//! Unlinks a browser from its games in PostgreSQL.

use sqlx::{Connection, PgConnection};

use crate::online::ids::{GameId, Owner};
use crate::online::store::names::redact;
use crate::online::store::queries as sql;
use crate::online::store::row::{self, EventRow};
use crate::online::store::{SeatRole, StoreError};

/// The only place where an event is changed: older versions wrote names into the log.
pub(super) async fn forget(connection: &mut PgConnection, owner: &Owner) -> Result<Vec<GameId>, StoreError> {
    let mut transaction = connection.begin().await?;
    // Locks rows in the same order as the writer, so that the two cannot deadlock.
    sqlx::query(
        "SELECT id FROM games WHERE id IN (SELECT game FROM seats WHERE owner = $1) ORDER BY id FOR UPDATE",
    )
    .bind(&owner.0)
    .execute(&mut *transaction)
    .await?;
    let seats: Vec<(String, i64)> =
        sqlx::query_as(sql::SEATS_OF).bind(&owner.0).fetch_all(&mut *transaction).await?;
    let mut games = Vec::new();
    for (id, seat) in seats {
        let seat = if seat == 0 { SeatRole::Inviter } else { SeatRole::Guest };
        let game = row::game_id(&id)?;
        let rows: Vec<EventRow> =
            sqlx::query_as(sql::EVENTS).bind(&id).bind(0_i64).fetch_all(&mut *transaction).await?;
        for (seq, event) in row::events(game, 0, rows)?.into_iter().enumerate() {
            let redacted = redact(&event.json, seat);
            if event.has_names() && redacted != event.json {
                sqlx::query(sql::REDACT_EVENT)
                    .bind(redacted)
                    .bind(&id)
                    .bind(seq as i64)
                    .execute(&mut *transaction)
                    .await?;
            }
        }
        let (start, summary): (String, String) =
            sqlx::query_as(sql::GAME_TEXTS).bind(&id).fetch_one(&mut *transaction).await?;
        sqlx::query(sql::REDACT_GAME)
            .bind(redact(&start, seat))
            .bind(redact(&summary, seat))
            .bind(&id)
            .execute(&mut *transaction)
            .await?;
        games.push(game);
    }
    sqlx::query(sql::UNLINK).bind(&owner.0).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(games)
}
