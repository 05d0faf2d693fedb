//! Games over a bad network: cut, delayed, doubled, and delivered in the wrong order.

use crownhead_rules::Rng;
use crownhead_server::online::Limits;
use crownhead_testkit::{FaultyProxy, play_random_game};
use tokio::task::JoinSet;

use crate::harness::{ManualClock, TestDatabase, TestServer};

#[tokio::test]
async fn all_games_over_a_bad_network_finish_rightly_on_sqlite() {
    all_games_finish_rightly(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn all_games_over_a_bad_network_finish_rightly_on_postgres() {
    all_games_finish_rightly(TestDatabase::postgres()).await;
}

async fn all_games_finish_rightly(database: TestDatabase) {
    let games: u64 = std::env::var("CROWNHEAD_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let limits = Limits {
        messages_per_second: 1_000_000,
        games_per_address: 1_000_000,
        connections_per_address: 1_000_000,
        sockets_per_address: 1_000_000,
        starts_per_minute: 1_000_000,
        ..Limits::default()
    };
    let server = TestServer::with(database, ManualClock::new(), limits).await;
    let mut tasks = JoinSet::new();
    for seed in 0..games {
        let (server, proxy) =
            (server.address, FaultyProxy::start(server.address, seed).await.expect("a proxy"));
        tasks.spawn(async move {
            (seed, play_random_game([proxy.address; 2], server, &mut Rng::new(seed)).await)
        });
    }
    while let Some(task) = tasks.join_next().await {
        let (seed, played) = task.expect("no panic");
        assert!(played.is_ok(), "seed {seed}: {played:?}");
    }
}
