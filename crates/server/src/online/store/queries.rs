//! SQL statements that work unchanged on both databases. Parameters are numbered in the order of their first use.

/// The migrations, in order; never changed once released.
pub(super) const MIGRATIONS: [&str; 2] =
    [include_str!("../../../migrations/1-games.sql"), include_str!("../../../migrations/2-durability.sql")];

/// The values of `games.finished`: open, over with a result, or withdrawn.
pub(super) const OPEN: i64 = 0;
pub(super) const OVER: i64 = 1;
pub(super) const WITHDRAWN: i64 = 2;

pub(super) const GAME: &str = "SELECT start, created, next FROM games WHERE id = $1";
pub(super) const SEATS: &str = "SELECT seat, owner, name FROM seats WHERE game = $1";
pub(super) const EVENTS: &str =
    "SELECT seq, json, command FROM events WHERE game = $1 AND seq >= $2 ORDER BY seq";
pub(super) const GAMES_OF: &str = "SELECT games.id, seats.seat, games.updated, games.summary, \
     COALESCE((SELECT name FROM seats AS s WHERE s.game = games.id AND s.seat = 0), ''), \
     COALESCE((SELECT name FROM seats AS s WHERE s.game = games.id AND s.seat = 1), '') \
     FROM seats JOIN games ON games.id = seats.game \
     WHERE seats.owner = $1 AND games.finished <> 2 ORDER BY games.finished, games.updated DESC LIMIT $2";
pub(super) const ALL_GAMES: &str = "SELECT games.id, 0, games.updated, games.summary, \
     COALESCE((SELECT name FROM seats AS s WHERE s.game = games.id AND s.seat = 0), ''), \
     COALESCE((SELECT name FROM seats AS s WHERE s.game = games.id AND s.seat = 1), '') \
     FROM games WHERE games.finished <> 2 ORDER BY games.updated DESC LIMIT $1";
pub(super) const FIND: &str =
    "SELECT id FROM games WHERE SUBSTR(id, 1, LENGTH($1)) = $1 ORDER BY id LIMIT $2";
pub(super) const OPEN_GAMES_OF: &str = "SELECT COUNT(*) FROM seats JOIN games ON games.id = seats.game WHERE seats.owner = $1 AND games.finished = 0";
pub(super) const OPEN_GAMES_FROM: &str = "SELECT COUNT(*) FROM games WHERE address = $1 AND finished = 0";
pub(super) const STARTED_FROM: &str =
    "SELECT CAST(COALESCE(SUM(games), 0) AS BIGINT) FROM starts WHERE address = $1 AND day = $2";
pub(super) const DUE: &str =
    "SELECT id FROM games WHERE wake_at > 0 AND wake_at <= $1 ORDER BY wake_at LIMIT $2";
pub(super) const OUTAGES: &str = "SELECT since, until FROM outages WHERE until >= $1 ORDER BY since";
pub(super) const LAST_HEARTBEAT: &str = "SELECT at FROM alive WHERE one = 1";
pub(super) const READ_HEARTBEAT: &str = "SELECT command FROM events WHERE game = $1 AND seq = $2";

/// The record that a heartbeat writes: longer than that of a move.
pub(super) const LIKE_A_MOVE: &str = concat!(
    r#"{"v":1,"at":1700000000000,"event":{"type":"moved","move":"22x15x8","lag_ms":120},"#,
    r#""padding":"................................................................................................"}"#
);

/// The statements of a heartbeat. It writes an event to a pseudo-game of the server, which no list contains, so it
/// fails whenever a move would; the previous event is removed.
pub(super) const BEATING_GAME: &str = "INSERT INTO games (id, created, updated, seq, wake_at, plies, finished, address, \
     start, summary, next) VALUES ($1, $2, $2, 0, 0, 0, 2, '', '', '', '') \
     ON CONFLICT (id) DO UPDATE SET updated = excluded.updated";
pub(super) const BEAT: &str = "INSERT INTO events (game, seq, json, command) VALUES ($1, $2, $3, $4)";
pub(super) const FORGET_BEATS: &str = "DELETE FROM events WHERE game = $1 AND seq < $2";
pub(super) const NOTE_ALIVE: &str = "INSERT INTO alive (one, at) VALUES (1, $1) \
     ON CONFLICT (one) DO UPDATE SET at = CASE WHEN alive.at < excluded.at THEN excluded.at ELSE alive.at END";
pub(super) const NOTE_OUTAGE: &str = "INSERT INTO outages (since, until) VALUES ($1, $2) \
     ON CONFLICT (since) DO UPDATE SET until = CASE WHEN outages.until < excluded.until THEN excluded.until \
     ELSE outages.until END";
pub(super) const CLEAN_UNPLAYED: &str = "DELETE FROM games WHERE plies = 0 AND wake_at = 0 AND updated < $1";
pub(super) const CLEAN_FINISHED: &str = "DELETE FROM games WHERE finished = 1 AND updated < $1";
pub(super) const CLEAN_OUTAGES: &str = "DELETE FROM outages WHERE until < $1";
pub(super) const CLEAN_STARTS: &str = "DELETE FROM starts WHERE day < $1";
pub(super) const DELETE_GAME: &str = "DELETE FROM games WHERE id = $1";

pub(super) const SEATS_OF: &str = "SELECT game, seat FROM seats WHERE owner = $1";
pub(super) const UNLINK: &str = "UPDATE seats SET owner = '', name = '' WHERE owner = $1";
pub(super) const REDACT_EVENT: &str = "UPDATE events SET json = $1 WHERE game = $2 AND seq = $3";
pub(super) const GAME_TEXTS: &str = "SELECT start, summary FROM games WHERE id = $1";
pub(super) const REDACT_GAME: &str = "UPDATE games SET start = $1, summary = $2 WHERE id = $3";

pub(super) const KEEP_SETTING: &str =
    "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
pub(super) const SETTING: &str = "SELECT value FROM settings WHERE name = $1";
