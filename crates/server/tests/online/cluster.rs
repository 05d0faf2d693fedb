//! Two servers on one database are one: games, and who is there.

use std::time::Duration;

use crownhead_game::Command;
use crownhead_rules::Rng;
use crownhead_server::online::{ClusterMessage, Limits};
use crownhead_testkit::GameClient;
use serde_json::{Value, json};

use crate::harness::{TestDatabase, TestServer};
use crate::play::to_the_end;

/// Two servers on one PostgreSQL, and a game with a player at each.
async fn two_servers() -> (TestServer, TestServer, GameClient, GameClient) {
    let one = TestServer::new(TestDatabase::postgres()).await;
    let two = TestServer::with(one.database.clone(), one.clock.clone(), Limits::default()).await;
    let (black, mut white) = one.plain_pair().await;
    white.browser.server = two.address;
    white.connect().await.expect("a connection");
    (one, two, black, white)
}

/// Hears until those who are there are told as they should be.
pub(crate) async fn told_of(guest: &mut GameClient, as_wanted: impl Fn(&Value) -> bool) {
    loop {
        let told = guest.recv().await.expect("a promise").expect("a connection");
        if told["type"] == "presence" && as_wanted(&told["presence"]) {
            return;
        }
    }
}

#[tokio::test]
async fn two_servers_on_one_database_play_one_game() {
    let (one, _two, mut black, mut white) = two_servers().await;
    to_the_end(&mut black, &mut white, &mut Rng::new(3)).await;
    assert_eq!(black.log, white.log);
    assert_eq!(one.store_events(&black.game_id).await, black.log.len());
}

#[tokio::test]
async fn who_comes_and_goes_at_one_server_is_told_at_the_other() {
    let (one, two, mut black, mut white) = two_servers().await;
    let both = |presence: &Value, watchers: u64| {
        presence["inviter_away_since"].is_null()
            && presence["guest_away_since"].is_null()
            && presence["watchers"] == watchers
    };
    let mut watchers = Vec::new();
    for server in [one.address, two.address, two.address] {
        let mut browser = one.browser();
        browser.server = server;
        let mut watcher = GameClient::new(browser, &black.game_id, "w");
        watcher.connect().await.expect("a connection");
        watchers.push(watcher);
    }
    told_of(&mut black, |presence| both(presence, 3)).await;
    told_of(&mut white, |presence| both(presence, 3)).await;
    watchers.truncate(1);
    told_of(&mut black, |presence| both(presence, 1)).await;
    white.disconnect();
    told_of(&mut black, |presence| presence["guest_away_since"] == json!(one.clock.now())).await;
}

/// White and two who clock were at another server, which has not been heard of for a minute. Gives what it told.
async fn a_silent_server() -> (TestServer, GameClient, ClusterMessage) {
    let server = TestServer::new(TestDatabase::postgres()).await;
    let (mut black, mut white) = server.plain_pair().await;
    white.disconnect();
    let game = black.game_id.parse().expect("an id");
    let here = ClusterMessage::Here { game, server: 7, seats: [false, true], watchers: 2 };
    // Until the server listens nothing is heard, so it is told again.
    let is_known = |presence: &Value| presence["guest_away_since"].is_null() && presence["watchers"] == 2;
    loop {
        server.store.tell(&here).await.expect("told");
        if tokio::time::timeout(Duration::from_millis(500), told_of(&mut black, is_known)).await.is_ok() {
            break;
        }
    }
    server.clock.advance(60_000);
    (server, black, here)
}

#[tokio::test]
async fn a_server_that_dies_takes_those_with_it_who_were_there() {
    let (server, mut black, _) = a_silent_server().await;
    let died_at = server.clock.now().minus(60_000);
    told_of(&mut black, |presence| {
        presence["guest_away_since"] == json!(died_at) && presence["watchers"] == 0
    })
    .await;
}

#[tokio::test]
async fn who_is_at_a_server_that_only_paused_is_there_again() {
    let (server, mut black, here) = a_silent_server().await;
    told_of(&mut black, |presence| !presence["guest_away_since"].is_null()).await;
    let mut words = server.store.feed().listen();
    assert_eq!(words.recv().await, Some(ClusterMessage::Missed), "it listens");
    server.store.tell(&ClusterMessage::Alive { server: 7 }).await.expect("told");
    let mut is_asked = false;
    // The server notes once a second that it is alive, so there are always words to hear.
    for _ in 0..10 {
        let word = words.recv().await.expect("a word");
        is_asked |= matches!(word, ClusterMessage::Who { game, server } if game.to_string() == black.game_id && server != 7);
        if is_asked {
            break;
        }
    }
    assert!(is_asked, "nobody asks who is there");
    server.store.tell(&here).await.expect("told");
    told_of(&mut black, |presence| presence["guest_away_since"].is_null()).await;
}

/// Two servers on one file, which do not hear of each other, and an invitation that both have looked at.
async fn two_deaf_servers() -> (TestServer, TestServer, GameClient) {
    let one = TestServer::new(TestDatabase::sqlite()).await;
    let two = TestServer::with(one.database.with_another_name(), one.clock.clone(), Limits::default()).await;
    let mut anna = one.browser();
    let id = anna.invite(&json!({"colour": "black"})).await.expect("an invitation");
    two.browser().get(&format!("/api/games/{id}")).await.expect("an answer");
    (one, two, GameClient::new(anna, &id, "a"))
}

#[tokio::test]
async fn who_has_the_seat_has_it_at_a_server_that_does_not_know_yet() {
    let (one, two, black) = two_deaf_servers().await;
    let mut ben = one.browser();
    ben.join(&black.game_id).await.expect("a seat");
    ben.server = two.address;
    ben.join(&black.game_id).await.expect("the same seat");
    let error = two.browser().join(&black.game_id).await.expect_err("it is taken").to_string();
    assert!(error.contains("Somebody else has taken the seat"), "{error}");
}

#[tokio::test]
async fn who_knows_more_than_the_server_makes_it_look_again() {
    let (one, two, mut black) = two_deaf_servers().await;
    one.browser().join(&black.game_id).await.expect("a seat");
    black.connect().await.expect("a connection");
    two.browser().get(&format!("/api/games/{}", black.game_id)).await.expect("an answer");
    black.play("11-15").await.expect("a move");
    black.browser.server = two.address;
    // Taking in a welcome that has less fails.
    black.connect().await.expect("a connection");
    assert_eq!(black.log.len(), 2);
}

#[tokio::test]
async fn a_rematch_that_is_agreed_on_at_one_server_is_told_at_the_other() {
    let (_one, _two, mut black, mut white) = two_servers().await;
    black.command(Command::Resign).await.expect("the end");
    white.wait_for_records(2).await.expect("the end");
    white.command(Command::Rematch).await.expect("a wish");
    black.wait_for_records(3).await.expect("the wish");
    black.command(Command::Rematch).await.expect("another");
    for guest in [&mut black, &mut white] {
        while guest.next.is_none() {
            guest.recv().await.expect("a promise").expect("a connection");
        }
    }
    assert_eq!(black.next, white.next);
}
