//! Flood of rematches: a pair of browsers that asks for them as fast as it can.

use std::time::{Duration, Instant};

use anyhow::Context;
use crownhead_game::Command;
use crownhead_testkit::{Browser, GameClient};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::Target;

const TIME: Duration = Duration::from_secs(20);
/// No two people finish more games in that time.
const MOST_GAMES: usize = 60;
/// The attack ends after this many games.
const BOUND: usize = 10_000;
/// The pause before a refused request is repeated or a lost connection reopened.
const PAUSE: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs the attack and returns what went wrong.
pub(crate) async fn attack(target: &Target) -> anyhow::Result<Vec<String>> {
    let began = Instant::now();
    let (mut anna, mut ben) = (Browser::new(target.address()), Browser::new(target.address()));
    let mut id = anna.invite(&json!({"colour": "black"})).await?;
    ben.join(&id).await?;
    let (mut games, mut refused, mut words) = (0, 0, String::new());
    while began.elapsed() < TIME && games < BOUND {
        let mut players = [GameClient::new(anna.clone(), &id, "a"), GameClient::new(ben.clone(), &id, "b")];
        match timeout(PATIENCE, next_game(&mut players)).await {
            Ok(Ok(next)) => {
                games += 1;
                id = next;
            }
            // The same game is tried again.
            _ => sleep(PAUSE).await,
        }
        for (_, why) in players.iter().flat_map(|player| &player.refused) {
            refused += 1;
            words.clone_from(why);
        }
    }
    println!("rematches: {games} games in {TIME:?}, {refused} wishes refused, as in {words:?}");
    let is_flood = games > MOST_GAMES;
    let mut failures = Vec::new();
    if is_flood {
        failures.push(format!("rematches: {games} games"));
    }
    if !is_flood && words.is_empty() {
        failures.push("rematches: no client was told why".to_owned());
    }
    Ok(failures)
}

/// Ends the game if it is not over, and asks for a rematch from both sides.
async fn next_game(players: &mut [GameClient; 2]) -> anyhow::Result<String> {
    for player in &mut *players {
        player.connect().await?;
    }
    let [black, white] = players;
    if black.game.as_ref().is_some_and(|game| game.outcome().is_none()) {
        black.command(Command::Resign).await?;
    }
    if black.next.is_none() {
        black.command(Command::Rematch).await?;
        white.command(Command::Rematch).await?;
    }
    while white.next.is_none() && white.refused.is_empty() && black.refused.is_empty() {
        white.recv().await?.ok().context("the connection was lost")?;
    }
    white.next.clone().context("refused")
}
