//! What is read: games, lists, and what is due.

use crownhead_game::{Start, Time};
use sqlx::AnyPool;

use super::{OPEN, WITHDRAWN};
use crate::online::code::{GameId, Owner};
use crate::online::store::{Listed, Outage, Seat, StoreError, StoredEvent, StoredGame};

pub(super) async fn game(database: &AnyPool, id: GameId) -> Result<Option<StoredGame>, StoreError> {
    // What is told of a game beside its events may be newer than these, and is then soon followed by the rest. The other
    // way round a player would be known by the events and have no seat.
    let events = events(database, id, 0).await?;
    let row: Option<(String, i64, String)> =
        sqlx::query_as("SELECT start, created, next FROM games WHERE id = $1")
            .bind(id.to_string())
            .fetch_optional(database)
            .await?;
    let Some((start, created, next)) = row else { return Ok(None) };
    let start: Start = read_json(id, &start)?;
    let seats: Vec<(i64, String)> = sqlx::query_as("SELECT seat, owner FROM seats WHERE game = $1")
        .bind(id.to_string())
        .fetch_all(database)
        .await?;
    let owner = |seat: Seat| {
        seats.iter().find(|(number, _)| *number == seat as i64).map(|(_, owner)| Owner(owner.clone()))
    };
    Ok(Some(StoredGame {
        start,
        created: time(created),
        owners: Seat::BOTH.map(owner),
        next: read_next(id, &next)?,
        events,
    }))
}

pub(super) async fn events(
    database: &AnyPool,
    id: GameId,
    from: usize,
) -> Result<Vec<StoredEvent>, StoreError> {
    let rows: Vec<(i64, String, String)> =
        sqlx::query_as("SELECT seq, json, command FROM events WHERE game = $1 AND seq >= $2 ORDER BY seq")
            .bind(id.to_string())
            .bind(from as i64)
            .fetch_all(database)
            .await?;
    let event = |(expected, (seq, json, command)): (usize, (i64, String, String))| {
        if seq != expected as i64 {
            let problem = format!("event {expected} is missing");
            return Err(StoreError::Damaged { game: id, problem });
        }
        Ok(StoredEvent { record: read_json(id, &json)?, json, command })
    };
    (from..).zip(rows).map(event).collect()
}

pub(super) async fn games_of(
    database: &AnyPool,
    owner: &Owner,
    limit: usize,
) -> Result<Vec<Listed>, StoreError> {
    let rows: Vec<(String, i64, i64, String)> = sqlx::query_as(
        "SELECT games.id, seats.seat, games.updated, games.summary FROM seats JOIN games ON games.id = seats.game \
         WHERE seats.owner = $1 AND games.finished <> $3 ORDER BY games.finished, games.updated DESC LIMIT $2",
    )
    .bind(&owner.0)
    .bind(limit as i64)
    .bind(WITHDRAWN)
    .fetch_all(database)
    .await?;
    let listed = |(id, seat, updated, summary): (String, i64, i64, String)| {
        let game = read_id(&id)?;
        let seat = if seat == 0 { Seat::Inviter } else { Seat::Guest };
        Ok(Listed { game, seat, updated: time(updated), summary: read_json(game, &summary)? })
    };
    rows.into_iter().map(listed).collect()
}

pub(super) async fn open_games_of(database: &AnyPool, owner: &Owner) -> Result<usize, StoreError> {
    let count: (i64,) = sqlx::query_as(
        "SELECT COUNT(*) FROM seats JOIN games ON games.id = seats.game WHERE seats.owner = $1 AND games.finished = $2",
    )
    .bind(&owner.0)
    .bind(OPEN)
    .fetch_one(database)
    .await?;
    Ok(count.0 as usize)
}

pub(super) async fn open_games_from(database: &AnyPool, address: &str) -> Result<usize, StoreError> {
    let count: (i64,) = sqlx::query_as("SELECT COUNT(*) FROM games WHERE address = $1 AND finished = $2")
        .bind(address)
        .bind(OPEN)
        .fetch_one(database)
        .await?;
    Ok(count.0 as usize)
}

pub(super) async fn due(database: &AnyPool, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError> {
    let rows: Vec<(String,)> =
        sqlx::query_as("SELECT id FROM games WHERE wake_at > 0 AND wake_at <= $1 ORDER BY wake_at LIMIT $2")
            .bind(now.0 as i64)
            .bind(limit as i64)
            .fetch_all(database)
            .await?;
    rows.iter().map(|(id,)| read_id(id)).collect()
}

pub(super) async fn outages(database: &AnyPool, since: Time) -> Result<Vec<Outage>, StoreError> {
    let rows: Vec<(i64, i64)> =
        sqlx::query_as("SELECT since, until FROM outages WHERE until >= $1 ORDER BY since")
            .bind(since.0 as i64)
            .fetch_all(database)
            .await?;
    Ok(rows.into_iter().map(|(since, until)| Outage { since: time(since), until: time(until) }).collect())
}

fn time(millis: i64) -> Time {
    Time(millis.max(0) as u64)
}

fn read_id(text: &str) -> Result<GameId, StoreError> {
    text.parse().map_err(|error| StoreError::Database(sqlx::Error::Decode(Box::new(error))))
}

fn read_next(game: GameId, text: &str) -> Result<Option<GameId>, StoreError> {
    let read = (!text.is_empty()).then(|| text.parse()).transpose();
    read.map_err(|error| StoreError::Damaged { game, problem: format!("its rematch {error}") })
}

fn read_json<T: serde::de::DeserializeOwned>(game: GameId, json: &str) -> Result<T, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::Damaged { game, problem: error.to_string() })
}
