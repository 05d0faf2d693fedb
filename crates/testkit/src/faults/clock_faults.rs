//! Clock faults: pauses of the process, stalls of the database, and steps of the wall clock. No player may lose a game
//! by them, and no clock may be charged for them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use crownhead_game::{Event, Game, Moment, Who};
use crownhead_rules::{Outcome, Side, WinReason};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::player_pair::{Made, PlayerPair};
use super::{FaultReport, LockHolder};
use crate::{Postgres, ServerProcess};
use crownhead_rules::Rng;

/// Concurrent games in a round: half of them move during the fault, the others after it.
const PAIRS: usize = 4;
/// A clock that is charged for more than this beyond the time that the server was up was charged for the fault.
const OVERCHARGE_MS: f64 = 600.0;
/// A clock that is charged for this much less was forgiven too much. Heartbeats limit how precisely a stall is known.
const UNDERCHARGE_MS: f64 = 1_600.0;
/// Players think for this long after the fault.
const THINK: Duration = Duration::from_millis(700);
/// A move that is sent is stored this long after the fault, at the latest.
const PATIENCE: Duration = Duration::from_secs(30);
/// A move this close to a step of the clock still counts.
const STEP_JITTER_MS: u64 = 20;
/// A game that is left alone ends this long after its flag has fallen, at the latest.
const FLAG_PATIENCE: Duration = Duration::from_secs(3);

/// The faults that are injected into a server.
pub enum Fault<'a> {
    /// SIGSTOP, and SIGCONT later.
    Pause(Duration),
    /// Another process holds the write lock of this file.
    SqliteLock(PathBuf, Duration),
    /// Another process holds a lock on the table of events in this database.
    PostgresLock(&'a Postgres, String, Duration),
    /// The wall clock jumps by this many seconds: libfaketime reads its offset from this file.
    Step(PathBuf, i64),
}

/// The progress of a round.
#[derive(Clone, Copy, Default)]
struct Stage {
    began: Option<Instant>,
    ended: Option<Instant>,
}

/// Starts games with clocks of `clock` on a server, injects a fault, and checks the clocks.
///
/// # Errors
/// If the round cannot be set up: what the server does wrong is in the report.
pub async fn round(
    server: &ServerProcess,
    fault: &Fault<'_>,
    clock: Duration,
    seed: u64,
) -> anyhow::Result<FaultReport> {
    let mut rng = Rng::new(seed);
    let (stage, seen) = watch::channel(Stage::default());
    let (ready, mut waiting) = tokio::sync::mpsc::channel::<()>(PAIRS);
    let mut tasks = JoinSet::new();
    for number in 0..PAIRS {
        let terms = json!({"colour": "black", "clock":
            {"kind": "game", "initial_ms": clock.as_millis() as u64, "increment_ms": 0}});
        let opened = Instant::now();
        let pair = PlayerPair::open(server.address, &terms, rng.next_u64()).await?;
        let delay = number.is_multiple_of(2).then(|| fault.delay(&mut rng));
        tasks.spawn(play(Script { pair, opened, delay, seen: seen.clone(), ready: ready.clone() }));
    }
    drop(ready);
    for _ in 0..PAIRS {
        waiting.recv().await.context("a game ended before the fault")?;
    }
    sleep(Duration::from_millis(200 + rng.below(600))).await;
    fault.happen(server, &stage, &mut rng).await?;
    let window = *stage.borrow();
    let mut report = FaultReport::default();
    report.count("faults", 1);
    while let Some(played) = tasks.join_next().await {
        let played = played?;
        report.count("games", 1);
        played.judge(window, fault.is_gap(), clock, &mut report);
    }
    Ok(report)
}

/// One game of a round.
struct Script {
    pair: PlayerPair,
    opened: Instant,
    /// How long after the beginning of the fault the move is sent; without it, some time after its end.
    delay: Option<Duration>,
    seen: watch::Receiver<Stage>,
    ready: tokio::sync::mpsc::Sender<()>,
}

struct Played {
    pair: PlayerPair,
    /// The opening of the game, then each move.
    made: Vec<Made>,
    problem: Option<String>,
}

async fn play(script: Script) -> Played {
    let Script { mut pair, opened, delay, seen, ready } = script;
    let mut made = vec![Made { sent: opened, acknowledged: Instant::now() }];
    let problem = moves(&mut pair, &mut made, delay, seen, ready).await.err();
    Played { pair, made, problem: problem.map(|error| format!("{error:#}")) }
}

async fn moves(
    pair: &mut PlayerPair,
    made: &mut Vec<Made>,
    delay: Option<Duration>,
    mut seen: watch::Receiver<Stage>,
    ready: tokio::sync::mpsc::Sender<()>,
) -> anyhow::Result<()> {
    for _ in 0..2 {
        made.extend(pair.play(PATIENCE).await?);
    }
    ready.send(()).await?;
    drop(ready);
    if let Some(delay) = delay {
        seen.wait_for(|stage| stage.began.is_some()).await?;
        sleep(delay).await;
    } else {
        seen.wait_for(|stage| stage.ended.is_some()).await?;
        sleep(THINK).await;
    }
    made.extend(pair.play(PATIENCE).await?);
    seen.wait_for(|stage| stage.ended.is_some()).await?;
    for _ in 0..2 {
        sleep(THINK).await;
        made.extend(pair.play(PATIENCE).await?);
    }
    Ok(())
}

impl Fault<'_> {
    /// Does the fault take time, which no clock is charged for? A step of the wall clock takes none.
    fn is_gap(&self) -> bool {
        !matches!(self, Fault::Step(..))
    }

    fn delay(&self, rng: &mut Rng) -> Duration {
        match self {
            Fault::Pause(length) | Fault::SqliteLock(_, length) | Fault::PostgresLock(_, _, length) => {
                length.mul_f64(rng.below(900) as f64 / 1_000.0)
            }
            Fault::Step(..) => Duration::from_millis(rng.below(STEP_JITTER_MS)),
        }
    }

    async fn happen(
        &self,
        server: &ServerProcess,
        stage: &watch::Sender<Stage>,
        rng: &mut Rng,
    ) -> anyhow::Result<()> {
        let begin = || stage.send_modify(|stage| stage.began = Some(Instant::now()));
        match self {
            Fault::Pause(length) => {
                server.signal("STOP")?;
                begin();
                sleep(*length).await;
                server.signal("CONT")?;
            }
            Fault::SqliteLock(file, length) => {
                let lock = LockHolder::sqlite(file)?;
                begin();
                sleep(*length).await;
                lock.release()?;
            }
            Fault::PostgresLock(postgres, database, length) => {
                let lock = LockHolder::postgres(&mut postgres.psql(database))?;
                begin();
                sleep(*length).await;
                lock.release()?;
            }
            Fault::Step(file, seconds) => {
                begin();
                sleep(Duration::from_millis(rng.below(STEP_JITTER_MS))).await;
                step(file, *seconds)?;
            }
        }
        stage.send_modify(|stage| stage.ended = Some(Instant::now()));
        Ok(())
    }
}

/// Sets the offset of the wall clock, in seconds.
///
/// # Errors
/// If the file cannot be written.
pub fn step(file: &Path, seconds: i64) -> anyhow::Result<()> {
    // Renamed into place, so that no reader sees half of it.
    let fresh = file.with_extension("new");
    std::fs::write(&fresh, format!("{seconds:+}\n"))?;
    Ok(std::fs::rename(fresh, file)?)
}

impl Played {
    /// Compares what each move was charged for with what the players measured.
    fn judge(&self, window: Stage, is_gap: bool, clock: Duration, report: &mut FaultReport) {
        let id = &self.pair.players[0].game_id;
        let example = || format!("{id}: {}", self.problem.as_deref().unwrap_or_default());
        report.fail("games that cannot go on", usize::from(self.problem.is_some()), example);
        let [black, white] = &self.pair.players;
        let log = if black.log.len() > white.log.len() { &black.log } else { &white.log };
        let mut left = [clock.as_millis() as f64; 2];
        let mut charged = Vec::new();
        let mut game: Option<Game> = None;
        for record in log {
            match &mut game {
                Some(game) => game.absorb(record).expect("a player took it in"),
                None => game = Some(Game::replay([record]).expect("a player took it in")),
            }
            let game = game.as_ref().expect("it was just read");
            if matches!(record.event, Event::Moved { .. }) {
                let mover = usize::from(game.side_to_move() == Side::Black);
                let now = left_ms(game, mover);
                charged.push(left[mover] - now);
                left[mover] = now;
            }
        }
        let is_flagged = game.and_then(|game| game.outcome()).is_some_and(is_by_time);
        report.fail("games lost on time", usize::from(is_flagged), || id.clone());
        for (number, charged) in charged.iter().enumerate() {
            let [turn, made] = &self.made[number..=number + 1] else { break };
            let gap = |from, to| if is_gap { overlap(window, from, to) } else { 0.0 };
            let least = millis(turn.acknowledged, made.sent) - gap(turn.acknowledged, made.sent);
            let most = millis(turn.sent, made.acknowledged) - gap(turn.sent, made.acknowledged);
            let says = || {
                format!("{id}: move {} was charged {charged:.0} ms of {least:.0} to {most:.0}", number + 1)
            };
            report.fail("clocks that paid", usize::from(*charged > most + OVERCHARGE_MS), says);
            let allowed = if is_gap { UNDERCHARGE_MS } else { OVERCHARGE_MS };
            report.fail("clocks that stood still", usize::from(*charged < least - allowed), says);
        }
    }
}

fn left_ms(game: &Game, side: usize) -> f64 {
    let view = game.view(Who::Watcher, Moment::at(game.last_at()));
    let seat = if side == 0 { &view.players.black } else { &view.players.white };
    seat.clock.as_ref().map_or(0.0, |clock| clock.left_ms as f64)
}

fn is_by_time(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Win { reason: WinReason::Time, .. })
}

fn millis(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1_000.0
}

/// How much of a period lies within the fault.
fn overlap(window: Stage, from: Instant, to: Instant) -> f64 {
    let (Some(began), Some(ended)) = (window.began, window.ended) else { return 0.0 };
    millis(from.max(began), to.min(ended))
}

/// A game without moves ends when the flag falls, whatever the wall clock says.
///
/// # Errors
/// If the game cannot be started.
pub async fn left_alone(
    server: &ServerProcess,
    clock: Duration,
    step_by: (&Path, i64),
) -> anyhow::Result<FaultReport> {
    let terms = json!({"colour": "black", "clock":
        {"kind": "game", "initial_ms": clock.as_millis() as u64, "increment_ms": 0}});
    let mut pair = PlayerPair::open(server.address, &terms, 0).await?;
    let opened = Instant::now();
    step(step_by.0, step_by.1)?;
    let player = &mut pair.players[0];
    let heard = async {
        while player.game.as_ref().is_some_and(|game| game.outcome().is_none()) {
            player.recv().await?.ok().context("the connection was lost")?;
        }
        anyhow::Ok(())
    };
    let ended = tokio::time::timeout(clock + FLAG_PATIENCE, heard).await;
    let (took, mut report) = (opened.elapsed(), FaultReport::default());
    report.count("games left alone", 1);
    let early = matches!(ended, Ok(Ok(()))) && took + Duration::from_millis(200) < clock;
    report.fail("games left alone that ended early", usize::from(early), || format!("after {took:?}"));
    let late = !matches!(ended, Ok(Ok(())));
    report.fail("games left alone that did not end", usize::from(late), || {
        format!("after {took:?}: {ended:?}")
    });
    Ok(report)
}
