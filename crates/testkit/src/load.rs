//! Load generator: pairs of players, with one move per second in each game.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use crownhead_game::Command;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::{Browser, GameClient, Latencies};
use crownhead_rules::Rng;

/// The time between two moves of a game.
pub const PACE: Duration = Duration::from_secs(1);
/// The number of games that are opened concurrently.
const AT_ONCE: usize = 32;

/// Starts games and returns their players, Black first.
///
/// # Errors
/// If a game is refused.
pub async fn open(server: SocketAddr, games: usize) -> anyhow::Result<Vec<(GameClient, GameClient)>> {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = JoinSet::new();
    for _ in 0..games {
        let permits = permits.clone();
        tasks.spawn(async move {
            let _permit = permits.acquire().await?;
            let (mut anna, mut ben) = (Browser::new(server), Browser::new(server));
            let id = anna.invite(&json!({"colour": "black"})).await?;
            ben.join(&id).await?;
            let (mut black, mut white) = (GameClient::new(anna, &id, "a"), GameClient::new(ben, &id, "b"));
            black.connect().await?;
            white.connect().await?;
            anyhow::Ok((black, white))
        });
    }
    let mut pairs = Vec::new();
    while let Some(pair) = tasks.join_next().await {
        pairs.push(pair??);
    }
    Ok(pairs)
}

/// Plays the games and measures how long each move takes to the other player's socket.
///
/// # Errors
/// If a connection is lost.
pub async fn play(pairs: Vec<(GameClient, GameClient)>, seconds: usize) -> anyhow::Result<Latencies> {
    let mut tasks = JoinSet::new();
    for (n, (mut mover, mut other)) in pairs.into_iter().enumerate() {
        tasks.spawn(async move {
            let mut rng = Rng::new(n as u64);
            let mut latencies = Vec::new();
            tokio::time::sleep(PACE.mul_f64(rng.below(1_000) as f64 / 1_000.0)).await;
            let mut pace = tokio::time::interval(PACE);
            for _ in 0..seconds {
                pace.tick().await;
                let game = mover.game.as_ref().context("not started")?;
                if game.outcome().is_some() {
                    break;
                }
                let moves = game.history().position().moves();
                let text = rng.pick(&moves).to_string();
                let sent = Instant::now();
                let id = mover.send(Command::Move { text }).await.ok().context("lost")?;
                other.wait_for_records(mover.record_count() + 1).await?;
                latencies.push(sent.elapsed());
                mover.wait_for_answer(&id).await?;
                other.wait_for_records(mover.record_count()).await?;
                std::mem::swap(&mut mover, &mut other);
            }
            anyhow::Ok(latencies)
        });
    }
    Latencies::of(tasks).await
}
