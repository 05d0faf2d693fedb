//! The machine that a server runs on: a small disk, a database on it, and how to start the server there.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::full_disk::Database;
use crate::{Postgres, ServerProcess, SmallDisk, free_port, generous_limits, log_to, serve};

/// Space for SQLite's file and its write-ahead log, which grows to 4 MB before it is reused.
const SQLITE_KB: usize = 8 * 1_024;
const POSTGRES_KB: usize = 256 * 1_024;
const WRITE_TABLE: &str = "CREATE TABLE IF NOT EXISTS scratch AS SELECT 1; DROP TABLE scratch";
const WRITE_LOG: &str = "SELECT pg_logical_emit_message(true, 'scratch', repeat('x', 300000))";

/// PostgreSQL notices a full disk within this time.
pub(super) const NOTICED: Duration = Duration::from_secs(20);
/// The pause between two polls.
pub(super) const PAUSE: Duration = Duration::from_millis(50);
const COUNT_EVENTS: &str = "import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute('SELECT COUNT(*) FROM events').fetchone()[0])";

/// The disk, what is on it, and how to start a server there.
pub(super) struct TestHost {
    // Dropped before the disk that it is on.
    postgres: Option<(Postgres, String)>,
    pub(super) disk: SmallDisk,
    program: PathBuf,
    limits: Vec<String>,
    port: u16,
    log: Option<PathBuf>,
}

impl TestHost {
    pub(super) fn new(program: &Path, database: Database, log: Option<&Path>) -> anyhow::Result<TestHost> {
        let kilobytes = if database == Database::Sqlite { SQLITE_KB } else { POSTGRES_KB };
        let disk = SmallDisk::mount(kilobytes)?;
        let postgres = if database == Database::Postgres {
            let postgres = Postgres::start_in(disk.path())?;
            let address = postgres.database();
            Some((postgres, address))
        } else {
            None
        };
        let limits = generous_limits(program)?;
        let log = log.map(Path::to_owned);
        Ok(TestHost { postgres, disk, program: program.to_owned(), limits, port: free_port()?, log })
    }

    /// Always on the same port, so that the players find it again.
    pub(super) fn start(&self) -> anyhow::Result<ServerProcess> {
        let mut command = serve(&self.program, self.port);
        command.args(&self.limits);
        match &self.postgres {
            Some((_, address)) => command.arg("--database").arg(address),
            None => command.arg("--data").arg(self.disk.path()),
        };
        match &self.log {
            Some(file) => command.stderr(log_to(file)?),
            None => command.stderr(Stdio::null()),
        };
        ServerProcess::start(&mut command)
    }

    /// Fills the disk until the database notices. SQLite does so with its next write. PostgreSQL refuses to make a
    /// table, or stops when the write-ahead log finds no space for a record.
    pub(super) async fn fill(&self, until_it_stops: bool) -> anyhow::Result<bool> {
        self.disk.fill()?;
        let Some((postgres, address)) = &self.postgres else { return Ok(true) };
        let write = if until_it_stops { WRITE_LOG } else { WRITE_TABLE };
        let filled = Instant::now();
        while filled.elapsed() < NOTICED {
            self.disk.fill()?;
            let mut psql = postgres.psql(address);
            psql.args(["--set=ON_ERROR_STOP=1", "-c", write]).env("PGCONNECT_TIMEOUT", "2");
            let is_refused = !psql.stdout(Stdio::null()).stderr(Stdio::null()).status()?.success();
            if is_refused && (!until_it_stops || !postgres.is_up()) {
                return Ok(true);
            }
            sleep(PAUSE).await;
        }
        Ok(false)
    }

    /// Keeps the disk full until then, by taking what is freed.
    pub(super) async fn stay_full(&self, until: Instant) -> anyhow::Result<()> {
        while Instant::now() < until {
            self.disk.fill()?;
            sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Restarts the database if it has stopped, and returns whether it had.
    pub(super) fn revive(&mut self) -> anyhow::Result<bool> {
        match &mut self.postgres {
            Some((postgres, _)) if !postgres.is_up() => postgres.restart().map(|()| true),
            _ => Ok(false),
        }
    }

    /// How many events the database itself holds, whatever the server says; `None` if it does not answer.
    pub(super) fn stored_events(&self) -> Option<u64> {
        let mut ask = if let Some((postgres, address)) = &self.postgres {
            let mut psql = postgres.psql(address);
            psql.args(["-c", "SELECT COUNT(*) FROM events"]).env("PGCONNECT_TIMEOUT", "2");
            psql
        } else {
            let mut python = Command::new("python3");
            python.args(["-c", COUNT_EVENTS]).arg(self.disk.path().join("games.sqlite"));
            python
        };
        let output = ask.stderr(Stdio::null()).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    }
}
