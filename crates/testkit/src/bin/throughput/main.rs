//! Throughput benchmark: how many moves per second a new and an old server sustain in one run on this machine, with
//! PostgreSQL 3 ms away and with SQLite, beside a bare echo at the same rate.
//!
//! `throughput NEW OLD [postgres|sqlite] [SECONDS]`: both databases if none is named. One move per second in each game;
//! the load rises in steps, in turn for both servers, until each misses its target. Fails if the new server is not
//! better by the required factor. The descriptor limit must allow two sockets per game.

mod ladder;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use crownhead_testkit::{DelayProxy, Postgres, ServerProcess, echo, interrupted};

use ladder::{Contender, Step, climb};

/// The delay in each direction between the server and PostgreSQL.
const ONE_WAY: Duration = Duration::from_micros(1_500);
const POSTGRES_STEPS: [usize; 16] =
    [25, 50, 75, 100, 150, 200, 300, 400, 500, 600, 800, 1_000, 1_300, 1_600, 2_000, 3_000];
const POSTGRES_P99: Duration = Duration::from_millis(250);
const POSTGRES_FACTOR: f64 = 5.0;
const SQLITE_STEPS: [usize; 9] = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000];
const SQLITE_P99: Duration = Duration::from_secs(1);
const SQLITE_FACTOR: f64 = 2.0;
/// A machine that takes this long for a bare echo sustains no more games, whatever the server does.
const ECHO_P99: Duration = Duration::from_millis(250);
const SECONDS: usize = 15;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let new = arguments.next().context("give the new program and the old one, or `echo`")?;
    if new == "echo" {
        return echo::serve().await;
    }
    let old = arguments.next().context("give the old program behind the new one")?;
    let contenders = [("old", old), ("new", new)]
        .map(|(name, program)| Contender { name, program: PathBuf::from(program) });
    let chosen = arguments.next();
    let seconds = arguments.next().map_or(Ok(SECONDS), |text| text.parse())?;
    let is_chosen = |name| chosen.as_deref().is_none_or(|chosen| chosen == name);
    let all = async {
        let mut failures = Vec::new();
        if is_chosen("postgres") {
            failures.extend(with_postgres(&contenders, seconds).await?);
        }
        if is_chosen("sqlite") {
            failures.extend(with_sqlite(&contenders, seconds).await?);
        }
        anyhow::Ok(failures)
    };
    let failures = tokio::select! {
        failures = all => failures?,
        _ = interrupted() => bail!("interrupted"),
    };
    if failures.is_empty() { Ok(()) } else { bail!("{}", failures.join("; ")) }
}

async fn with_postgres(contenders: &[Contender; 2], seconds: usize) -> anyhow::Result<Vec<String>> {
    let postgres = Postgres::start()?;
    let proxy = DelayProxy::start(postgres.socket(), ONE_WAY)?;
    println!("PostgreSQL behind a proxy that adds {:?} of round trip:", 2 * ONE_WAY);
    let [old, new] = climb(contenders, &POSTGRES_STEPS, POSTGRES_P99, seconds, async |contender, games| {
        let database = postgres.database();
        let server = contender.start(&["--database", &through(&proxy, &database)?])?;
        let step = Step::measure(&server, games, seconds).await?;
        server.kill()?;
        let count = |query: &str| count(&mut postgres.psql(&database), query);
        let outages = count("SELECT COUNT(*) FROM outages");
        let interrupted = count("SELECT COUNT(*) FROM events WHERE json LIKE '%\"interrupted\"%'");
        println!("    {outages} outages, {interrupted} events `interrupted`");
        Ok(Step { outages: outages.parse().unwrap_or(0), ..step })
    })
    .await?;
    let mut failures = Vec::new();
    let factor = new.moves_per_second / old.moves_per_second.max(1.0);
    println!("  new/old: {factor:.1}");
    if factor < POSTGRES_FACTOR {
        failures.push(format!("PostgreSQL: {factor:.1} times the moves, not {POSTGRES_FACTOR}"));
    }
    if new.outages > 0 {
        failures.push(format!("PostgreSQL: {} outages", new.outages));
    }
    Ok(failures)
}

async fn with_sqlite(contenders: &[Contender; 2], seconds: usize) -> anyhow::Result<Vec<String>> {
    println!("SQLite:");
    let mut slowest_echo = Duration::ZERO;
    let [old, new] = climb(contenders, &SQLITE_STEPS, SQLITE_P99, seconds, async |contender, games| {
        let data = tempfile::tempdir()?;
        let folder = data.path().to_str().context("a folder without a plain name")?;
        let server = contender.start(&["--data", folder])?;
        let step = Step::measure(&server, games, seconds).await?;
        server.kill()?;
        let bare = ServerProcess::start(Command::new(std::env::current_exe()?).arg("echo"))?;
        let latencies = echo::measure(bare.address, games, seconds).await?;
        bare.kill()?;
        println!("    bare echo at the same rate: {latencies}");
        slowest_echo = slowest_echo.max(latencies.at(0.99));
        Ok(step)
    })
    .await?;
    let factor = new.moves_per_second / old.moves_per_second.max(1.0);
    println!("  new/old: {factor:.1}");
    let is_own_limit = new.games == *SQLITE_STEPS.last().expect("there are steps") || slowest_echo > ECHO_P99;
    if factor < SQLITE_FACTOR && !is_own_limit {
        return Ok(vec![format!("SQLite: {factor:.1} times the moves, not {SQLITE_FACTOR}")]);
    }
    Ok(Vec::new())
}

/// The address of a database through the proxy.
fn through(proxy: &DelayProxy, database: &str) -> anyhow::Result<String> {
    let (head, rest) = database.split_once('@').context("no user")?;
    let name = rest.split('/').nth(1).and_then(|name| name.split('?').next()).context("no name")?;
    Ok(format!("{head}@{}/{name}?sslmode=disable", proxy.address))
}

/// A number from the database, or `?` if it has no such table.
fn count(psql: &mut Command, query: &str) -> String {
    let output = psql.args(["-c", query]).output().ok().filter(|output| output.status.success());
    output.map_or("?".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
