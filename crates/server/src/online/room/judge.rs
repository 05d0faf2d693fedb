//! Claims that neither side can win: the endgame tables decide.

use std::sync::Arc;

use crownhead_game::{Effect, Task};
use crownhead_tablebase::Tablebase;

use super::state::State;
use super::{By, Room};
use crate::error::ApiError;

impl Room {
    /// Has a claim judged that waits for it. Nobody waits for the verdict: it comes as an event.
    pub(super) fn judge_soon(self: &Arc<Room>, state: &State) {
        let claim = |effect: Effect| match effect {
            Effect::Adjudicate { task } => Some(task),
            _ => None,
        };
        let waiting = state.game.as_ref().and_then(|game| game.outstanding().into_iter().find_map(claim));
        if let Some(task) = waiting {
            let room = self.clone();
            tokio::spawn(async move {
                if let Err(error) = room.judge(task).await {
                    tracing::error!(?error, game = ?room.id, "cannot judge a claim");
                }
            });
        }
    }

    async fn judge(self: &Arc<Room>, task: Task) -> Result<(), ApiError> {
        let judge = move |tables: &Tablebase| task.adjudicate(|position| tables.is_drawn(position));
        let command = self.house.tables.ask(judge).await?;
        self.command(By::House, &command).await.map(drop)
    }
}
