//! Fault injection on a local server: full disks, pauses, stalls of the database, and steps of the wall clock. Counts
//! what was lost, and fails if anything was.
//!
//! `faults PROGRAM [KIND] [ROUNDS] [SEED]`: one kind or `all`, and how often. The seed is printed; `CROWNHEAD_SEED`
//! gives it too. It requires Linux, `PostgreSQL`, `python3` (whose SQLite holds the lock) and libfaketime; small disks
//! in memory take root for PostgreSQL, and root or user namespaces for SQLite.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};
use crownhead_rules::Rng;
use crownhead_testkit::faults::FaultReport;
use crownhead_testkit::faults::clock_faults::{self, Fault};
use crownhead_testkit::faults::full_disk::{self, Database};
use crownhead_testkit::{Postgres, ServerProcess, SmallDisk, generous_limits, interrupted, log_to, serve};
use tempfile::TempDir;
use tokio::task::JoinSet;

/// Each kind with its rounds, and how many servers share them at the same time.
const KINDS: [(&str, usize, usize); 6] = [
    ("full-sqlite", 50, 4),
    ("full-postgres", 10, 1),
    ("pauses", 100, 10),
    ("stalls", 100, 10),
    ("stalls-postgres", 20, 4),
    ("steps", 20, 4),
];
/// The clocks of both players, and how long the server is not available.
const CLOCK: Duration = Duration::from_secs(5);
const GAP: Duration = Duration::from_secs(8);
/// The clock of a game without moves.
const SHORT_CLOCK: Duration = Duration::from_secs(2);
const HOUR: i64 = 3_600;
const LIBFAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

struct Run {
    program: PathBuf,
    limits: Vec<String>,
    seed: u64,
    /// Logs of all servers; kept if anything fails.
    logs: PathBuf,
    postgres: Option<Postgres>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "the faults need Linux: disks in memory, /proc and libfaketime");
    let mut arguments = std::env::args().skip(1);
    let program = PathBuf::from(arguments.next().context("give the program")?);
    let kind = arguments.next().unwrap_or_else(|| "all".to_owned());
    let rounds: Option<usize> = arguments.next().map(|text| text.parse()).transpose()?;
    let by_time = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let given = arguments.next().or_else(|| std::env::var("CROWNHEAD_SEED").ok());
    let given = given.map(|text| text.parse()).transpose()?;
    let seed = given.unwrap_or_else(by_time);
    let logs = tempfile::Builder::new().prefix("crownhead-faults").tempdir()?.keep();
    println!("seed {seed}, logs in {}", logs.display());
    let chosen: Vec<_> = KINDS.into_iter().filter(|(name, ..)| kind == "all" || kind == *name).collect();
    ensure!(!chosen.is_empty(), "{kind} is not a kind of fault");
    let limits = generous_limits(&program)?;
    let needs_postgres = chosen.iter().any(|(name, ..)| *name == "stalls-postgres");
    let postgres = if needs_postgres { Some(Postgres::start()?) } else { None };
    let run = Arc::new(Run { program, limits, seed, logs, postgres });
    let mut is_clean = true;
    for (name, usual, servers) in chosen {
        let rounds = rounds.unwrap_or(usual);
        if name == "full-sqlite" && !runs_here(&run, name, rounds, &mut is_clean)? {
            continue;
        }
        let began = Instant::now();
        let all = run_kind(&run, name, rounds, servers);
        // Servers, disks and databases are cleaned up on the way out.
        let report = tokio::select! {
            report = all => report?,
            _ = interrupted() => bail!("interrupted"),
        };
        println!("{name}: {report} ({:.0} s)", began.elapsed().as_secs_f64());
        is_clean &= report.is_clean();
    }
    ensure!(is_clean, "something was lost");
    std::fs::remove_dir_all(&run.logs)?;
    Ok(())
}

/// Can this process fill disks? If not, another one does so in a user namespace.
fn runs_here(run: &Run, kind: &str, rounds: usize, is_clean: &mut bool) -> anyhow::Result<bool> {
    let program = run.program.to_str().context("the program's path is not text")?;
    let again = SmallDisk::run_where_it_mounts(&[program, kind, &rounds.to_string(), &run.seed.to_string()])?;
    *is_clean &= again.is_none_or(|status| status.success());
    Ok(again.is_none())
}

/// Shares the rounds among servers that run at the same time.
async fn run_kind(
    run: &Arc<Run>,
    kind: &'static str,
    rounds: usize,
    servers: usize,
) -> anyhow::Result<FaultReport> {
    let mut tasks = JoinSet::new();
    for number in 0..servers.min(rounds) {
        let (run, mine) = (run.clone(), (number..rounds).step_by(servers).collect::<Vec<_>>());
        tasks.spawn(async move { some_rounds(&run, kind, &mine).await });
    }
    let mut report = FaultReport::default();
    while let Some(done) = tasks.join_next().await {
        report.add(done??);
    }
    Ok(report)
}

async fn some_rounds(run: &Run, kind: &str, rounds: &[usize]) -> anyhow::Result<FaultReport> {
    let mut report = FaultReport::default();
    let log = run.logs.join(format!("{kind}-{}.log", rounds[0]));
    let seed = Rng::new(run.seed ^ rounds[0] as u64).next_u64();
    match kind {
        "full-sqlite" | "full-postgres" => {
            let database = if kind == "full-sqlite" { Database::Sqlite } else { Database::Postgres };
            for &number in rounds {
                report.add(full_disk::round(&run.program, database, number, run.seed, Some(&log)).await?);
            }
        }
        "steps" => {
            for &number in rounds {
                report.add(one_step(run, number, &log).await?);
            }
        }
        _ => {
            let place = ServerSetup::new(run, kind)?;
            let server = place.start(run, &log)?;
            for &number in rounds {
                let fault = place.fault(run, kind);
                report.add(clock_faults::round(&server, &fault, CLOCK, seed ^ number as u64).await?);
            }
        }
    }
    Ok(report)
}

/// Where a server keeps its games.
struct ServerSetup {
    folder: TempDir,
    database: Option<String>,
}

impl ServerSetup {
    fn new(run: &Run, kind: &str) -> anyhow::Result<ServerSetup> {
        let database = run.postgres.as_ref().filter(|_| kind == "stalls-postgres").map(Postgres::database);
        Ok(ServerSetup { folder: tempfile::tempdir()?, database })
    }

    fn start(&self, run: &Run, log: &Path) -> anyhow::Result<ServerProcess> {
        let mut command = serve(&run.program, 0);
        command.args(&run.limits).arg("--data").arg(self.folder.path());
        if let Some(database) = &self.database {
            command.args(["--database", database]);
        }
        ServerProcess::start(command.stderr(Stdio::from(log_to(log)?)))
    }

    fn fault<'a>(&self, run: &'a Run, kind: &str) -> Fault<'a> {
        match (kind, &self.database, &run.postgres) {
            ("stalls", ..) => Fault::SqliteLock(self.folder.path().join("games.sqlite"), GAP),
            (_, Some(database), Some(postgres)) => Fault::PostgresLock(postgres, database.clone(), GAP),
            _ => Fault::Pause(GAP),
        }
    }
}

/// A server whose wall clock goes forward by an hour and back again, in turn.
async fn one_step(run: &Run, number: usize, log: &Path) -> anyhow::Result<FaultReport> {
    ensure!(Path::new(LIBFAKETIME).exists(), "{LIBFAKETIME} is missing: install Debian's package faketime");
    let data = tempfile::tempdir()?;
    let file = data.path().join("offset");
    let (first, then) = if number.is_multiple_of(2) { (HOUR, 0) } else { (-HOUR, 0) };
    clock_faults::step(&file, 0)?;
    let mut command = serve(&run.program, 0);
    command.args(&run.limits).arg("--data").arg(data.path()).stderr(Stdio::from(log_to(log)?));
    // Only the wall clock: the monotonic one stays real.
    command
        .env("LD_PRELOAD", LIBFAKETIME)
        .env("FAKETIME_TIMESTAMP_FILE", &file)
        .env("FAKETIME_NO_CACHE", "1");
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("DONT_FAKE_MONOTONIC", "1");
    let server = ServerProcess::start(&mut command)?;
    let mut report = FaultReport::default();
    for offset in [first, then] {
        let fault = Fault::Step(file.clone(), offset);
        report.add(clock_faults::round(&server, &fault, CLOCK, run.seed ^ number as u64).await?);
    }
    for offset in [first, then] {
        report.add(clock_faults::left_alone(&server, SHORT_CLOCK, (&file, offset)).await?);
    }
    Ok(report)
}
