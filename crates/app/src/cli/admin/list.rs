//! `crownhead admin list`: lists online games, most recent first.

use std::io::{self, Write};

use clap::Args;
use crownhead_server::online::{ListedGame, Phase, SideName, Summary};
use serde::Serialize;

use super::{date_and_time, short, with_database};
use crate::cli::database::DatabaseOptions;
use crate::cli::whole_number;

/// List games, most recent first.
#[derive(Args)]
pub(crate) struct List {
    /// Maximum number of games to list.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = limit)]
    limit: usize,
    #[command(flatten)]
    database: DatabaseOptions,
    /// Print one JSON object with full ids. Anyone who knows an id can watch the game, or join it while it is open.
    #[arg(long)]
    json: bool,
}

fn limit(text: &str) -> anyhow::Result<usize> {
    whole_number(text, u32::MAX).map(|limit| limit as usize)
}

#[derive(Serialize)]
struct Report {
    games: Vec<Row>,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) id: String,
    /// In milliseconds since 1970.
    pub(super) updated: u64,
    #[serde(flatten)]
    pub(super) summary: Summary,
}

impl List {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let limit = self.limit;
        let games = with_database(&self.database, async |backend| Ok(backend.all_games(limit).await?))?;
        let mut out = io::stdout().lock();
        if self.json {
            let row = |listed: ListedGame| Row {
                id: listed.game.to_string(),
                updated: listed.updated.0,
                summary: listed.summary,
            };
            serde_json::to_writer(&mut out, &Report { games: games.into_iter().map(row).collect() })?;
            writeln!(out)?;
        } else {
            for listed in &games {
                print(listed, &mut out)?;
            }
        }
        Ok(())
    }
}

fn print(listed: &ListedGame, out: &mut impl Write) -> io::Result<()> {
    let ListedGame { game, updated, summary, .. } = listed;
    let (id, updated) = (short(*game), date_and_time(*updated));
    writeln!(out, "{id}  {updated}  {:>3} moves  {}  {}", summary.plies, players(summary), state(summary))
}

/// Both players' names; a player without a name is shown by role or colour.
pub(super) fn players(summary: &Summary) -> String {
    let roles =
        if summary.phase == Phase::Waiting { ["the inviter", "no opponent yet"] } else { ["Black", "White"] };
    let name = |n: usize| if summary.names[n].is_empty() { roles[n] } else { &summary.names[n] };
    format!("{} – {}", name(0), name(1))
}

/// The state of the game in words.
pub(super) fn state(summary: &Summary) -> String {
    match summary.phase {
        Phase::Waiting => "waiting for an opponent".to_owned(),
        Phase::Withdrawn => "withdrawn".to_owned(),
        Phase::Over => summary.outcome.clone().unwrap_or_else(|| "over".to_owned()),
        Phase::Playing => match summary.turn {
            Some(SideName::Black) => "Black to move".to_owned(),
            Some(SideName::White) => "White to move".to_owned(),
            None => "playing".to_owned(),
        },
    }
}
