//! Administration: ends and deletes games, also while servers run on the database.

use std::sync::Arc;

use crownhead_game::{Event, Game, LogError, Record, Time};
use crownhead_rules::Outcome;

use crate::online::cluster::ClusterMessage;
use crate::online::ids::GameId;
use crate::online::room::{appended, withdrawn};
use crate::online::store::{Backend, StoreError, StoredEvent};

/// How often to try while players move at the same time. Each lost race means that another writer made progress.
const TRIES: usize = 20;

/// The result of ending a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndResult {
    /// It ended without a result.
    Abandoned,
    /// No guest had joined, so the invitation was withdrawn.
    Withdrawn,
    /// It had ended before.
    Already,
    /// There is no such game.
    Missing,
}

/// Ends a game without a result. The event is appended to the log, so a server that has the game in memory learns of it
/// with its next write, and on PostgreSQL at once.
///
/// # Errors
/// If the database fails, or the game in it is damaged.
pub async fn end_game(backend: &Backend, id: GameId, now: Time) -> Result<EndResult, StoreError> {
    for _ in 0..TRIES {
        let Some(stored) = backend.game(id).await? else { return Ok(EndResult::Missing) };
        let (change, ended) = match &stored.events[..] {
            [] => (withdrawn(id, &stored.start, now.max(stored.created)), EndResult::Withdrawn),
            [first, ..] if first.record.event == Event::Withdrawn => return Ok(EndResult::Already),
            events => {
                let damaged = |error: LogError| StoreError::Damaged { game: id, problem: error.to_string() };
                let mut game = Game::replay(events.iter().map(|event| &event.record)).map_err(damaged)?;
                if game.outcome().is_some() {
                    return Ok(EndResult::Already);
                }
                let (seq, at) = (game.seq(), now.max(game.last_at()));
                let record = Record::new(at, Event::Ended { outcome: Outcome::Abandoned });
                game.absorb(&record).map_err(damaged)?;
                (appended(id, &game, seq, vec![StoredEvent::new(record, "")], at), EndResult::Abandoned)
            }
        };
        if backend.write(Arc::new(vec![vec![change]])).await? == [true] {
            return Ok(ended);
        }
    }
    Err(StoreError::Taken)
}

/// Deletes a game with all its data. Returns whether it existed.
///
/// # Errors
/// If the database fails.
pub async fn delete_game(backend: &Backend, id: GameId) -> Result<bool, StoreError> {
    let is_deleted = backend.delete(id).await?;
    if is_deleted {
        // Servers that have the game in memory read it again and find it gone.
        backend.tell(&ClusterMessage::Changed { game: id }).await?;
    }
    Ok(is_deleted)
}
