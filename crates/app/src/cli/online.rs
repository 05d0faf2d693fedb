//! The options for games between people: where they are kept, where the server is seen from, and how much is allowed.

use anyhow::Context;
use clap::Args;
use crownhead_server::Database;
use crownhead_server::online::{Limits, Site};

use crate::cli::database::DatabaseOptions;

/// Descriptors that are not for connections of players: the database, tables, metrics and the log.
const RESERVED_DESCRIPTORS: usize = 128;
/// One address gets this part of all connections, unless an option says otherwise.
const SHARE_OF_ONE_ADDRESS: usize = 4;

/// Games between people over a link.
#[derive(Args)]
pub(crate) struct Online {
    #[command(flatten)]
    database: DatabaseOptions,
    /// Where browsers find the server, if a proxy stands before it: <https://checkers.example.org>.
    #[arg(long, value_name = "URL")]
    origin: Option<String>,
    /// Believe the proxy in front about the addresses of clients (X-Forwarded-For); the same as --proxies 1.
    #[arg(long, conflicts_with = "proxies")]
    behind_proxy: bool,
    /// The number of proxies, one behind the other, that are believed about the addresses of clients (X-Forwarded-For).
    #[arg(long, value_name = "N", default_value_t = 0)]
    proxies: usize,
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
    /// Connections per minute from one network address to games.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_minute)]
    max_connections_per_minute: u32,
    /// Connections of any kind altogether; never more than the limit on open files allows, and if not given, that many.
    #[arg(long, value_name = "N")]
    max_sockets: Option<usize>,
    /// Connections of any kind from one network address; not counted behind a proxy. If not given, 2,000, but no more than a
    /// quarter of all.
    #[arg(long, value_name = "N")]
    max_sockets_per_address: Option<usize>,
    /// Requests to the API per second from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_second)]
    max_requests_per_second: u32,
    /// Invitations and joins per minute from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().starts_per_minute)]
    max_starts_per_minute: u32,
    /// Rematches per minute of one browser.
    #[arg(long, value_name = "N", default_value_t = Limits::default().rematches_per_minute)]
    max_rematches_per_minute: u32,
    /// Takebacks per minute that one player asks for in a game.
    #[arg(long, value_name = "N", default_value_t = Limits::default().takebacks_per_minute)]
    max_takebacks_per_minute: u32,
    /// New games within a day from one network address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_address_per_day)]
    max_games_per_address_per_day: usize,
    /// Seconds that a client may take to send a request, to take a message, or to take the next part of an answer.
    #[arg(long, value_name = "N", default_value_t = Limits::default().patience_seconds)]
    patience_seconds: u32,
    /// Events of one game; then no more moves are made, and it can only be ended.
    #[arg(long, value_name = "N", default_value_t = Limits::default().events_per_game)]
    max_events_per_game: usize,
    /// Days after which games that nobody moved in are forgotten.
    #[arg(long, value_name = "N", default_value_t = Limits::default().keep_unplayed_days)]
    keep_unplayed_days: u64,
    /// Days after which finished games are deleted; if not given, they are kept for ever.
    #[arg(long, value_name = "N")]
    keep_finished_days: Option<u64>,
    /// The size of the database beyond which new games are refused, as in 500M or 2G; if not given, there is no limit.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_database_size: Option<u64>,
}

impl Online {
    /// Where games are kept. The folder is made if it is not there.
    pub(crate) fn database(&self) -> anyhow::Result<Database> {
        self.database.database()
    }

    pub(crate) fn site(&self) -> Site {
        let origin = self.origin.as_ref().map(|origin| origin.trim_end_matches('/').to_owned());
        let proxies = if self.behind_proxy { 1 } else { self.proxies };
        Site { origin, proxies }
    }

    /// The limits, for a process that may have this many descriptors.
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

/// Reads a size in bytes: a whole number, with K, M, G or T behind it for 1,024 of the one before.
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
    size.filter(|&size| size > 0).with_context(|| format!("{text:?} is no size; write one as in 500M or 2G"))
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
