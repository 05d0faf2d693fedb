//! A disk that is full for a while: every move that was acknowledged is stored, and every move that was sent is, once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::FaultReport;
use super::player_pair::PlayerPair;
use super::test_host::{NOTICED, PAUSE, TestHost};
use crate::{Browser, ServerProcess};
use crownhead_rules::Rng;

/// Concurrent games in a round.
const PAIRS: usize = 6;
/// Between two moves of a game: slow enough for random games to last for the round.
const PACE: Duration = Duration::from_millis(200);
/// How long the players move before the disk is full, and after it is free.
const BEFORE: Duration = Duration::from_secs(1);
const AFTER: Duration = Duration::from_millis(1_500);
/// The disk stays full for this long.
const FULL: Duration = Duration::from_secs(3);
/// A database that cannot write is reported within this time.
const REPORTED: Duration = Duration::from_secs(2);
/// A server that reports ready stores a move within this time.
const STORED: Duration = Duration::from_secs(1);
/// Everything works again this long after the disk is free, at the latest.
const RECOVERY: Duration = Duration::from_secs(15);

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// A file.
    Sqlite,
    /// A server, which stops or refuses when its disk is full.
    Postgres,
}

/// The activities of the players during a round.
const MOVE: u8 = 0;
const REST: u8 = 1;
const FINISH: u8 = 2;

/// Runs one round. The number decides whether the players move while the disk is full, and whether the server is then
/// killed, stopped or left alone.
///
/// # Errors
/// If the round cannot be set up: what the server does wrong is in the report.
pub async fn round(
    program: &Path,
    database: Database,
    number: usize,
    seed: u64,
    log: Option<&Path>,
) -> anyhow::Result<FaultReport> {
    let mut round = Round {
        number,
        host: TestHost::new(program, database, log)?,
        stage: Arc::new(AtomicU8::new(MOVE)),
        made: Arc::default(),
        report: FaultReport::default(),
    };
    round.report.count("rounds", 1);
    let server = round.host.start()?;
    let mut rng = Rng::new(seed ^ (number as u64) << 32);
    // From the moment at which the disk is full until everything works again.
    let patience = FULL + RECOVERY + if database == Database::Postgres { NOTICED } else { Duration::ZERO };
    let mut tasks = JoinSet::new();
    for _ in 0..PAIRS {
        let pair = PlayerPair::open(server.address, &json!({"colour": "black"}), rng.next_u64()).await?;
        tasks.spawn(play(pair, round.stage.clone(), round.made.clone(), patience));
    }
    sleep(BEFORE).await;
    round.fill(&server).await?;
    round.free(&server).await?;
    sleep(AFTER).await;
    let server = round.go_on(server)?;
    sleep(AFTER).await;
    round.finish(server, tasks).await
}

/// A round in progress.
struct Round {
    number: usize,
    host: TestHost,
    /// What the players do at the moment.
    stage: Arc<AtomicU8>,
    /// Acknowledged moves.
    made: Arc<AtomicUsize>,
    report: FaultReport,
}

impl Round {
    /// Fills the disk for a while and asks whether the server is ready.
    async fn fill(&mut self, server: &ServerProcess) -> anyhow::Result<()> {
        let number = self.number;
        if !number.is_multiple_of(2) {
            self.stage.store(REST, Ordering::Relaxed);
            sleep(2 * PACE).await;
        }
        let is_noticed = self.host.fill((number / 2).is_multiple_of(2)).await?;
        self.report.count("full disks that the database noticed", usize::from(is_noticed));
        let noticed = Instant::now();
        self.host.stay_full(noticed + REPORTED).await?;
        let mut is_lie = false;
        if is_ready(server).await {
            // Perhaps the server found space. Then it stores moves.
            self.stage.store(MOVE, Ordering::Relaxed);
            let before = self.host.stored_events();
            sleep(STORED).await;
            is_lie = self.host.stored_events().is_none_or(|now| Some(now) == before);
        } else {
            self.report.count("times not ready while full", 1);
        }
        let what = "times ready while nothing was stored";
        self.report.fail(what, usize::from(is_lie), || format!("round {number}"));
        self.host.stay_full(noticed + FULL).await
    }

    /// Frees the disk and waits until the server is ready by itself.
    async fn free(&mut self, server: &ServerProcess) -> anyhow::Result<()> {
        self.host.disk.free()?;
        self.report.count("databases started again", usize::from(self.host.revive()?));
        self.stage.store(MOVE, Ordering::Relaxed);
        let freed = Instant::now();
        while !is_ready(server).await && freed.elapsed() < RECOVERY {
            sleep(PAUSE).await;
        }
        let (number, is_stuck) = (self.number, freed.elapsed() >= RECOVERY);
        self.report.fail("times not ready again", usize::from(is_stuck), || format!("round {number}"));
        Ok(())
    }

    /// Kills the server, stops it, or leaves it alone, in turn.
    fn go_on(&mut self, server: ServerProcess) -> anyhow::Result<ServerProcess> {
        match self.number % 3 {
            0 => server.kill()?,
            1 => {
                let stopped = server.stop();
                let example = || format!("round {}: {stopped:?}", self.number);
                self.report.fail("stops that were not clean", usize::from(stopped.is_err()), example);
            }
            _ => return Ok(server),
        }
        self.host.start()
    }

    /// Waits until every move that was sent is acknowledged, and compares that with what a fresh server reads.
    async fn finish(
        mut self,
        server: ServerProcess,
        mut tasks: JoinSet<(PlayerPair, Option<String>)>,
    ) -> anyhow::Result<FaultReport> {
        self.stage.store(FINISH, Ordering::Relaxed);
        let mut pairs = Vec::new();
        while let Some(played) = tasks.join_next().await {
            let (pair, problem) = played?;
            let (number, id) = (self.number, &pair.players[0].game_id);
            let example = || format!("round {number}, {id}: {}", problem.as_deref().unwrap_or_default());
            self.report.fail("games that cannot go on", usize::from(problem.is_some()), example);
            pairs.push(pair);
        }
        self.report.count("moves acknowledged", self.made.load(Ordering::Relaxed));
        // The state in memory proves nothing.
        server.kill()?;
        let server = self.host.start()?;
        for pair in &mut pairs {
            pair.check(server.address, &mut self.report).await;
            self.report.count("games over before the end", usize::from(pair.is_over()));
            if !self.report.is_clean() {
                continue;
            }
            let played = pair.play(RECOVERY).await;
            let example = || format!("round {}, at the end: {played:?}", self.number);
            self.report.fail("games that cannot go on", usize::from(played.is_err()), example);
        }
        Ok(self.report)
    }
}

/// Plays until told otherwise, and reports what went wrong.
async fn play(
    mut pair: PlayerPair,
    stage: Arc<AtomicU8>,
    made: Arc<AtomicUsize>,
    patience: Duration,
) -> (PlayerPair, Option<String>) {
    let mut counted: usize = 0;
    loop {
        match stage.load(Ordering::Relaxed) {
            FINISH if pair.players.iter().all(|player| player.pending.is_empty()) => return (pair, None),
            REST => sleep(PAUSE).await,
            _ => match pair.play(patience).await {
                Ok(_) => {
                    let acknowledged = pair.players.iter().map(|player| player.acknowledged.len()).sum();
                    made.fetch_add(acknowledged - counted, Ordering::Relaxed);
                    counted = acknowledged;
                    sleep(PACE).await;
                }
                Err(error) => return (pair, Some(format!("{error:#}"))),
            },
        }
    }
}

async fn is_ready(server: &ServerProcess) -> bool {
    let mut browser = Browser::new(server.address);
    let answer = timeout(STORED, browser.get("/readyz")).await;
    answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status == 200))
}
