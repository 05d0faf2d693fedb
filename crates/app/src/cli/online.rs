//! The options of `crownhead serve` for online games: database, public origin, proxies and limits.

use anyhow::Context;
use clap::Args;
use crownhead_server::Database;
use crownhead_server::online::{Limits, Site};

use crate::cli::database::DatabaseOptions;

/// File descriptors reserved for the database, tablebase files, metrics and the log, not for connections.
const RESERVED_DESCRIPTORS: usize = 128;
/// By default one address gets at most one in this many connections.
const SHARE_OF_ONE_ADDRESS: usize = 4;

/// Options for online games.
#[derive(Args)]
pub(crate) struct Online {
    #[command(flatten)]
    database: DatabaseOptions,
    /// Public URL of the server if it is behind a proxy, such as <https://checkers.example.org>.
    #[arg(long, value_name = "URL")]
    origin: Option<String>,
    /// Trust the X-Forwarded-For header of one proxy; the same as --proxies 1.
    #[arg(long, conflicts_with = "proxies")]
    behind_proxy: bool,
    /// Number of chained proxies whose X-Forwarded-For header is trusted for client addresses.
    #[arg(long, value_name = "N", default_value_t = 0)]
    proxies: usize,
    #[command(flatten)]
    limits: Limited,
}

#[derive(Args)]
#[command(next_help_heading = "Limits for online games")]
struct Limited {
    /// Maximum size of a message in bytes.
    #[arg(long, value_name = "N", default_value_t = Limits::default().message_bytes)]
    max_message_bytes: usize,
    /// Maximum messages per second on one connection.
    #[arg(long, value_name = "N", default_value_t = Limits::default().messages_per_second)]
    max_messages_per_second: u32,
    /// Maximum open games per browser.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_browser)]
    max_games_per_browser: usize,
    /// Maximum open games per network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_address)]
    max_games_per_address: usize,
    /// Maximum connections to one game.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_game)]
    max_connections_per_game: usize,
    /// Maximum connections to games from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address)]
    max_connections_per_address: usize,
    /// Maximum new connections to games per minute from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_minute)]
    max_connections_per_minute: u32,
    /// Maximum connections of any kind, capped by the limit on open files [default: that cap].
    #[arg(long, value_name = "N")]
    max_sockets: Option<usize>,
    /// Maximum connections of any kind from one network address; ignored behind a proxy [default: 2,000, but at most a
    /// quarter of --max-sockets].
    #[arg(long, value_name = "N")]
    max_sockets_per_address: Option<usize>,
    /// Maximum API requests per second from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_second)]
    max_requests_per_second: u32,
    /// Maximum invitations and joins per minute from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().starts_per_minute)]
    max_starts_per_minute: u32,
    /// Maximum rematches per minute from one browser.
    #[arg(long, value_name = "N", default_value_t = Limits::default().rematches_per_minute)]
    max_rematches_per_minute: u32,
    /// Maximum takeback requests per minute from one player in a game.
    #[arg(long, value_name = "N", default_value_t = Limits::default().takebacks_per_minute)]
    max_takebacks_per_minute: u32,
    /// Maximum new games per day from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_address_per_day)]
    max_games_per_address_per_day: usize,
    /// Timeout in seconds for a client to send a request or to accept a message or the next part of a response.
    #[arg(long, value_name = "N", default_value_t = Limits::default().patience_seconds)]
    patience_seconds: u32,
    /// Maximum events in one game; after that the server rejects moves and the game can only be ended.
    #[arg(long, value_name = "N", default_value_t = Limits::default().events_per_game)]
    max_events_per_game: usize,
    /// Days after which games without a move are deleted.
    #[arg(long, value_name = "N", default_value_t = Limits::default().keep_unplayed_days)]
    keep_unplayed_days: u64,
    /// Days after which finished games are deleted [default: never].
    #[arg(long, value_name = "N")]
    keep_finished_days: Option<u64>,
    /// Database size above which the server rejects new games, such as 500M or 2G [default: no limit].
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_database_size: Option<u64>,
}

impl Online {
    /// The selected database. Creates the data folder if it is missing.
    pub(crate) fn database(&self) -> anyhow::Result<Database> {
        self.database.database()
    }

    pub(crate) fn site(&self) -> Site {
        let origin = self.origin.as_ref().map(|origin| origin.trim_end_matches('/').to_owned());
        let proxies = if self.behind_proxy { 1 } else { self.proxies };
        Site { origin, proxies }
    }

    /// The limits for a process that may open this many file descriptors.
    pub(crate) fn limits(&self, descriptors: usize) -> Limits {
        let Limited {
            max_message_bytes: message_bytes,
            max_messages_per_second: messages_per_second,
            max_games_per_browser: games_per_browser,
            max_games_per_address: games_per_address,
            max_connections_per_game: connections_per_game,
            max_connections_per_address: connections_per_address,
            max_connections_per_minute: connections_per_minute,
            max_sockets,
            max_sockets_per_address,
            max_requests_per_second: requests_per_second,
            max_starts_per_minute: starts_per_minute,
            max_rematches_per_minute: rematches_per_minute,
            max_takebacks_per_minute: takebacks_per_minute,
            max_games_per_address_per_day: games_per_address_per_day,
            patience_seconds,
            max_events_per_game: events_per_game,
            keep_unplayed_days,
            keep_finished_days,
            max_database_size: database_bytes,
        } = self.limits;
        let possible = descriptors.saturating_sub(RESERVED_DESCRIPTORS).max(descriptors / 2);
        let sockets = max_sockets.unwrap_or(possible).min(possible);
        let fair = Limits::default().sockets_per_address.min((sockets / SHARE_OF_ONE_ADDRESS).max(1));
        let sockets_per_address = max_sockets_per_address.unwrap_or(fair);
        Limits {
            message_bytes,
            messages_per_second,
            games_per_browser,
            games_per_address,
            connections_per_game,
            connections_per_address,
            connections_per_minute,
            sockets,
            sockets_per_address,
            requests_per_second,
            starts_per_minute,
            rematches_per_minute,
            takebacks_per_minute,
            games_per_address_per_day,
            patience_seconds,
            events_per_game,
            keep_unplayed_days,
            keep_finished_days,
            database_bytes,
        }
    }
}

/// Parses a size in bytes: a whole number with an optional binary suffix K, M, G or T.
fn bytes(text: &str) -> anyhow::Result<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let power = match &text[digits.len()..] {
        "" => Some(0),
        "K" | "k" => Some(1),
        "M" | "m" => Some(2),
        "G" | "g" => Some(3),
        "T" | "t" => Some(4),
        _ => None,
    };
    let size = power.zip(digits.parse::<u64>().ok());
    let size = size.and_then(|(power, number)| number.checked_mul(1_024_u64.pow(power)));
    size.filter(|&size| size > 0)
        .with_context(|| format!("{text:?} is not a size; write one as in 500M or 2G"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        online: Online,
    }

    fn parsed(arguments: &[&str]) -> Online {
        let arguments = ["crownhead"].iter().chain(arguments);
        Options::try_parse_from(arguments).unwrap_or_else(|error| panic!("{error}")).online
    }

    #[test]
    fn sizes_are_read_with_their_units_and_nothing_else_is() {
        for (text, size) in [("1", 1), ("7k", 7 << 10), ("500M", 500 << 20), ("2G", 2 << 30), ("3T", 3 << 40)]
        {
            assert_eq!(bytes(text).ok(), Some(size), "{text}");
        }
        for text in ["", "G", "0", "0M", "-1", "1.5G", "1 G", "2GB", "2X", "é", "99999999T"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sockets_stay_below_the_descriptor_limit_and_one_address_gets_a_quarter() {
        let of = |arguments: &[&str], descriptors| {
            let limits = parsed(arguments).limits(descriptors);
            (limits.sockets, limits.sockets_per_address)
        };
        assert_eq!(of(&[], 1_024), (896, 224));
        assert_eq!(of(&[], 1_000_000), (999_872, 2_000));
        assert_eq!(of(&[], 64), (32, 8));
        assert_eq!(of(&["--max-sockets", "100"], 1_024), (100, 25));
        assert_eq!(of(&["--max-sockets", "5000"], 1_024), (896, 224));
        assert_eq!(of(&["--max-sockets-per-address", "700"], 1_024), (896, 700));
    }

    #[test]
    fn behind_a_proxy_means_one_proxy() {
        for (arguments, proxies) in [(&[][..], 0), (&["--behind-proxy"], 1), (&["--proxies", "3"], 3)] {
            assert_eq!(parsed(arguments).site().proxies, proxies);
        }
        assert!(Options::try_parse_from(["crownhead", "--behind-proxy", "--proxies", "2"]).is_err());
    }

    #[test]
    fn retention_and_size_are_not_limited_unless_asked() {
        let limits = parsed(&[]).limits(1_024);
        assert_eq!((limits.keep_finished_days, limits.database_bytes), (None, None));
        let asked = ["--keep-finished-days", "90", "--max-database-size", "2G"];
        let limits = parsed(&asked).limits(1_024);
        assert_eq!((limits.keep_finished_days, limits.database_bytes), (Some(90), Some(2 << 30)));
    }
}
