//! Two clients that play a random game to its end, whatever happens to the server or the network.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use crownhead_game::{Command, Event};
use serde_json::json;

use crate::{Browser, GameClient};
use crownhead_rules::Rng;

/// How long a player waits before trying again.
const PAUSE: Duration = Duration::from_millis(20);

/// Plays a game of random moves and checks that nothing was lost or played twice. Each player has an address to connect
/// to, perhaps that of a faulty proxy or another server; the stored game is read from the `server` itself.
///
/// # Errors
/// If anything was lost or played twice.
pub async fn play_random_game(
    roads: [SocketAddr; 2],
    server: SocketAddr,
    rng: &mut Rng,
) -> anyhow::Result<()> {
    let [mut anna, mut ben] = roads.map(Browser::new);
    let id = loop {
        match anna.invite(&json!({"colour": "random", "rulebook": "quick"})).await {
            Ok(id) => break id,
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    };
    // A browser that already has a cookie can repeat a join whose response was lost.
    while ben.cookie.is_none() {
        if ben.get(&format!("/api/games/{id}")).await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
    while ben.join(&id).await.is_err() {
        tokio::time::sleep(PAUSE).await;
    }
    let (seed, other) = (rng.next_u64(), rng.next_u64());
    let (anna, ben) = tokio::join!(
        play_out(GameClient::new(anna, &id, "a"), Rng::new(seed)),
        play_out(GameClient::new(ben, &id, "b"), Rng::new(other)),
    );
    let (anna, ben) = (anna?, ben?);
    ensure!(anna.log == ben.log, "the two saw different games");
    let mut stored = GameClient::new(Browser::new(server), &id, "s");
    while stored.connect().await.is_err() {
        tokio::time::sleep(PAUSE).await;
    }
    ensure!(stored.log == anna.log, "another game is stored than was played");
    ensure!(anna.refused.is_empty() && ben.refused.is_empty(), "{:?} {:?}", anna.refused, ben.refused);
    let moves = stored.log.iter().filter(|record| matches!(record.event, Event::Moved { .. })).count();
    let mut counted: Vec<&String> =
        anna.acknowledged.iter().chain(&ben.acknowledged).map(|(id, _)| id).collect();
    counted.sort_unstable();
    counted.dedup();
    ensure!(moves == counted.len(), "{} moves were acknowledged, {moves} count", counted.len());
    Ok(())
}

/// Makes random moves until the game is over and all commands are answered.
async fn play_out(mut client: GameClient, mut rng: Rng) -> anyhow::Result<GameClient> {
    loop {
        while client.connect().await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
        loop {
            let game = client.game.as_ref().context("it has not started")?;
            let is_over = game.outcome().is_some();
            if is_over && client.pending.is_empty() {
                return Ok(client);
            }
            if !is_over && client.pending.is_empty() && Some(game.side_to_move()) == client.you {
                let moves = game.history().position().moves();
                let text = rng.pick(&moves).to_string();
                if client.send(Command::Move { text }).await.is_err() {
                    break;
                }
            }
            if client.recv().await?.is_err() {
                break;
            }
        }
    }
}
