//! Draw claims, adjudicated by the endgame tables.

use std::sync::Arc;

use crownhead_game::{Command, Effect, Task, Verdict};
use crownhead_tablebase::{Tablebase, Wdl};

use super::state::RoomState;
use super::{CommandSource, Room};
use crate::error::ApiError;

impl Room {
    /// Adjudicates a pending draw claim in the background; the verdict arrives as an event.
    pub(super) fn adjudicate_soon(self: &Arc<Room>, state: &RoomState) {
        let claim = |effect: Effect| match effect {
            Effect::Adjudicate { task } => Some(task),
            _ => None,
        };
        let waiting = state.game.as_ref().and_then(|game| game.outstanding().into_iter().find_map(claim));
        if let Some(task) = waiting {
            let room = self.clone();
            tokio::spawn(async move {
                if let Err(error) = room.adjudicate(task).await {
                    tracing::error!(?error, game = ?room.id, "cannot adjudicate a claim");
                }
            });
        }
    }

    async fn adjudicate(self: &Arc<Room>, task: Task) -> Result<(), ApiError> {
        let request = task.request;
        let verdict = self.context.tables.ask(move |tables| verdict(tables, &task)).await?;
        self.command(CommandSource::Server, &Command::Adjudicated { request, verdict }).await.map(drop)
    }
}

fn verdict(tables: &Tablebase, task: &Task) -> Verdict {
    // A task that a game made can be read back; if not, nothing is proven.
    match task.history().ok().and_then(|history| tables.probe(history.position())) {
        Some(Wdl::Draw) => Verdict::Draw,
        Some(Wdl::Win | Wdl::Loss) => Verdict::NoDraw,
        None => Verdict::Unknown,
    }
}
