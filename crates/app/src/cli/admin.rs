//! `crownhead admin`: lists, shows, ends and deletes online games, even while servers are running.

mod delete;
mod end;
mod list;
mod show;

use std::future::Future;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use crownhead_game::Time;
use crownhead_server::online::{Backend, GameId};

use crate::cli::database::DatabaseOptions;

/// The number of characters of a game's id that the logs print; enough to identify the game.
const SHORTEST: usize = 8;

/// List, show, end and delete online games, even while the server is running.
#[derive(Args)]
pub(crate) struct Admin {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    End(end::End),
    Delete(delete::Delete),
}

impl Admin {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::List(list) => list.run(),
            Command::Show(show) => show.run(),
            Command::End(end) => end.run(),
            Command::Delete(delete) => delete.run(),
        }
    }
}

/// The game that a subcommand works on, chosen by its id or a prefix of it.
#[derive(Args)]
struct Chosen {
    /// The id of the game, or at least its first 8 characters, as lists and logs show them.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Chosen {
    /// Opens the database, finds the game and runs `work` on it.
    fn with<T, F>(&self, work: impl FnOnce(Arc<Backend>, GameId) -> F) -> anyhow::Result<T>
    where
        F: Future<Output = anyhow::Result<T>>,
    {
        with_database(&self.database, async |backend| {
            let id = self.find(&backend).await?;
            work(backend, id).await
        })
    }

    async fn find(&self, backend: &Backend) -> anyhow::Result<GameId> {
        // Logs end a shortened id with an ellipsis.
        let text = self.game.trim_end_matches('…');
        let is_id = text.chars().all(|letter| letter.is_ascii_alphanumeric());
        ensure!(
            is_id && text.len() >= SHORTEST,
            "{text:?} is too short or not the id of a game: give its first {SHORTEST} letters and digits, or more"
        );
        match backend.find(text, 2).await?[..] {
            [id] => Ok(id),
            [] => bail!("there is no game {text}; `crownhead admin list` shows which there are"),
            _ => bail!("more than one game begins with {text}; give more of its id"),
        }
    }
}

/// Opens the database, runs `work` and closes the database again.
fn with_database<T, F>(options: &DatabaseOptions, work: impl FnOnce(Arc<Backend>) -> F) -> anyhow::Result<T>
where
    F: Future<Output = anyhow::Result<T>>,
{
    let database = options.existing()?;
    let runtime = tokio::runtime::Runtime::new().context("cannot open the database")?;
    runtime.block_on(async {
        let backend = Arc::new(Backend::open(&database).await?);
        let result = work(backend.clone()).await;
        backend.close().await;
        result
    })
}

/// The prefix of an id: enough to identify the game, not enough to join it.
fn short(id: GameId) -> String {
    let mut id = id.to_string();
    id.truncate(SHORTEST);
    id
}

/// Formats a date and time in the host's time zone.
fn date_and_time(time: Time) -> String {
    let at = jiff::Timestamp::from_millisecond(time.0 as i64).unwrap_or_default();
    at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
