//! `crownhead admin`: lists, shows, ends and deletes games over a link, also while servers run.

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

/// Where the logs cut the ids of games, which is enough to find them by.
const SHORTEST: usize = 8;

/// List, show, end and delete games over a link, also while the server runs.
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

/// A game by its id or the beginning of it.
#[derive(Args)]
struct Chosen {
    /// The id of the game, or its first 8 characters or more, as lists and logs show them.
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Chosen {
    /// Does something with the game.
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
        // Logs put three dots behind what they leave out.
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

/// Opens the database for as long as something is done with it.
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

/// The beginning of an id: enough to find the game by, not enough to join it.
fn short(id: GameId) -> String {
    let mut id = id.to_string();
    id.truncate(SHORTEST);
    id
}

/// A time in words, where the host is.
fn date_and_time(time: Time) -> String {
    let at = jiff::Timestamp::from_millisecond(time.0 as i64).unwrap_or_default();
    at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
