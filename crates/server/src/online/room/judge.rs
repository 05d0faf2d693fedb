//! Claims that neither side can win: the endgame tables decide.

use crownhead_game::{Command, Effect, Task, Verdict};
use crownhead_tablebase::Wdl;
use tokio::task;

use super::{By, Room};
use crate::error::ApiError;
use crate::tables::Tables;

impl Room {
    /// Has a claim judged that waits for it.
    pub(crate) async fn judge(&self) -> Result<(), ApiError> {
        let claim = |effect: Effect| match effect {
            Effect::Adjudicate { task } => Some(task),
            _ => None,
        };
        let waiting =
            self.look(|state| state.game.as_ref()?.outstanding().into_iter().find_map(claim)).await?;
        let Some(task) = waiting else { return Ok(()) };
        let (request, tables) = (task.request, self.house.tables.clone());
        let verdict =
            task::spawn_blocking(move || verdict(&tables, &task)).await.map_err(ApiError::Broken)?;
        self.command(By::House, &Command::Adjudicated { request, verdict }).await.map(drop)
    }
}

fn verdict(tables: &Tables, task: &Task) -> Verdict {
    // A task that a game made can be read back; if not, nothing is proven.
    match task.history().ok().and_then(|history| tables.get().probe(history.position())) {
        Some(Wdl::Draw) => Verdict::Draw,
        Some(Wdl::Win | Wdl::Loss) => Verdict::NoDraw,
        None => Verdict::Unknown,
    }
}
