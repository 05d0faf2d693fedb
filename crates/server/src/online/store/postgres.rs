//! The PostgreSQL backend: games in a database that several servers can share.
//!
//! All waiting changes are written by one statement, which is its own transaction: one round trip for a whole group. A
//! connection on which anything has failed is thrown away and never used again.

mod feed;
mod forget;
mod schema;
mod write;

use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crownhead_game::Time;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::queries as sql;
use super::row::{self, EventRow, GameRow, ListedRow, SeatRow};
use super::{Change, Heartbeat, ListedGame, Outage, Retention, StoreError, StoredEvent, StoredGame};
use crate::online::cluster::ClusterMessage;
use crate::online::ids::{GameId, Owner};

pub use feed::ClusterFeed;

/// The number of concurrent readers beside the writer.
const READERS: u32 = 4;
/// An operation fails if the database does not answer for this long.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database at an address.
pub(super) struct Postgres {
    address: String,
    options: PgConnectOptions,
    readers: PgPool,
    writer: Slot,
    heart: Slot,
    beats: AtomicU64,
}

/// The slot of one connection, which is opened when it is needed.
type Slot = Mutex<Option<PgConnection>>;
type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'c>>;

impl Postgres {
    /// Connects and migrates the database.
    pub(super) async fn open(address: &str) -> Result<Postgres, StoreError> {
        let options = PgConnectOptions::from_str(address)?;
        let mut connection = PgConnection::connect_with(&options).await?;
        schema::migrate(&mut connection).await?;
        let readers = PgPoolOptions::new().max_connections(READERS).acquire_timeout(PATIENCE);
        let readers = readers.connect_with(options.clone()).await?;
        Ok(Postgres {
            address: address.to_owned(),
            options,
            readers,
            writer: Mutex::new(Some(connection)),
            heart: Mutex::default(),
            beats: AtomicU64::new(0),
        })
    }

    /// Runs one statement on the connection of a slot.
    async fn on<T>(
        &self,
        slot: &Slot,
        work: impl for<'c> FnOnce(&'c mut PgConnection) -> Work<'c, T> + Send,
    ) -> Result<T, StoreError> {
        let mut slot = slot.lock().await;
        // Whatever goes wrong from here on, the connection is dropped.
        let connection = slot.take();
        let run = async {
            let mut connection = match connection {
                Some(connection) => connection,
                None => PgConnection::connect_with(&self.options).await?,
            };
            let result = work(&mut connection).await?;
            Ok::<_, sqlx::Error>((connection, result))
        };
        let (connection, result) = timeout(PATIENCE, run).await.map_err(|_| StoreError::Timeout)??;
        *slot = Some(connection);
        Ok(result)
    }

    async fn count(
        &self,
        statement: &'static str,
        text: &str,
        more: Option<i64>,
    ) -> Result<usize, StoreError> {
        let query = sqlx::query_scalar::<_, i64>(statement).bind(text);
        let query = if let Some(more) = more { query.bind(more) } else { query };
        Ok(within(query.fetch_one(&self.readers)).await?.max(0) as usize)
    }
}

/// Fails if the database does not answer in time.
async fn within<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, StoreError> {
    Ok(timeout(PATIENCE, work).await.map_err(|_| StoreError::Timeout)??)
}

impl Postgres {
    pub(super) async fn write(&self, jobs: Arc<Vec<Vec<Change>>>) -> Result<Vec<bool>, StoreError> {
        let group = write::Group::of(&jobs);
        self.on(&self.writer, move |connection| Box::pin(group.write(connection))).await
    }

    pub(super) async fn heartbeat(&self, beat: Heartbeat) -> Result<(), StoreError> {
        let seq = self.beats.fetch_add(1, Ordering::Relaxed) as i64;
        let game = beat.game();
        let at = self
            .on(&self.heart, move |connection| {
                Box::pin(async move { write::heartbeat(connection, &beat, seq).await })
            })
            .await?;
        let read: Option<String> = within(
            sqlx::query_scalar(sql::READ_HEARTBEAT).bind(game).bind(seq).fetch_optional(&self.readers),
        )
        .await?;
        if read == Some(at.to_string()) { Ok(()) } else { Err(StoreError::NotReadBack) }
    }

    pub(super) async fn last_heartbeat(&self) -> Result<Option<Time>, StoreError> {
        let at: Option<i64> =
            within(sqlx::query_scalar(sql::LAST_HEARTBEAT).fetch_optional(&self.readers)).await?;
        Ok(at.map(row::time))
    }

    pub(super) async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        // The events are read first, so the game's row and seats may be newer than they are; the missing events soon
        // follow. In the other order the events could know a player who has no seat.
        let events = self.events(id, 0).await?;
        let row: Option<GameRow> =
            within(sqlx::query_as(sql::GAME).bind(id.to_string()).fetch_optional(&self.readers)).await?;
        let Some(row) = row else { return Ok(None) };
        let seats: Vec<SeatRow> =
            within(sqlx::query_as(sql::SEATS).bind(id.to_string()).fetch_all(&self.readers)).await?;
        row::game(id, row, &seats, events).map(Some)
    }

    pub(super) async fn events(&self, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError> {
        let rows: Vec<EventRow> = within(
            sqlx::query_as(sql::EVENTS).bind(id.to_string()).bind(from as i64).fetch_all(&self.readers),
        )
        .await?;
        row::events(id, from, rows)
    }

    pub(super) async fn games_of(&self, owner: &Owner, limit: usize) -> Result<Vec<ListedGame>, StoreError> {
        let rows: Vec<ListedRow> =
            within(sqlx::query_as(sql::GAMES_OF).bind(&owner.0).bind(limit as i64).fetch_all(&self.readers))
                .await?;
        rows.into_iter().map(row::listed).collect()
    }

    pub(super) async fn all_games(&self, limit: usize) -> Result<Vec<ListedGame>, StoreError> {
        // PostgreSQL reads a literal number as `integer`, but the columns are `bigint`.
        let statement = sql::ALL_GAMES.replacen("0,", "0::bigint,", 1);
        let rows: Vec<ListedRow> =
            within(sqlx::query_as(&statement).bind(limit as i64).fetch_all(&self.readers)).await?;
        rows.into_iter().map(row::listed).collect()
    }

    pub(super) async fn find(&self, beginning: &str, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let rows: Vec<String> =
            within(sqlx::query_scalar(sql::FIND).bind(beginning).bind(limit as i64).fetch_all(&self.readers))
                .await?;
        rows.iter().map(|id| row::game_id(id)).collect()
    }

    pub(super) async fn open_games_of(&self, owner: &Owner) -> Result<usize, StoreError> {
        self.count(sql::OPEN_GAMES_OF, &owner.0, None).await
    }

    pub(super) async fn open_games_from(&self, address: &str) -> Result<usize, StoreError> {
        self.count(sql::OPEN_GAMES_FROM, address, None).await
    }

    pub(super) async fn started_from(&self, address: &str, day: u64) -> Result<usize, StoreError> {
        self.count(sql::STARTED_FROM, address, Some(day as i64)).await
    }

    pub(super) async fn due(&self, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let rows: Vec<String> = within(
            sqlx::query_scalar(sql::DUE).bind(now.0 as i64).bind(limit as i64).fetch_all(&self.readers),
        )
        .await?;
        rows.iter().map(|id| row::game_id(id)).collect()
    }

    pub(super) async fn outages(&self, since: Time) -> Result<Vec<Outage>, StoreError> {
        let rows: Vec<(i64, i64)> =
            within(sqlx::query_as(sql::OUTAGES).bind(since.0 as i64).fetch_all(&self.readers)).await?;
        let outage = |(since, until)| Outage { since: row::time(since), until: row::time(until) };
        Ok(rows.into_iter().map(outage).collect())
    }

    pub(super) async fn tell(&self, message: &ClusterMessage) -> Result<(), StoreError> {
        feed::notify(&self.readers, message).await
    }

    pub(super) async fn clean(&self, terms: Retention) -> Result<u64, StoreError> {
        write::clean(&self.readers, terms).await
    }

    pub(super) async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let deleted =
            within(sqlx::query(sql::DELETE_GAME).bind(id.to_string()).execute(&self.readers)).await?;
        Ok(deleted.rows_affected() > 0)
    }

    pub(super) async fn forget(&self, owner: &Owner) -> Result<Vec<GameId>, StoreError> {
        let mut connection = within(PgConnection::connect_with(&self.options)).await?;
        forget::forget(&mut connection, owner).await
    }

    pub(super) async fn setting(&self, name: &str, first: &str) -> Result<String, StoreError> {
        within(sqlx::query(sql::KEEP_SETTING).bind(name).bind(first).execute(&self.readers)).await?;
        within(sqlx::query_scalar(sql::SETTING).bind(name).fetch_one(&self.readers)).await
    }

    pub(super) async fn size(&self) -> Result<u64, StoreError> {
        let bytes: i64 = within(
            sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(&self.readers),
        )
        .await?;
        Ok(bytes.max(0) as u64)
    }

    pub(super) fn feed(&self) -> ClusterFeed {
        ClusterFeed::of(&self.address)
    }

    pub(super) async fn close(&self) {
        for slot in [&self.heart, &self.writer] {
            if let Some(connection) = slot.lock().await.take() {
                // The connection is dropped in any case.
                let _ = connection.close().await;
            }
        }
        self.readers.close().await;
    }
}
