//! Draw claims, adjudicated by the endgame tables.

use std::sync::Arc;

use crownhead_game::{Effect, Task};
use crownhead_tablebase::Tablebase;

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
        let adjudicate = move |tables: &Tablebase| task.adjudicate(|position| tables.is_drawn(position));
        let command = self.context.tables.ask(adjudicate).await?;
        self.command(CommandSource::Server, &command).await.map(drop)
    }
}
