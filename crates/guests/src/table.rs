//! Two who play a game to its end, whatever happens to the server or to the network between.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use crownhead_game::{Command, Event};
use serde_json::json;

use crate::{Browser, Guest, Lottery};

/// How long a player waits before they try again.
const PAUSE: Duration = Duration::from_millis(20);

/// Plays a game of random moves and checks that nothing was lost or played twice. The players come by a road each, which
/// may be bad or lead to different servers; what is stored is asked for at the `server` itself.
///
/// # Errors
/// If anything was.
pub async fn whole_game(
    roads: [SocketAddr; 2],
    server: SocketAddr,
    lottery: &mut Lottery,
) -> anyhow::Result<()> {
    let [mut anna, mut ben] = roads.map(Browser::new);
    let id = loop {
        match anna.invite(&json!({"colour": "random", "rulebook": "quick"})).await {
            Ok(id) => break id,
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    };
    // Whoever has a cookie already can ask for the seat again if the answer is lost.
    while ben.cookie.is_none() {
        if ben.get(&format!("/api/games/{id}")).await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
    while ben.join(&id).await.is_err() {
        tokio::time::sleep(PAUSE).await;
    }
    let (seed, other) = (lottery.draw(), lottery.draw());
    let (anna, ben) = tokio::join!(
        play_out(Guest::new(anna, &id, "a"), Lottery::new(seed)),
        play_out(Guest::new(ben, &id, "b"), Lottery::new(other)),
    );
    let (anna, ben) = (anna?, ben?);
    ensure!(anna.log == ben.log, "the two saw different games");
    let mut stored = Guest::new(Browser::new(server), &id, "s");
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
async fn play_out(mut guest: Guest, mut lottery: Lottery) -> anyhow::Result<Guest> {
    loop {
        while guest.connect().await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
        loop {
            let game = guest.game.as_ref().context("it has not started")?;
            let is_over = game.outcome().is_some();
            if is_over && guest.pending.is_empty() {
                return Ok(guest);
            }
            if !is_over && guest.pending.is_empty() && Some(game.side_to_move()) == guest.you {
                let moves = game.history().position().moves();
                let text = moves[lottery.below(moves.len())].to_string();
                if guest.send(Command::Move { text }).await.is_err() {
                    break;
                }
            }
            if guest.hear().await?.is_err() {
                break;
            }
        }
    }
}
