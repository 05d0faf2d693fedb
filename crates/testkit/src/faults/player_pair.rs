//! Two players of one game who move in turn, whatever happens to the server, and notice lost moves.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use crownhead_game::{Command, Event};
use crownhead_rules::Side;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::FaultReport;
use crate::{Browser, GameClient};
use crownhead_rules::Rng;

/// How long a player waits before reconnecting.
const PAUSE: Duration = Duration::from_millis(50);
/// A server that is up admits a player within this time.
const CONNECT: Duration = Duration::from_secs(2);
/// A game that was acknowledged can be opened within this time, once the server is up.
const OPEN: Duration = Duration::from_secs(15);

/// Black and White of one game, and what they saw of the time.
pub(crate) struct PlayerPair {
    /// Black first.
    pub(crate) players: [GameClient; 2],
    pub(crate) rng: Rng,
}

/// When a move was made, by the players' own clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) sent: Instant,
    pub(crate) acknowledged: Instant,
}

impl PlayerPair {
    /// Invites, joins and connects both.
    pub(crate) async fn open(server: SocketAddr, terms: &Value, seed: u64) -> anyhow::Result<PlayerPair> {
        let (mut anna, mut ben) = (Browser::new(server), Browser::new(server));
        let id = anna.invite(terms).await?;
        ben.join(&id).await?;
        let mut players = [GameClient::new(anna, &id, "a"), GameClient::new(ben, &id, "b")];
        for player in &mut players {
            player.connect().await?;
        }
        Ok(PlayerPair { players, rng: Rng::new(seed) })
    }

    /// Is there a result?
    pub(crate) fn is_over(&self) -> bool {
        self.players[0].game.as_ref().is_some_and(|game| game.outcome().is_some())
    }

    /// Makes a random move and waits until it is acknowledged and the other player has it. Returns `None` if the game
    /// is over.
    ///
    /// # Errors
    /// If the server violates the protocol, or `patience` runs out; the move then stays pending.
    pub(crate) async fn play(&mut self, patience: Duration) -> anyhow::Result<Option<Made>> {
        let (deadline, sent) = (Instant::now() + patience, Instant::now());
        let Some(mover) = self.send().await? else { return Ok(None) };
        self.settle(mover, deadline).await?;
        Ok(Some(Made { sent, acknowledged: Instant::now() }))
    }

    /// Sends a random move, unless one is pending, and returns the player whose move it is.
    pub(crate) async fn send(&mut self) -> anyhow::Result<Option<usize>> {
        if let Some(mover) = self.players.iter().position(|player| !player.pending.is_empty()) {
            return Ok(Some(mover));
        }
        let game = self.players[0].game.as_ref().context("it has not started")?;
        if game.outcome().is_some() {
            return Ok(None);
        }
        let mover = usize::from(game.side_to_move() == Side::White);
        let moves = game.history().position().moves();
        let text = self.rng.pick(&moves).to_string();
        // A lost connection is reopened while waiting for the answer.
        let _ = self.players[mover].send(Command::Move { text }).await;
        Ok(Some(mover))
    }

    /// Waits until no command of the mover is pending and both players have the same log.
    pub(crate) async fn settle(&mut self, mover: usize, deadline: Instant) -> anyhow::Result<()> {
        let [black, white] = &mut self.players;
        let (player, other) = if mover == 0 { (black, white) } else { (white, black) };
        while !player.pending.is_empty() {
            recv(player, deadline).await.context("a move is not acknowledged")?;
        }
        while other.log.len() < player.log.len() {
            recv(other, deadline).await.context("a move does not reach the other player")?;
        }
        while player.log.len() < other.log.len() {
            recv(player, deadline).await?;
        }
        Ok(())
    }

    /// Compares what the players were told with what a fresh reader is told.
    pub(crate) async fn check(&self, server: SocketAddr, report: &mut FaultReport) {
        let id = &self.players[0].game_id;
        let stored = match read(server, id).await {
            Ok(stored) => stored,
            Err(error) => {
                report.fail("games that cannot be opened", 1, || format!("{id}: {error:#}"));
                return;
            }
        };
        report.fail("games that cannot be opened", 0, String::new);
        let acknowledged: usize = self.players.iter().map(|player| player.acknowledged.len()).sum();
        let pending: usize = self.players.iter().map(|player| player.pending.len()).sum();
        let moves = stored.log.iter().filter(|record| matches!(record.event, Event::Moved { .. })).count();
        let lost = acknowledged.saturating_sub(moves);
        report.fail("acknowledged moves lost", lost, || {
            format!("{id}: {acknowledged} acknowledged, {moves} stored")
        });
        let twice = moves.saturating_sub(acknowledged + pending);
        report.fail("moves stored twice", twice, || {
            format!("{id}: {acknowledged} acknowledged, {moves} stored")
        });
        let differs = self.players.iter().any(|player| !stored.log.starts_with(&player.log));
        report.fail("games that differ from what was told", usize::from(differs), || id.clone());
        let refused: Vec<_> = self.players.iter().flat_map(|player| &player.refused).collect();
        report.fail("moves refused", refused.len(), || format!("{id}: {:?}", refused[0]));
    }
}

/// A fresh reader of a game.
pub(crate) async fn read(server: SocketAddr, id: &str) -> anyhow::Result<GameClient> {
    let deadline = Instant::now() + OPEN;
    let mut reader = GameClient::new(Browser::new(server), id, "r");
    loop {
        match timeout(CONNECT, reader.connect()).await {
            Ok(Ok(())) => return Ok(reader),
            Ok(Err(error)) if Instant::now() > deadline => return Err(error),
            Err(_) if Instant::now() > deadline => anyhow::bail!("no welcome"),
            _ => sleep(PAUSE).await,
        }
    }
}

/// Receives one message, or reconnects if the connection is gone.
async fn recv(player: &mut GameClient, deadline: Instant) -> anyhow::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    ensure!(!left.is_zero(), "not within the time given");
    match timeout(left, player.recv()).await {
        Ok(Ok(Ok(_))) | Err(_) => return Ok(()),
        Ok(Ok(Err(_lost))) => {}
        Ok(Err(error)) => return Err(error),
    }
    // A rejected player tries again: the server may be starting.
    if !matches!(timeout(CONNECT, player.connect()).await, Ok(Ok(()))) {
        player.disconnect();
        sleep(PAUSE).await;
    }
    Ok(())
}
