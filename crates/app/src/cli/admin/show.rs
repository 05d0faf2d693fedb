//! `crownhead admin show`: shows one online game with its moves.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use crownhead_game::{Event, Game};
use crownhead_server::online::{GameId, StoredGame, Summary};
use serde::Serialize;

use super::list::{players, state};
use super::{Chosen, date_and_time};

/// Show one game: its players, state and moves.
#[derive(Args)]
pub(crate) struct Show {
    #[command(flatten)]
    chosen: Chosen,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    id: String,
    /// In milliseconds since 1970.
    created: u64,
    updated: u64,
    #[serde(flatten)]
    summary: Summary,
    events: usize,
    /// Whether each seat is taken by a browser, the inviter's first.
    seated: [bool; 2],
    /// The id of the rematch.
    next: Option<String>,
    moves: Vec<String>,
}

impl Show {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let report = self.chosen.with(async |backend, id| {
            let stored = backend.game(id).await?.with_context(|| format!("game {id} is gone"))?;
            Report::of(id, &stored)
        })?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            report.print(&mut out)?;
        }
        Ok(())
    }
}

impl Report {
    fn of(id: GameId, stored: &StoredGame) -> anyhow::Result<Report> {
        let records = stored.events.iter().map(|event| &event.record);
        let (summary, moves) = match stored.events.first().map(|first| &first.record.event) {
            None => (Summary::waiting(&stored.start), Vec::new()),
            Some(Event::Withdrawn) => (Summary::withdrawn(&stored.start), Vec::new()),
            Some(_) => {
                let game = Game::replay(records).with_context(|| format!("game {id} is damaged"))?;
                (Summary::of(&game), game.history().moves().iter().map(ToString::to_string).collect())
            }
        };
        Ok(Report {
            id: id.to_string(),
            created: stored.created.0,
            updated: stored.events.last().map_or(stored.created, |last| last.record.at).0,
            summary,
            events: stored.events.len(),
            seated: stored.owners.each_ref().map(Option::is_some),
            next: stored.next.map(|next| next.to_string()),
            moves,
        })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let time = |millis| date_and_time(crownhead_game::Time(millis));
        writeln!(out, "game     {}", self.id)?;
        writeln!(out, "players  {}", players(&self.summary))?;
        writeln!(out, "rules    {}", self.summary.rulebook)?;
        writeln!(out, "state    {}", state(&self.summary))?;
        writeln!(out, "created  {}", time(self.created))?;
        writeln!(out, "updated  {}", time(self.updated))?;
        writeln!(out, "events   {}", self.events)?;
        if let Some(next) = &self.next {
            writeln!(out, "rematch  {next}")?;
        }
        for (n, pair) in (1..).zip(self.moves.chunks(2)) {
            writeln!(out, "{n:>7}. {}", pair.join(" "))?;
        }
        Ok(())
    }
}
