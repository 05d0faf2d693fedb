//! Load test of a local server with many concurrent games: latency of a move to the other player, memory per game, and
//! idle connections. A bare WebSocket echo in the same run is the baseline.
//!
//! `load PROGRAM [GAMES] [SECONDS] [IDLE]`: concurrent games with one move per second each, and idle connections to
//! hold. Fails if a target is missed.

mod idle;

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use crownhead_testkit::{Latencies, ServerProcess, echo, generous_limits, load, serve};

/// From a move that is sent to the other player's socket, for 99 of 100 moves.
const LONGEST_P99: Duration = Duration::from_millis(50);
/// A game with both players connected, while nothing happens.
const MOST_KB_PER_GAME: f64 = 20.0;
/// Games that are opened and left before memory is first measured.
const WARM_UP: usize = 20;
/// Longer than the server waits for a client that does not answer.
const HOLD: Duration = Duration::from_secs(30);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().context("give the program, or `echo`")?;
    if program == "echo" {
        return echo::serve().await;
    }
    let mut number = |otherwise| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (games, seconds, idle): (usize, usize, usize) = (number(1_000), number(15), number(5_000));

    let data = tempfile::tempdir()?;
    let limits = generous_limits(&program)?;
    let server = ServerProcess::start(serve(&program, 0).args(limits).arg("--data").arg(data.path()))?;
    let (latencies, kb_per_game) = measure(&server, games, seconds).await?;
    let held = idle::hold(server.address, idle, HOLD).await?;
    println!(
        "{held} of {idle} idle connections held for {} s, {} KB in all",
        HOLD.as_secs(),
        server.memory_kb()?
    );
    server.kill()?;

    let server = ServerProcess::start(Command::new(std::env::current_exe()?).arg("echo"))?;
    let echo = echo::measure(server.address, games, seconds).await?;
    server.kill()?;
    println!("bare axum echo, there and back: {echo}");

    ensure!(kb_per_game < MOST_KB_PER_GAME, "a game takes more than {MOST_KB_PER_GAME} KB");
    ensure!(latencies.at(0.99) < LONGEST_P99, "more than one move in a hundred takes over {LONGEST_P99:?}");
    ensure!(held == idle, "{} connections were lost", idle - held);
    Ok(())
}

/// Opens the games, measures the memory that they take, and plays them.
async fn measure(server: &ServerProcess, games: usize, seconds: usize) -> anyhow::Result<(Latencies, f64)> {
    // The first visitors make the server load code and open the database, which no game should be charged for.
    drop(load::open(server.address, WARM_UP).await?);
    let before = server.memory_kb()?;
    let pairs = load::open(server.address, games).await?;
    let after = server.memory_kb()?;
    let kb_per_game = (after - before) as f64 / games as f64;
    println!(
        "{games} idle games with both players connected: {kb_per_game:.1} KB a game ({before} KB before, {after} KB after)"
    );
    let latencies = load::play(pairs, seconds).await?;
    println!("crownhead, a move to the other player's socket: {latencies}");
    Ok((latencies, kb_per_game))
}
