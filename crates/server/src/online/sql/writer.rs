//! The one who writes: takes all changes that wait, and makes them in one transaction.

use crownhead_game::Time;
use sqlx::{Any, AnyConnection, AnyPool, Transaction};
use tokio::sync::{mpsc, oneshot};

use super::{Kind, OPEN, OVER, WITHDRAWN, notify};
use crate::online::store::{Change, StoreError, StoredEvent};
use crate::online::summary::Phase;

/// So many changes wait at most; who comes later waits outside.
const QUEUE: usize = 1_024;
/// So many changes share a transaction.
const GROUP: usize = 256;

/// Changes that are made together, and who waits for them.
pub(super) struct Job {
    changes: Vec<Change>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// Starts the writer. It ends when nobody can give it a job any more.
pub(super) fn start(kind: Kind, database: AnyPool) -> mpsc::Sender<Job> {
    let (sender, mut queue) = mpsc::channel::<Job>(QUEUE);
    tokio::spawn(async move {
        let mut jobs = Vec::new();
        while queue.recv_many(&mut jobs, GROUP).await > 0 {
            // Two servers that lock games in the same order never wait for each other in a circle.
            jobs.sort_by_key(|job| job.changes.first().map(|change| change.game));
            write_group(kind, &database, std::mem::take(&mut jobs)).await;
        }
    });
    sender
}

/// Has changes made and waits until they are on the disk.
pub(super) async fn write(jobs: &mpsc::Sender<Job>, changes: Vec<Change>) -> Result<(), StoreError> {
    let (done, answer) = oneshot::channel();
    jobs.send(Job { changes, done }).await.map_err(|_| StoreError::Closed)?;
    answer.await.map_err(|_| StoreError::Closed)?
}

/// All in one transaction, or if one of them breaks it, each in its own.
async fn write_group(kind: Kind, database: &AnyPool, jobs: Vec<Job>) {
    if jobs.len() > 1
        && let Ok(results) = write_together(kind, database, &jobs).await
    {
        for (job, result) in jobs.into_iter().zip(results) {
            // Nobody may be waiting any more.
            let _ = job.done.send(result);
        }
        return;
    }
    for job in jobs {
        let alone = write_together(kind, database, std::slice::from_ref(&job)).await;
        let result = alone.and_then(|mut results| results.pop().unwrap_or(Ok(())));
        let _ = job.done.send(result);
    }
}

/// What became of each job, once the transaction is on the disk.
async fn write_together(
    kind: Kind,
    database: &AnyPool,
    jobs: &[Job],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut transaction = database.begin().await?;
    let mut results = Vec::with_capacity(jobs.len());
    for job in jobs {
        results.push(write_job(kind, &mut transaction, job).await?);
    }
    transaction.commit().await?;
    Ok(results)
}

/// The inner error is about this job alone, and then it has written nothing.
async fn write_job(
    kind: Kind,
    transaction: &mut Transaction<'_, Any>,
    job: &Job,
) -> Result<Result<(), StoreError>, StoreError> {
    for (n, change) in job.changes.iter().enumerate() {
        if !write_change(transaction, change).await? {
            // Only a number that is contended can be taken, and the contended change comes first.
            debug_assert_eq!(n, 0, "a later change of a job is about a game that nobody knows yet");
            return Ok(Err(StoreError::Taken));
        }
        if kind == Kind::Postgres {
            notify::announce(transaction, change).await?;
        }
    }
    Ok(Ok(()))
}

/// Tells whether the numbers were free.
async fn write_change(connection: &mut AnyConnection, change: &Change) -> Result<bool, StoreError> {
    let id = change.game.to_string();
    if let Some((start, address)) = &change.new {
        sqlx::query(
            "INSERT INTO games (id, created, updated, wake_at, plies, finished, address, start, summary, next) \
             VALUES ($1, $2, $2, 0, 0, $5, $3, $4, '', '')",
        )
        .bind(&id)
        .bind(change.standing.updated.0 as i64)
        .bind(address)
        .bind(json(start))
        .bind(OPEN)
        .execute(&mut *connection)
        .await?;
    }
    for (seq, event) in (change.seq..).zip(&change.events) {
        if !write_event(connection, &id, seq, event).await? {
            return Ok(false);
        }
    }
    for (seat, owner) in &change.seats {
        sqlx::query("INSERT INTO seats (game, seat, owner) VALUES ($1, $2, $3)")
            .bind(&id)
            .bind(*seat as i64)
            .bind(&owner.0)
            .execute(&mut *connection)
            .await?;
    }
    write_standing(connection, &id, change).await?;
    Ok(true)
}

async fn write_event(
    connection: &mut AnyConnection,
    id: &str,
    seq: usize,
    event: &StoredEvent,
) -> Result<bool, StoreError> {
    let inserted = sqlx::query(
        "INSERT INTO events (game, seq, json, command) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    )
    .bind(id)
    .bind(seq as i64)
    .bind(&event.json)
    .bind(&event.command)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn write_standing(connection: &mut AnyConnection, id: &str, change: &Change) -> Result<(), StoreError> {
    let standing = &change.standing;
    let finished = match standing.summary.phase {
        Phase::Waiting | Phase::Playing => OPEN,
        Phase::Over => OVER,
        Phase::Withdrawn => WITHDRAWN,
    };
    sqlx::query(
        "UPDATE games SET updated = $2, wake_at = $3, plies = $4, finished = $5, summary = $6, \
         address = CASE WHEN $5 = $8 THEN address ELSE '' END, \
         next = CASE WHEN $7 = '' THEN next ELSE $7 END WHERE id = $1",
    )
    .bind(id)
    .bind(standing.updated.0 as i64)
    .bind(standing.wake_at.map_or(0, |at| at.0 as i64))
    .bind(standing.plies as i64)
    .bind(finished)
    .bind(json(&standing.summary))
    .bind(change.next.map(|next| next.to_string()).unwrap_or_default())
    .bind(OPEN)
    .execute(connection)
    .await?;
    Ok(())
}

/// See [`Store::beat`](crate::online::store::Store::beat).
pub(super) async fn beat(database: &AnyPool, now: Time, patience_ms: u64) -> Result<(), StoreError> {
    let (now, patience) = (now.0 as i64, patience_ms as i64);
    let mut transaction = database.begin().await?;
    sqlx::query("INSERT INTO alive (one, at) VALUES (1, $1) ON CONFLICT DO NOTHING")
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "INSERT INTO outages (since, until) SELECT at, $1 FROM alive WHERE one = 1 AND at < $2 \
         ON CONFLICT DO NOTHING",
    )
    .bind(now)
    .bind(now - patience)
    .execute(&mut *transaction)
    .await?;
    sqlx::query("UPDATE alive SET at = $1 WHERE one = 1 AND at < $1")
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    Ok(transaction.commit().await?)
}

/// See [`Store::clean`](crate::online::store::Store::clean).
pub(super) async fn clean(database: &AnyPool, before: Time) -> Result<u64, StoreError> {
    let cleaned = sqlx::query("DELETE FROM games WHERE plies = 0 AND wake_at = 0 AND updated < $1")
        .bind(before.0 as i64)
        .execute(database)
        .await?;
    Ok(cleaned.rows_affected())
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("its maps have text keys")
}
