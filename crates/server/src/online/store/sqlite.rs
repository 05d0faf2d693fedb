//! The SQLite backend: games in a file.
//!
//! A connection on which anything has failed is thrown away and never used again: after a failed commit it may still be
//! inside a transaction, and would accept changes that are never stored.

mod file;
mod forget;
mod restore;
mod write;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crownhead_game::Time;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use tokio::sync::{Mutex as AsyncMutex, Semaphore};

use super::queries as sql;
use super::row::{self, EventRow, SeatRow};
use super::{Change, Heartbeat, ListedGame, Outage, Retention, StoreError, StoredEvent, StoredGame};
use crate::online::ids::{GameId, Owner};

pub use file::SqliteFile;

/// The number of concurrent readers beside the writer.
const READERS: usize = 4;

/// A database in a file.
pub(super) struct Sqlite(Arc<Shared>);

struct Shared {
    file: PathBuf,
    writer: Slot,
    heart: Slot,
    readers: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
    is_closed: AtomicBool,
    beats: AtomicU64,
}

/// The slot of one connection, which is opened when it is needed. Tasks wait for it, not threads.
type Slot = Arc<AsyncMutex<Option<Connection>>>;

impl Sqlite {
    /// Opens the file, creates it if it is missing, and migrates it.
    pub(super) async fn open(file: &Path) -> Result<Sqlite, StoreError> {
        let file = file.to_owned();
        let opened = move || {
            let writer = file::open(&file)?;
            Ok(Sqlite(Arc::new(Shared {
                file,
                writer: Arc::new(AsyncMutex::new(Some(writer))),
                heart: Slot::default(),
                readers: Mutex::default(),
                permits: Arc::new(Semaphore::new(READERS)),
                is_closed: AtomicBool::new(false),
                beats: AtomicU64::new(0),
            })))
        };
        blocking(opened).await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.0.permits.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let shared = self.0.clone();
        let read = move || {
            // Held until the read ends, even if the caller is gone.
            let _permit = permit;
            shared.read(read)
        };
        blocking(read).await
    }

    async fn write_with<T: Send + 'static>(
        &self,
        slot: fn(&Shared) -> &Slot,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let shared = self.0.clone();
        let mut slot = slot(&shared).clone().lock_owned().await;
        blocking(move || shared.transaction(&mut slot, write)).await
    }
}

impl Shared {
    /// Runs `write` in a transaction, which stores all of it or nothing.
    fn transaction<T>(
        &self,
        slot: &mut Option<Connection>,
        write: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.is_closed.load(Ordering::SeqCst) {
            return Err(StoreError::Closed);
        }
        // Whatever goes wrong from here on, the connection is dropped.
        let connection = slot.take().map_or_else(|| file::connect(&self.file), Ok)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let written = write(&connection)?;
        connection.execute_batch("COMMIT")?;
        if !connection.is_autocommit() {
            return Err(StoreError::Unavailable);
        }
        *slot = Some(connection);
        Ok(written)
    }

    fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| file::connect(&self.file), Ok)?;
        let result = read(&connection)?;
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(result)
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    // A runtime that is shutting down takes no more tasks.
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Closed)?
}

fn rows<T>(
    connection: &Connection,
    statement: &str,
    parameters: impl Params,
    row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(statement)?;
    let rows = statement.query_map(parameters, row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn count(connection: &Connection, statement: &str, parameters: impl Params) -> Result<usize, StoreError> {
    let count: i64 = connection.prepare_cached(statement)?.query_row(parameters, |row| row.get(0))?;
    Ok(count.max(0) as usize)
}

fn execute(connection: &Connection, statement: &str, parameters: impl Params) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached(statement)?.execute(parameters)?)
}

fn events(connection: &Connection, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError> {
    let event = |row: &Row<'_>| -> rusqlite::Result<EventRow> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
    row::events(id, from, rows(connection, sql::EVENTS, params![id.to_string(), from as i64], event)?)
}

fn listed(row: &Row<'_>) -> rusqlite::Result<row::ListedRow> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
}

impl Sqlite {
    pub(super) async fn write(&self, jobs: Arc<Vec<Vec<Change>>>) -> Result<Vec<bool>, StoreError> {
        let write =
            move |connection: &Connection| jobs.iter().map(|job| write::job(connection, job)).collect();
        self.write_with(|shared| &shared.writer, write).await
    }

    pub(super) async fn heartbeat(&self, beat: Heartbeat) -> Result<(), StoreError> {
        let seq = self.0.beats.fetch_add(1, Ordering::Relaxed) as i64;
        let game = beat.game();
        let write = move |connection: &Connection| write::heartbeat(connection, &beat, seq);
        let at = self.write_with(|shared| &shared.heart, write).await?;
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(sql::READ_HEARTBEAT)?;
            Ok(statement.query_row(params![game, seq], |row| row.get::<_, String>(0)).optional()?)
        };
        if self.read(read).await? == Some(at.to_string()) { Ok(()) } else { Err(StoreError::NotReadBack) }
    }

    pub(super) async fn last_heartbeat(&self) -> Result<Option<Time>, StoreError> {
        let at = |connection: &Connection| {
            Ok(connection.query_row(sql::LAST_HEARTBEAT, [], |row| row.get(0)).optional()?.map(row::time))
        };
        self.read(at).await
    }

    pub(super) async fn game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        let game = move |connection: &Connection| {
            // One transaction, for a consistent snapshot.
            connection.execute_batch("BEGIN")?;
            let row = connection
                .prepare_cached(sql::GAME)?
                .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()?;
            let seat =
                |row: &Row<'_>| -> rusqlite::Result<SeatRow> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
            let seats = rows(connection, sql::SEATS, [id.to_string()], seat)?;
            let game = row.map(|row| row::game(id, row, &seats, events(connection, id, 0)?)).transpose();
            connection.execute_batch("COMMIT")?;
            game
        };
        self.read(game).await
    }

    pub(super) async fn events(&self, id: GameId, from: usize) -> Result<Vec<StoredEvent>, StoreError> {
        self.read(move |connection| events(connection, id, from)).await
    }

    pub(super) async fn games_of(&self, owner: &Owner, limit: usize) -> Result<Vec<ListedGame>, StoreError> {
        let owner = owner.0.clone();
        let games = move |connection: &Connection| {
            rows(connection, sql::GAMES_OF, params![owner, limit as i64], listed)
        };
        self.read(games).await?.into_iter().map(row::listed).collect()
    }

    pub(super) async fn all_games(&self, limit: usize) -> Result<Vec<ListedGame>, StoreError> {
        let games = move |connection: &Connection| rows(connection, sql::ALL_GAMES, [limit as i64], listed);
        self.read(games).await?.into_iter().map(row::listed).collect()
    }

    pub(super) async fn find(&self, beginning: &str, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let beginning = beginning.to_owned();
        let find = move |connection: &Connection| {
            rows(connection, sql::FIND, params![beginning, limit as i64], |row| row.get::<_, String>(0))
        };
        self.read(find).await?.iter().map(|id| row::game_id(id)).collect()
    }

    pub(super) async fn open_games_of(&self, owner: &Owner) -> Result<usize, StoreError> {
        let owner = owner.0.clone();
        self.read(move |connection| count(connection, sql::OPEN_GAMES_OF, [owner])).await
    }

    pub(super) async fn open_games_from(&self, address: &str) -> Result<usize, StoreError> {
        let address = address.to_owned();
        self.read(move |connection| count(connection, sql::OPEN_GAMES_FROM, [address])).await
    }

    pub(super) async fn started_from(&self, address: &str, day: u64) -> Result<usize, StoreError> {
        let address = address.to_owned();
        self.read(move |connection| count(connection, sql::STARTED_FROM, params![address, day as i64])).await
    }

    pub(super) async fn due(&self, now: Time, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let due = move |connection: &Connection| {
            rows(connection, sql::DUE, [now.0 as i64, limit as i64], |row| row.get::<_, String>(0))
        };
        self.read(due).await?.iter().map(|id| row::game_id(id)).collect()
    }

    pub(super) async fn outages(&self, since: Time) -> Result<Vec<Outage>, StoreError> {
        let outage =
            |row: &Row<'_>| Ok(Outage { since: row::time(row.get(0)?), until: row::time(row.get(1)?) });
        self.read(move |connection| rows(connection, sql::OUTAGES, [since.0 as i64], outage)).await
    }

    pub(super) async fn clean(&self, terms: Retention) -> Result<u64, StoreError> {
        self.write_with(|shared| &shared.writer, move |connection| write::clean(connection, terms)).await
    }

    pub(super) async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let delete = move |connection: &Connection| execute(connection, sql::DELETE_GAME, [id.to_string()]);
        Ok(self.write_with(|shared| &shared.writer, delete).await? > 0)
    }

    pub(super) async fn forget(&self, owner: &Owner) -> Result<Vec<GameId>, StoreError> {
        let owner = owner.clone();
        self.write_with(|shared| &shared.writer, move |connection| forget::forget(connection, &owner)).await
    }

    pub(super) async fn setting(&self, name: &str, first: &str) -> Result<String, StoreError> {
        let (name, first) = (name.to_owned(), first.to_owned());
        let setting = move |connection: &Connection| {
            execute(connection, sql::KEEP_SETTING, [&name, &first])?;
            Ok(connection.query_row(sql::SETTING, [&name], |row| row.get(0))?)
        };
        self.write_with(|shared| &shared.writer, setting).await
    }

    pub(super) async fn size(&self) -> Result<u64, StoreError> {
        // Free pages are reused, so they do not count.
        let size = |connection: &Connection| {
            let pragma =
                |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
            Ok((pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?)
        };
        Ok(self.read(size).await?.max(0) as u64)
    }

    pub(super) fn disk_free(&self) -> Option<u64> {
        file::disk_free(&self.0.file)
    }

    pub(super) async fn close(&self) {
        self.0.is_closed.store(true, Ordering::SeqCst);
        // A write in progress holds its slot until it is done.
        for slot in [&self.0.heart, &self.0.writer] {
            let mut slot = slot.clone().lock_owned().await;
            let close = move || {
                slot.take();
                Ok(())
            };
            let _ = blocking(close).await;
        }
        let shared = self.0.clone();
        let close = move || {
            shared.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
            Ok(())
        };
        let _ = blocking(close).await;
        self.0.permits.close();
    }
}
