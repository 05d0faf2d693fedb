//! The write queue: groups all waiting changes into one transaction.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::{Backend, Change, StoreError};
use crate::online::outages::Outages;

/// The capacity of the queue; later senders wait.
const QUEUE: usize = 1_024;
/// The most jobs that share a transaction.
const GROUP: usize = 256;
/// After this many failures in a row the database is at fault, not one job, and the rest of the group is not tried.
const FAILURES: usize = 2;

/// Changes that are written together, and the channel for the result.
pub(super) struct Job {
    changes: Vec<Change>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// Starts the writer. It ends when the last sender is dropped.
pub(super) fn start(backend: Arc<Backend>, outages: Arc<Outages>) -> mpsc::Sender<Job> {
    let (sender, mut queue) = mpsc::channel::<Job>(QUEUE);
    tokio::spawn(async move {
        let mut jobs = Vec::new();
        loop {
            if jobs.is_empty() && queue.recv_many(&mut jobs, GROUP).await == 0 {
                return;
            }
            let group = next_group(&mut jobs);
            write_group(&backend, &outages, group).await;
        }
    });
    sender
}

/// Takes jobs up to the first about a game that is already in the group, because one statement changes a row once.
fn next_group(jobs: &mut Vec<Job>) -> Vec<Job> {
    let mut games = HashSet::new();
    let is_new = |job: &Job| job.changes.iter().all(|change| games.insert(change.game));
    let length = jobs.iter().map(is_new).take_while(|&is_new| is_new).count().max(1);
    jobs.drain(..length).collect()
}

/// Queues changes and waits until they are on the disk.
pub(super) async fn write(jobs: &mpsc::Sender<Job>, changes: Vec<Change>) -> Result<(), StoreError> {
    let (done, answer) = oneshot::channel();
    jobs.send(Job { changes, done }).await.map_err(|_| StoreError::Closed)?;
    answer.await.map_err(|_| StoreError::Closed)?
}

/// Writes all jobs in one transaction, or each in its own if that fails.
async fn write_group(backend: &Backend, outages: &Outages, jobs: Vec<Job>) {
    let (changes, waiting): (Vec<_>, Vec<_>) = jobs.into_iter().map(|job| (job.changes, job.done)).unzip();
    let changes = Arc::new(changes);
    match write_together(backend, outages, changes.clone()).await {
        Ok(written) => {
            for (done, is_written) in waiting.into_iter().zip(written) {
                answer(done, Ok(is_written));
            }
        }
        Err(error) => match <[_; 1]>::try_from(waiting) {
            Ok([done]) => answer(done, Err(error)),
            Err(waiting) => write_each(backend, outages, &changes, waiting).await,
        },
    }
}

async fn write_each(
    backend: &Backend,
    outages: &Outages,
    jobs: &[Vec<Change>],
    waiting: Vec<oneshot::Sender<Result<(), StoreError>>>,
) {
    let mut failures = 0;
    for (job, done) in jobs.iter().zip(waiting) {
        if failures == FAILURES {
            answer(done, Err(StoreError::Unavailable));
            continue;
        }
        let alone = write_together(backend, outages, Arc::new(vec![job.clone()])).await;
        failures = if alone.is_ok() { 0 } else { failures + 1 };
        answer(done, alone.map(|written| written.first().copied().unwrap_or(true)));
    }
}

/// Writes jobs in one transaction, and reports the attempt to the log of outages.
async fn write_together(
    backend: &Backend,
    outages: &Outages,
    jobs: Arc<Vec<Vec<Change>>>,
) -> Result<Vec<bool>, StoreError> {
    let attempt = outages.attempt();
    let written = backend.write(jobs).await;
    attempt.ended(written.as_ref().err());
    written
}

fn answer(done: oneshot::Sender<Result<(), StoreError>>, written: Result<bool, StoreError>) {
    let result = written.and_then(|is_written| if is_written { Ok(()) } else { Err(StoreError::Taken) });
    // The sender may be gone.
    let _ = done.send(result);
}
