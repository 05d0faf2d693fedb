//! Writes to PostgreSQL: a whole group of changes in one statement.

use std::collections::HashSet;

use crownhead_game::Time;
use sqlx::{PgConnection, PgPool};

use crate::online::cluster::ClusterMessage;
use crate::online::store::queries as sql;
use crate::online::store::{Change, Heartbeat, NewGame, Retention, StoreError, row};

/// A game is changed only if it has as many events as the change follows; the rows are locked in order, so that two
/// servers cannot deadlock. A rematch is created only if the game before it was changed.
const WRITE: &str = "WITH change AS ( \
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], \
                            $7::bigint[], $8::text[], $9::text[], $10::text[]) \
       AS c (game, first, seq, updated, wake_at, plies, finished, summary, next, notice) \
     ), locked AS MATERIALIZED ( \
       SELECT id FROM games WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE \
     ), written AS ( \
       UPDATE games SET seq = c.seq, updated = c.updated, wake_at = c.wake_at, plies = c.plies, finished = c.finished, \
              summary = c.summary, address = CASE WHEN c.finished = 0 THEN games.address ELSE '' END, \
              next = CASE WHEN c.next = '' THEN games.next ELSE c.next END \
       FROM change AS c JOIN locked ON locked.id = c.game WHERE games.id = c.game AND games.seq = c.first \
       RETURNING games.id \
     ), created AS ( \
       INSERT INTO games (id, created, updated, seq, wake_at, plies, finished, address, start, summary, next) \
       SELECT n.id, n.created, n.created, n.seq, n.wake_at, n.plies, n.finished, n.address, n.start, n.summary, '' \
       FROM unnest($11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], \
                   $17::bigint[], $18::text[], $19::text[], $20::text[]) \
       AS n (id, after, created, seq, wake_at, plies, finished, address, start, summary) \
       WHERE n.after = '' OR n.after IN (SELECT id FROM written) \
       RETURNING id, address, created \
     ), counted AS ( \
       INSERT INTO starts (address, day, games) \
       SELECT address, created / 86400000, COUNT(*) FROM created WHERE address <> '' GROUP BY 1, 2 \
       ON CONFLICT (address, day) DO UPDATE SET games = starts.games + excluded.games \
     ), accepted AS ( \
       SELECT id FROM written UNION ALL SELECT id FROM created \
     ), stored AS ( \
       INSERT INTO events (game, seq, json, command) \
       SELECT e.game, e.seq, e.json, e.command \
       FROM unnest($21::text[], $22::bigint[], $23::text[], $24::text[]) AS e (game, seq, json, command) \
       WHERE e.game IN (SELECT id FROM accepted) \
     ), seated AS ( \
       INSERT INTO seats (game, seat, owner, name) \
       SELECT s.game, s.seat, s.owner, s.name \
       FROM unnest($25::text[], $26::bigint[], $27::text[], $28::text[]) AS s (game, seat, owner, name) \
       WHERE s.game IN (SELECT id FROM accepted) \
     ) SELECT a.id, CASE WHEN c.game IS NULL THEN '' ELSE pg_notify('crownhead', c.notice)::text END \
       FROM accepted AS a LEFT JOIN change AS c ON c.game = a.id";

const HEARTBEAT: &str = "WITH noted AS ( \
       INSERT INTO alive (one, at) VALUES (1, $3) ON CONFLICT (one) DO UPDATE SET at = GREATEST(alive.at, excluded.at) \
     ), found AS ( \
       INSERT INTO outages (since, until) SELECT * FROM unnest($5::bigint[], $6::bigint[]) \
       ON CONFLICT (since) DO UPDATE SET until = GREATEST(outages.until, excluded.until) \
     ), forgotten AS ( \
       DELETE FROM events WHERE game = $1 AND seq < $2 \
     ), beating AS ( \
       INSERT INTO games (id, created, updated, seq, wake_at, plies, finished, address, start, summary, next) \
       VALUES ($1, $3, $3, 0, 0, 0, 2, '', '', '', '') ON CONFLICT (id) DO UPDATE SET updated = excluded.updated \
     ) INSERT INTO events (game, seq, json, command) VALUES ($1, $2, $4, $3::text)";

/// A group of jobs, column by column.
#[derive(Default)]
pub(super) struct Group {
    changed: Changed,
    created: Created,
    events: Events,
    seats: Seats,
    /// The first game of each job, which decides whether the job is written.
    firsts: Vec<String>,
}

#[derive(Default)]
struct Changed {
    game: Vec<String>,
    first: Vec<i64>,
    seq: Vec<i64>,
    updated: Vec<i64>,
    wake_at: Vec<i64>,
    plies: Vec<i64>,
    finished: Vec<i64>,
    summary: Vec<String>,
    next: Vec<String>,
    notice: Vec<String>,
}

#[derive(Default)]
struct Created {
    id: Vec<String>,
    after: Vec<String>,
    at: Vec<i64>,
    seq: Vec<i64>,
    wake_at: Vec<i64>,
    plies: Vec<i64>,
    finished: Vec<i64>,
    address: Vec<String>,
    start: Vec<String>,
    summary: Vec<String>,
}

#[derive(Default)]
struct Events {
    game: Vec<String>,
    seq: Vec<i64>,
    json: Vec<String>,
    command: Vec<String>,
}

#[derive(Default)]
struct Seats {
    game: Vec<String>,
    seat: Vec<i64>,
    owner: Vec<String>,
    name: Vec<String>,
}

impl Group {
    pub(super) fn of(jobs: &[Vec<Change>]) -> Group {
        let mut group = Group::default();
        for job in jobs {
            let first = job.first().map(|change| change.game.to_string()).unwrap_or_default();
            for (n, change) in job.iter().enumerate() {
                group.add(change, if n == 0 { "" } else { &first });
            }
            group.firsts.push(first);
        }
        group
    }

    fn add(&mut self, change: &Change, after: &str) {
        let id = change.game.to_string();
        let seq = change.seq + change.events.len();
        let status = &change.status;
        if let Some(NewGame { start, address }) = &change.new {
            let created = &mut self.created;
            created.id.push(id.clone());
            created.after.push(after.to_owned());
            created.at.push(status.updated.0 as i64);
            created.seq.push(seq as i64);
            created.wake_at.push(row::wake_at(change));
            created.plies.push(status.plies as i64);
            created.finished.push(row::finished(change));
            created.address.push(address.clone());
            created.start.push(row::start(start));
            created.summary.push(row::summary(change));
        } else {
            let changed = &mut self.changed;
            changed.game.push(id.clone());
            changed.first.push(change.seq as i64);
            changed.seq.push(seq as i64);
            changed.updated.push(status.updated.0 as i64);
            changed.wake_at.push(row::wake_at(change));
            changed.plies.push(status.plies as i64);
            changed.finished.push(row::finished(change));
            changed.summary.push(row::summary(change));
            changed.next.push(row::next(change));
            changed.notice.push(ClusterMessage::Written { game: change.game, seq }.to_json());
        }
        for (seq, event) in (change.seq as i64..).zip(&change.events) {
            self.events.game.push(id.clone());
            self.events.seq.push(seq);
            self.events.json.push(event.stored_json());
            self.events.command.push(event.command.clone());
        }
        for taken in &change.seats {
            self.seats.game.push(id.clone());
            self.seats.seat.push(taken.seat as i64);
            self.seats.owner.push(taken.owner.0.clone());
            self.seats.name.push(taken.name.clone());
        }
    }

    /// Writes the group and returns which jobs were written.
    pub(super) async fn write(self, connection: &mut PgConnection) -> Result<Vec<bool>, sqlx::Error> {
        let Group { changed, created, events, seats, firsts } = self;
        let accepted: Vec<(String, String)> = sqlx::query_as(WRITE)
            .bind(changed.game)
            .bind(changed.first)
            .bind(changed.seq)
            .bind(changed.updated)
            .bind(changed.wake_at)
            .bind(changed.plies)
            .bind(changed.finished)
            .bind(changed.summary)
            .bind(changed.next)
            .bind(changed.notice)
            .bind(created.id)
            .bind(created.after)
            .bind(created.at)
            .bind(created.seq)
            .bind(created.wake_at)
            .bind(created.plies)
            .bind(created.finished)
            .bind(created.address)
            .bind(created.start)
            .bind(created.summary)
            .bind(events.game)
            .bind(events.seq)
            .bind(events.json)
            .bind(events.command)
            .bind(seats.game)
            .bind(seats.seat)
            .bind(seats.owner)
            .bind(seats.name)
            .fetch_all(connection)
            .await?;
        let accepted: HashSet<String> = accepted.into_iter().map(|(id, _)| id).collect();
        Ok(firsts.iter().map(|first| first.is_empty() || accepted.contains(first)).collect())
    }
}

/// Writes a heartbeat and returns its time.
pub(super) async fn heartbeat(
    connection: &mut PgConnection,
    beat: &Heartbeat,
    seq: i64,
) -> Result<i64, sqlx::Error> {
    let Time(at) = (beat.now)();
    let at = at as i64;
    let millis = |time: Time| time.0 as i64;
    sqlx::query(HEARTBEAT)
        .bind(beat.game())
        .bind(seq)
        .bind(at)
        .bind(sql::LIKE_A_MOVE)
        .bind(beat.outages.iter().map(|outage| millis(outage.since)).collect::<Vec<_>>())
        .bind(beat.outages.iter().map(|outage| millis(outage.until)).collect::<Vec<_>>())
        .execute(connection)
        .await?;
    Ok(at)
}

pub(super) async fn clean(database: &PgPool, terms: Retention) -> Result<u64, StoreError> {
    let clean = async |statement: &'static str, before: u64| {
        sqlx::query(statement).bind(before as i64).execute(database).await.map(|done| done.rows_affected())
    };
    let mut cleaned = clean(sql::CLEAN_UNPLAYED, terms.unplayed_before.0).await?;
    if let Some(before) = terms.finished_before {
        cleaned += clean(sql::CLEAN_FINISHED, before.0).await?;
    }
    clean(sql::CLEAN_OUTAGES, terms.outages_before.0).await?;
    clean(sql::CLEAN_STARTS, terms.first_day).await?;
    Ok(cleaned)
}
