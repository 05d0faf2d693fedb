//! Games over a bad network: cut, delayed, doubled, and delivered in the wrong order.

use crownhead_guests::{Lottery, bad_road, whole_game};
use crownhead_server::online::Limits;
use tokio::task::JoinSet;

use crate::house::{Base, House, Watch};

#[tokio::test]
async fn all_games_over_a_bad_network_finish_rightly_on_sqlite() {
    all_games_finish_rightly(Base::sqlite()).await;
}

#[tokio::test]
async fn all_games_over_a_bad_network_finish_rightly_on_postgres() {
    all_games_finish_rightly(Base::postgres()).await;
}

async fn all_games_finish_rightly(base: Base) {
    let games: u64 = std::env::var("CROWNHEAD_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let limits = Limits {
        messages_per_second: 1_000_000,
        games_per_address: 1_000_000,
        connections_per_address: 1_000_000,
        sockets_per_address: 1_000_000,
        starts_per_minute: 1_000_000,
        ..Limits::default()
    };
    let house = House::with(base, Watch::new(), limits).await;
    let mut tables = JoinSet::new();
    for seed in 0..games {
        let (server, road) = (house.server, bad_road(house.server, seed).await.expect("a road"));
        tables.spawn(async move { (seed, whole_game([road; 2], server, &mut Lottery::new(seed)).await) });
    }
    while let Some(table) = tables.join_next().await {
        let (seed, played) = table.expect("no panic");
        assert!(played.is_ok(), "seed {seed}: {played:?}");
    }
}
