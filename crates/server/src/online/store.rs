//! Storage of games: reads from the database, and a queue that groups changes into transactions.
//!
//! Two databases keep games: SQLite in a file ([`sqlite`]) and PostgreSQL ([`postgres`]), behind one [`Backend`].
//! Changes go through one queue, which puts all that are waiting into one transaction, so that many games share a write
//! to the disk. A change counts as written only when its transaction is committed.

mod backend;
mod error;
mod game;
mod heartbeat;
mod names;
mod postgres;
mod queries;
mod row;
mod sqlite;
mod writer;

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::Database;
use crate::online::outages::Outages;

pub(crate) use names::without_names;

pub use backend::{Backend, Retention};
pub use error::StoreError;
pub use game::{Change, GameStatus, ListedGame, NewGame, SeatRole, StoredEvent, StoredGame, TakenSeat};
pub use heartbeat::{Heartbeat, Outage};
pub use postgres::ClusterFeed;
pub use sqlite::SqliteFile;

/// The games in a database. Reads go to the [`Backend`] at once, writes through a queue.
pub struct Store {
    backend: Arc<Backend>,
    jobs: mpsc::Sender<writer::Job>,
    outages: Arc<Outages>,
}

impl Store {
    /// Opens a database and brings it up to date.
    ///
    /// # Errors
    /// If it cannot be reached, cannot be written, or does not belong to Crownhead.
    pub async fn open(database: &Database, outages: Arc<Outages>) -> Result<Store, StoreError> {
        let backend = Arc::new(Backend::open(database).await?);
        let jobs = writer::start(backend.clone(), outages.clone());
        Ok(Store { backend, jobs, outages })
    }

    /// Writes all changes or none. When this returns, they are on the disk.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if another writer has appended to a game that the changes follow.
    pub async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        writer::write(&self.jobs, changes).await
    }

    /// Finishes the current write and disconnects. Changes that still wait are not written and were never acknowledged.
    pub async fn close(&self) {
        self.backend.close().await;
    }

    /// How many changes wait to be written.
    pub fn queue_length(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    pub(crate) fn outages_seen(&self) -> &Arc<Outages> {
        &self.outages
    }
}

impl Deref for Store {
    type Target = Backend;

    fn deref(&self) -> &Backend {
        &self.backend
    }
}
