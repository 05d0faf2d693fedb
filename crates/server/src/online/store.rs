//! The games as they are stored: what is written and read, and the queue through which everything is written.
//!
//! Two databases keep games: SQLite in a file ([`sqlite`]) and PostgreSQL ([`postgres`]), behind one [`Backend`]. All
//! writes go through one queue, which puts whatever waits into one transaction, so that many games share a write to the
//! disk. Nothing counts as written before its transaction is.

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
    /// If it cannot be reached, cannot be written, or is not ours.
    pub async fn open(database: &Database, outages: Arc<Outages>) -> Result<Store, StoreError> {
        let backend = Arc::new(Backend::open(database).await?);
        let jobs = writer::start(backend.clone(), outages.clone());
        Ok(Store { backend, jobs, outages })
    }

    /// Writes all of it or nothing. When this returns, it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if a game has other events by now than the changes follow.
    pub async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        writer::write(&self.jobs, changes).await
    }

    /// Finishes the current write and disconnects. What still waits is not written and was never acknowledged.
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
