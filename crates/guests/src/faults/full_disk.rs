//! A disk that is full for a while: every move that was acknowledged is stored, and every move that was sent is, once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Tally;
use super::pair::Pair;
use crate::{Browser, Lottery, Postgres, Server, SmallDisk, free_port, generous_limits, log_to, serve};

/// Room for SQLite's file and its log, which grows to 4 MB before it is used again.
const SQLITE_KB: usize = 8 * 1_024;
const POSTGRES_KB: usize = 256 * 1_024;
/// Games at once in a round.
const PAIRS: usize = 4;
/// Between two moves of a game.
const PACE: Duration = Duration::from_millis(60);
/// How long the players move before the disk is full, and after it is free.
const BEFORE: Duration = Duration::from_millis(1_000);
const AFTER: Duration = Duration::from_millis(1_500);
/// The disk stays full for this long.
const FULL: Duration = Duration::from_millis(3_000);
/// A database that cannot write is reported within this time.
const REPORTED: Duration = Duration::from_millis(2_000);
/// Who is ready stores a move within this time.
const STORED: Duration = Duration::from_millis(1_000);
/// Everything works again this long after the disk is free, at the latest.
const RECOVERY: Duration = Duration::from_secs(15);
/// A full disk below PostgreSQL is noticed by it within this time.
const NOTICED: Duration = Duration::from_secs(20);

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// A file.
    Sqlite,
    /// A server, which stops or refuses when its disk is full.
    Postgres,
}

/// What the players do.
const MOVE: u8 = 0;
const REST: u8 = 1;
const FINISH: u8 = 2;

/// How the server goes on once the disk is free, in turn.
#[derive(Clone, Copy, Debug)]
enum Then {
    Kill,
    Stop,
    GoOn,
}

/// The disk, what is on it, and how to start a server there.
struct Host {
    // Dropped before the disk that it is on.
    postgres: Option<(Postgres, String)>,
    disk: SmallDisk,
    program: PathBuf,
    limits: Vec<String>,
    port: u16,
    log: Option<PathBuf>,
}

/// One round. The number decides whether the players move while the disk is full, and how the server goes on after.
///
/// # Errors
/// If the round cannot be set up: what the server does wrong is in the tally.
pub async fn round(
    program: &Path,
    database: Database,
    number: usize,
    seed: u64,
    log: Option<&Path>,
) -> anyhow::Result<Tally> {
    let mut host = Host::new(program, database, log)?;
    let mut lottery = Lottery::new(seed ^ (number as u64) << 32);
    let (is_moving, then) = (number % 2 == 0, [Then::Kill, Then::Stop, Then::GoOn][number % 3]);
    let mut tally = Tally::default();
    tally.count("rounds", 1);
    let mut server = host.start()?;
    let address = server.address;
    let stage = Arc::new(AtomicU8::new(MOVE));
    let made = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..PAIRS {
        let pair = Pair::open(address, &json!({"colour": "black"}), lottery.draw()).await?;
        tasks.spawn(play(pair, stage.clone(), made.clone()));
    }
    sleep(BEFORE).await;

    if !is_moving {
        stage.store(REST, Ordering::Relaxed);
        sleep(2 * PACE).await;
    }
    host.disk.fill()?;
    tally.count("databases that noticed", usize::from(host.is_noticed().await?));
    let noticed = Instant::now();
    let topping_up = |until: Duration| {
        let disk = &host.disk;
        async move {
            while noticed.elapsed() < until {
                disk.fill()?;
                sleep(PACE).await;
            }
            anyhow::Ok(())
        }
    };
    topping_up(REPORTED).await?;
    if is_ready(&server).await {
        // Perhaps it found room. Then it stores moves.
        stage.store(MOVE, Ordering::Relaxed);
        let before = made.load(Ordering::Relaxed);
        sleep(STORED).await;
        let is_lie = made.load(Ordering::Relaxed) == before;
        tally.fail("times ready while nothing was stored", usize::from(is_lie), || format!("round {number}"));
    } else {
        tally.fail("times ready while nothing was stored", 0, String::new);
        tally.count("times not ready while full", 1);
    }
    topping_up(FULL).await?;
    host.disk.free()?;
    host.revive()?;

    let freed = Instant::now();
    stage.store(MOVE, Ordering::Relaxed);
    while !is_ready(&server).await && freed.elapsed() < RECOVERY {
        sleep(PACE).await;
    }
    let is_stuck = freed.elapsed() >= RECOVERY;
    tally.fail("times not ready again", usize::from(is_stuck), || format!("round {number}"));
    sleep(AFTER).await;
    server = host.go_on(server, then, number, &mut tally)?;
    sleep(AFTER).await;
    stage.store(FINISH, Ordering::Relaxed);
    let mut pairs = Vec::new();
    while let Some(played) = tasks.join_next().await {
        let (pair, problem) = played?;
        let id = pair.players[0].game_id.clone();
        let example = || format!("round {number}, {id}: {}", problem.as_deref().unwrap_or_default());
        tally.fail("games that cannot go on", usize::from(problem.is_some()), example);
        pairs.push(pair);
    }
    tally.count("moves acknowledged", made.load(Ordering::Relaxed));
    // What is in memory proves nothing.
    server.kill()?;
    let server = host.start()?;
    for pair in &pairs {
        pair.check(server.address, &mut tally).await;
    }
    Ok(tally)
}

/// Moves until told otherwise, and says what went wrong.
async fn play(mut pair: Pair, stage: Arc<AtomicU8>, made: Arc<AtomicUsize>) -> (Pair, Option<String>) {
    loop {
        match stage.load(Ordering::Relaxed) {
            FINISH if pair.players.iter().all(|player| player.pending.is_empty()) => return (pair, None),
            REST => sleep(PACE).await,
            _ => match pair.play(FULL + NOTICED + RECOVERY).await {
                Ok(Some(_)) => {
                    made.fetch_add(1, Ordering::Relaxed);
                    sleep(PACE).await;
                }
                Ok(None) => sleep(PACE).await,
                Err(error) => return (pair, Some(format!("{error:#}"))),
            },
        }
    }
}

async fn is_ready(server: &Server) -> bool {
    let mut browser = Browser::new(server.address);
    let answer = timeout(STORED, browser.get("/readyz")).await;
    answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status == 200))
}

impl Host {
    fn new(program: &Path, database: Database, log: Option<&Path>) -> anyhow::Result<Host> {
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
        Ok(Host { postgres, disk, program: program.to_owned(), limits, port: free_port()?, log })
    }

    /// Always on the same port, so that the players find it again.
    fn start(&self) -> anyhow::Result<Server> {
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
        Server::start(&mut command)
    }

    fn go_on(&self, server: Server, then: Then, number: usize, tally: &mut Tally) -> anyhow::Result<Server> {
        match then {
            Then::Kill => server.kill()?,
            Then::Stop => {
                let stopped = server.stop();
                let example = || format!("round {number}: {stopped:?}");
                tally.fail("stops that were not clean", usize::from(stopped.is_err()), example);
            }
            Then::GoOn => return Ok(server),
        }
        self.start()
    }

    /// SQLite notices with its next write. PostgreSQL has some room in its log, which is used up here.
    async fn is_noticed(&self) -> anyhow::Result<bool> {
        let Some((postgres, address)) = &self.postgres else { return Ok(true) };
        let filled = Instant::now();
        while filled.elapsed() < NOTICED {
            self.disk.fill()?;
            let mut psql: Command = postgres.psql(address);
            psql.args(["--set=ON_ERROR_STOP=1", "-c", "CREATE TABLE scratch AS SELECT 1"]);
            psql.args(["-c", "DROP TABLE scratch", "-c", "SELECT pg_switch_wal()"]);
            psql.env("PGCONNECT_TIMEOUT", "2").stdout(Stdio::null()).stderr(Stdio::null());
            if !psql.status()?.success() {
                return Ok(true);
            }
            sleep(PACE).await;
        }
        Ok(false)
    }

    /// Starts a database again that stopped.
    fn revive(&mut self) -> anyhow::Result<()> {
        match &mut self.postgres {
            Some((postgres, _)) if !postgres.is_up() => postgres.restart(),
            _ => Ok(()),
        }
    }
}
