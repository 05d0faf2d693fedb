//! Acknowledged means stored, and two servers on one database are one.

use crownhead_game::Command;
use crownhead_guests::Lottery;
use crownhead_server::Database;
use crownhead_server::online::Limits;
use futures_util::FutureExt;
use sqlx::{AnyConnection, Connection, Executor};

use crate::house::{Base, House, on_both};
use crate::play::to_the_end;

/// Keeps everybody else from writing until it is dropped.
async fn hold(base: &Base) -> AnyConnection {
    let (address, lock) = match &base.database {
        Database::File(file) => (format!("sqlite://{}", file.display()), "BEGIN IMMEDIATE"),
        Database::Address(address) => (address.clone(), "BEGIN; LOCK TABLE events IN EXCLUSIVE MODE"),
    };
    let mut connection = AnyConnection::connect(&address).await.expect("a connection");
    connection.execute(lock).await.expect("the lock");
    connection
}

on_both! {
    async fn no_acknowledgement_comes_before_the_commit(house: House) {
        let (mut black, mut white) = house.plain_pair().await;
        let mut held = hold(&house.base).await;
        let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
        // Enough is asked and answered in between for an acknowledgement to come, if it did not wait.
        for _ in 0..50 {
            assert_eq!(house.browser().get("/healthz").await.expect("an answer").status, 200);
            assert_eq!(house.store_events(&black.game_id).await, 1);
        }
        for guest in [&mut black, &mut white] {
            while let Some(told) = guest.hear().now_or_never() {
                let told = told.expect("a promise").expect("a connection");
                assert_eq!(told["type"], "presence", "told before it is stored");
            }
        }
        held.execute("ROLLBACK").await.expect("free again");
        assert_eq!(black.answered(&id).await.expect("an answer")["type"], "ack");
        assert_eq!(house.store_events(&black.game_id).await, 2);
    }
}

#[tokio::test]
async fn two_servers_on_one_database_play_one_game() {
    let one = House::new(Base::postgres()).await;
    let two = House::with(one.base.clone(), one.watch.clone(), Limits::default()).await;
    let (mut black, mut white) = one.plain_pair().await;
    white.browser.server = two.server;
    white.connect().await.expect("a connection");
    to_the_end(&mut black, &mut white, &mut Lottery::new(3)).await;
    assert_eq!(black.log, white.log);
    assert_eq!(one.store_events(&black.game_id).await, black.log.len());
}
