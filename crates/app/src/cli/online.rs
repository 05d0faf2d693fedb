//! The options for games between people: where they are kept, where the server is seen from, and how much is allowed.

use clap::Args;
use crownhead_server::Database;
use crownhead_server::online::{Limits, Site};

use crate::cli::database::DatabaseOptions;

/// Games between people over a link.
#[derive(Args)]
pub(crate) struct Online {
    #[command(flatten)]
    database: DatabaseOptions,
    /// Where browsers find the server, if a proxy stands before it: <https://checkers.example.org>.
    #[arg(long, value_name = "URL")]
    origin: Option<String>,
    /// Believe the proxy in front about the addresses of clients (X-Forwarded-For).
    #[arg(long)]
    behind_proxy: bool,
    #[command(flatten)]
    limits: Limited,
}

#[derive(Args)]
#[command(next_help_heading = "Limits for games over a link")]
struct Limited {
    /// The longest message, in bytes.
    #[arg(long, value_name = "N", default_value_t = Limits::default().message_bytes)]
    max_message_bytes: usize,
    /// Messages per second on one connection.
    #[arg(long, value_name = "N", default_value_t = Limits::default().messages_per_second)]
    max_messages_per_second: u32,
    /// Open games of one browser.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_browser)]
    max_games_per_browser: usize,
    /// Open games from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_address)]
    max_games_per_address: usize,
    /// Connections to one game.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_game)]
    max_connections_per_game: usize,
    /// Connections from one network address to games.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address)]
    max_connections_per_address: usize,
    /// Connections of any kind from one network address; not counted behind a proxy.
    #[arg(long, value_name = "N", default_value_t = Limits::default().sockets_per_address)]
    max_sockets_per_address: usize,
    /// Invitations and joins per minute from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().starts_per_minute)]
    max_starts_per_minute: u32,
    /// Seconds that a client may take to send a request or to take a message.
    #[arg(long, value_name = "N", default_value_t = Limits::default().patience_seconds)]
    patience_seconds: u32,
    /// Events of one game; then no more moves are made, and it can only be ended.
    #[arg(long, value_name = "N", default_value_t = Limits::default().events_per_game)]
    max_events_per_game: usize,
    /// Days after which games that nobody moved in are forgotten.
    #[arg(long, value_name = "N", default_value_t = Limits::default().keep_unplayed_days)]
    keep_unplayed_days: u64,
}

impl Online {
    /// Where games are kept. The folder is made if it is not there.
    pub(crate) fn database(&self) -> anyhow::Result<Database> {
        self.database.database()
    }

    pub(crate) fn site(&self) -> Site {
        let origin = self.origin.as_ref().map(|origin| origin.trim_end_matches('/').to_owned());
        Site { origin, behind_proxy: self.behind_proxy }
    }

    pub(crate) fn limits(&self) -> Limits {
        let Limited {
            max_message_bytes: message_bytes,
            max_messages_per_second: messages_per_second,
            max_games_per_browser: games_per_browser,
            max_games_per_address: games_per_address,
            max_connections_per_game: connections_per_game,
            max_connections_per_address: connections_per_address,
            max_sockets_per_address: sockets_per_address,
            max_starts_per_minute: starts_per_minute,
            patience_seconds,
            max_events_per_game: events_per_game,
            keep_unplayed_days,
        } = self.limits;
        Limits {
            message_bytes,
            messages_per_second,
            games_per_browser,
            games_per_address,
            connections_per_game,
            connections_per_address,
            sockets_per_address,
            starts_per_minute,
            patience_seconds,
            events_per_game,
            keep_unplayed_days,
        }
    }
}
