//! Acknowledged means stored.

use crownhead_game::Command;
use crownhead_server::Database;
use futures_util::FutureExt;
use sqlx::{AnyConnection, Connection, Executor};

use crate::house::{Base, House, on_both};

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
