//! `crownhead admin end`: ends an online game without a result.

use std::io::{self, Write};

use anyhow::bail;
use clap::Args;
use crownhead_server::online::{EndResult, ServerClock, end_game};
use serde_json::json;

use super::{Chosen, short};
use crate::stderr::tell;

/// End a game without a result, or withdraw an invitation that is still open.
///
/// Connected players see this when they next move or reload the page; with PostgreSQL, immediately.
#[derive(Args)]
pub(crate) struct End {
    #[command(flatten)]
    chosen: Chosen,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl End {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (id, ended) = self.chosen.with(async |backend, id| {
            // This process and the server share only the wall clock.
            Ok((id, end_game(&backend, id, ServerClock::system().now()).await?))
        })?;
        let (word, sentence) = match ended {
            EndResult::Abandoned => ("abandoned", "has ended without a result"),
            EndResult::Withdrawn => ("withdrawn", "is withdrawn; no opponent had joined"),
            EndResult::Already => bail!("game {} is over already", short(id)),
            EndResult::Missing => bail!("game {} is gone", short(id)),
        };
        if self.json {
            writeln!(io::stdout(), "{}", json!({"id": id, "ended": word}))?;
        } else {
            tell(format_args!("game {} {sentence}", short(id)));
        }
        Ok(())
    }
}
