//! Clocks by the server's time, with nobody there, and with no server there.

use crownhead_game::{Command, Event};
use crownhead_server::online::{GameId, Limits, Secret};
use crownhead_testkit::GameClient;
use serde_json::json;

use crate::cluster::told_of;
use crate::harness::{TestDatabase, TestServer, on_both};

const MINUTE: u64 = 60_000;
/// What of the lag a clock of a minute gives back for its first move.
const LAG_QUOTA_MS: u64 = MINUTE / 180;

fn clock() -> serde_json::Value {
    json!({"colour": "black", "clock": {"kind": "game", "initial_ms": MINUTE, "increment_ms": 0}})
}

/// Looks at a game with a new connection until it is over.
async fn outcome(mut guest: GameClient) -> String {
    guest.connect().await.expect("a connection");
    while guest.game.as_ref().expect("a game").outcome().is_none() {
        guest.recv().await.expect("a promise").expect("a connection");
    }
    let game = guest.game.expect("a game");
    game.outcome().expect("it is over").sentence(game.rulebook())
}

/// Black's move by a network on which word takes so long there and back, and how much of it was given back.
async fn lag_of_a_move(server: &TestServer, round_trip_ms: u64, pong: impl Fn(u64) -> u64) -> u64 {
    let (mut black, _white) = server.pair(clock()).await;
    let asked = black.recv_ping().await.expect("a ping");
    server.clock.advance(round_trip_ms);
    black
        .send_text(json!({"v": 1, "type": "pong", "now": pong(asked)}).to_string())
        .await
        .expect("a connection");
    black.play("11-15").await.expect("a move");
    match black.log.last().expect("a move").event {
        Event::Moved { lag_ms, .. } => lag_ms,
        ref other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_time_of_a_move_on_the_network_is_given_back_within_a_bound() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    assert_eq!(lag_of_a_move(&server, 0, |asked| asked).await, 0);
    assert_eq!(lag_of_a_move(&server, 120, |asked| asked).await, 120);
    assert_eq!(lag_of_a_move(&server, 9 * LAG_QUOTA_MS, |asked| asked).await, LAG_QUOTA_MS);
}

#[tokio::test]
async fn who_answers_what_was_not_asked_is_given_nothing_back() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    assert_eq!(lag_of_a_move(&server, 120, |asked| asked - 300).await, 0);
    assert_eq!(lag_of_a_move(&server, 120, |_| 0).await, 0);
}

on_both! {
    async fn a_flag_falls_with_nobody_there(server: TestServer) {
        let (mut black, mut white) = server.pair(clock()).await;
        black.play("11-15").await.expect("a move");
        black.disconnect();
        white.disconnect();
        // Time passes while the server runs.
        for _ in 0..=MINUTE / 1_000 {
            server.clock.advance(1_000);
            server.store_beat().await;
        }
        assert_eq!(outcome(white).await, "Black wins: Red ran out of time.");
    }

    async fn time_without_a_server_costs_nobody(server: TestServer) {
        let (mut black, mut white) = server.pair(clock()).await;
        black.play("11-15").await.expect("a move");
        white.disconnect();
        let clock = server.clock.clone();
        clock.advance(1_000);
        server.store_beat().await;
        let mut server = server;
        server.stop().await;
        clock.advance(100 * MINUTE);
        let server = server.again(Limits::default()).await;
        white.browser.server = server.address;
        white.connect().await.expect("a connection");
        white.play("22-18").await.expect("there is time");
        let outage_ms = white.log.last().expect("a move").outage_ms;
        assert!((100 * MINUTE - 2_500..=100 * MINUTE).contains(&outage_ms), "{outage_ms}");
        let view = white.game.expect("a game").view(crownhead_game::Who::Watcher, crownhead_game::Moment::at(clock.now()));
        let left = view.players.white.clock.expect("a clock").left_ms;
        assert!((MINUTE - 1_500..=MINUTE).contains(&left), "{left}");
    }

    async fn who_is_gone_may_be_declared_to_have_forfeited(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        let answer = white.command(Command::ClaimForfeit).await.expect("an answer");
        assert_eq!(answer["error"], "Black is here.");
        black.disconnect();
        loop {
            let told = white.recv().await.expect("a promise").expect("a connection");
            if !told["presence"]["inviter_away_since"].is_null() {
                break;
            }
        }
        let answer = white.command(Command::ClaimForfeit).await.expect("an answer");
        assert_eq!(answer["error"], "Black has been away for 0 s; a forfeit can be claimed after 60 s.");
        server.clock.advance(MINUTE);
        assert_eq!(white.command(Command::ClaimForfeit).await.expect("an answer")["type"], "ack");
        assert_eq!(outcome(black).await, "Red wins: Black forfeited the game.");
    }

    async fn who_is_gone_when_the_game_begins_has_a_minute_to_come(server: TestServer) {
        let mut anna = server.browser();
        let id = anna.invite(&json!({"colour": "black"})).await.expect("an invitation");
        let mut black = GameClient::new(anna, &id, "a");
        black.connect().await.expect("a connection");
        black.disconnect();
        let mut white = GameClient::new(server.browser(), &id, "b");
        white.connect().await.expect("a connection");
        told_of(&mut white, |presence| !presence["inviter_away_since"].is_null()).await;
        server.clock.advance(MINUTE + 2_000);
        server.store_beat().await;
        white.browser.get(&format!("/api/games/{id}")).await.expect("a cookie");
        white.browser.join(&id).await.expect("a seat");
        white.connect().await.expect("a connection");
        told_of(&mut white, |presence| {
            assert_eq!(presence["inviter_away_since"], json!(server.clock.now()));
            true
        })
        .await;
        let answer = white.command(Command::ClaimForfeit).await.expect("an answer");
        assert_eq!(answer["error"], "Black has been away for 0 s; a forfeit can be claimed after 60 s.");
        server.clock.advance(MINUTE);
        assert_eq!(white.command(Command::ClaimForfeit).await.expect("an answer")["type"], "ack");
    }
}

#[tokio::test]
async fn games_that_cannot_be_read_do_not_keep_the_clocks_of_others_from_running_out() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    // More than are looked at in one go, and all of them due before the one that is played.
    for _ in 0..150 {
        let (id, owner) = (GameId::random(), Secret::random());
        server.store.write(vec![crate::store::invitation(id, &owner, 1)]).await.expect("an invitation");
        server.store.write(vec![crate::store::started(id, 1)]).await.expect("a game");
    }
    server.database.connect().await.execute("UPDATE events SET json = '{}'").await;
    let (mut black, white) = server.pair(clock()).await;
    black.play("11-15").await.expect("a move");
    for _ in 0..=MINUTE / 1_000 {
        server.clock.advance(1_000);
        server.store_beat().await;
    }
    assert_eq!(outcome(white).await, "Black wins: Red ran out of time.");
}
