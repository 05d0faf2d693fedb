//! Idle watchers, which only answer pings.

use std::net::SocketAddr;
use std::time::Duration;

use crownhead_testkit::{Browser, GameClient};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The number of watchers per game.
const PER_GAME: usize = 100;

/// Connects watchers and returns how many of them are still connected after a while.
pub(crate) async fn hold(server: SocketAddr, watchers: usize, time: Duration) -> anyhow::Result<usize> {
    let mut host = Browser::new(server);
    let mut id = String::new();
    let mut all = Vec::new();
    for n in 0..watchers {
        if n % PER_GAME == 0 {
            id = host.invite(&json!({})).await?;
        }
        let mut watcher = GameClient::new(Browser::new(server), &id, "w");
        watcher.connect().await?;
        all.push(watcher);
    }
    let mut tasks = JoinSet::new();
    for mut watcher in all {
        // A watcher that is still receiving when the time is over is connected.
        tasks.spawn(timeout(time, async move { while matches!(watcher.recv().await, Ok(Ok(_))) {} }));
    }
    let mut held = 0;
    while let Some(heard) = tasks.join_next().await {
        held += usize::from(heard?.is_err());
    }
    Ok(held)
}
