//! `crownhead admin delete`: deletes an online game with its moves and names.

use std::io::{self, IsTerminal, Write};

use anyhow::{bail, ensure};
use clap::Args;
use crownhead_server::online::{GameId, delete_game};
use serde_json::json;

use super::{Chosen, short};
use crate::stderr::tell;

/// Delete a game permanently, with its moves and names.
///
/// Connected players learn that the game no longer exists when they next move; with PostgreSQL, immediately.
#[derive(Args)]
pub(crate) struct Delete {
    #[command(flatten)]
    chosen: Chosen,
    /// Delete without asking for confirmation.
    #[arg(long)]
    yes: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Delete {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let id = self.chosen.with(async |backend, id| {
            ensure!(self.yes || confirmed(id)?, "nothing was deleted");
            if !delete_game(&backend, id).await? {
                bail!("game {} is gone", short(id));
            }
            Ok(id)
        })?;
        if self.json {
            writeln!(io::stdout(), "{}", json!({"id": id, "deleted": true}))?;
        } else {
            tell(format_args!("game {} is deleted", short(id)));
        }
        Ok(())
    }
}

fn confirmed(id: GameId) -> anyhow::Result<bool> {
    ensure!(io::stdin().is_terminal(), "there is no terminal to confirm at; add --yes to delete the game");
    write!(io::stderr(), "Delete game {} for good? [y/N] ", short(id))?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
