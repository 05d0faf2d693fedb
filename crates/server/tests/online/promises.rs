//! What a host can rely on: limits on new games, a browser that is forgotten, short welcomes, and readiness.

use std::time::Duration;

use crownhead_game::{Command, Event};
use crownhead_server::online::{Limits, Site};
use crownhead_testkit::GameClient;
use serde_json::json;

use crate::harness::{ManualClock, TestDatabase, TestServer, on_both};

/// What has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(60);

async fn metrics(server: &TestServer) -> String {
    let mut browser = server.browser();
    browser.server = server.metrics;
    browser.get("/metrics").await.expect("an answer").text
}

/// Asks both for a rematch and gives what the second was told.
async fn rematch(black: &mut GameClient, white: &mut GameClient) -> serde_json::Value {
    white.command(Command::Resign).await.expect("the end");
    let wish = black.command(Command::Rematch).await.expect("an answer");
    if wish["type"] == "refused" { wish } else { white.command(Command::Rematch).await.expect("an answer") }
}

#[tokio::test]
async fn rematches_cannot_be_had_as_fast_as_they_can_be_asked_for() {
    let server = TestServer::with(TestDatabase::sqlite(), ManualClock::new(), Limits::default()).await;
    let (mut black, mut white) = server.plain_pair().await;
    let mut games = 0;
    let refused = loop {
        let answer = rematch(&mut black, &mut white).await;
        if answer["type"] == "refused" {
            break answer;
        }
        games += 1;
        let next = loop {
            if let Some(next) = white.next.clone() {
                break next;
            }
            white.recv().await.expect("a promise").expect("a connection");
        };
        black = GameClient::new(black.browser.clone(), &next, "a");
        white = GameClient::new(white.browser.clone(), &next, "b");
        black.connect().await.expect("a connection");
        white.connect().await.expect("a connection");
    };
    assert_eq!(refused["error"], "You are asking for rematches too quickly; try again in a moment.");
    assert!(games <= 6, "{games} games");
    assert!(metrics(&server).await.contains("refused_total{limit=\"rematches_per_minute\"} 1"));
}

on_both! {
    async fn an_address_starts_so_many_games_a_day(server: TestServer) {
        let limits = Limits { games_per_address_per_day: 2, ..Limits::default() };
        let server = server.again(limits).await;
        let mut anna = server.browser();
        for _ in 0..2 {
            anna.invite(&json!({})).await.expect("an invitation");
        }
        let answer = anna.post("/api/games", &json!({})).await.expect("an answer");
        assert_eq!((answer.status, answer.json()["error"].as_str()), (429, Some("Too many games were started from your network address today; try again tomorrow.")));
        server.clock.advance(86_400_000);
        anna.invite(&json!({})).await.expect("it is another day");
    }

    async fn a_database_that_is_large_enough_takes_no_new_games_and_lets_the_others_go_on(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        black.play("11-15").await.expect("a move");
        let server = server.again(Limits { database_bytes: Some(1), ..Limits::default() }).await;
        let answer = server.browser().post("/api/games", &json!({})).await.expect("an answer");
        assert_eq!((answer.status, answer.json()["error"].as_str()), (503, Some("The server has no room for new games at the moment; try again later.")));
        white.browser.server = server.address;
        white.connect().await.expect("a connection");
        white.play("22-18").await.expect("a move");
    }

    async fn finished_games_are_kept_for_ever_unless_an_option_says_otherwise(server: TestServer) {
        let (mut black, _white) = server.plain_pair().await;
        black.play("11-15").await.expect("a move");
        black.command(Command::Resign).await.expect("the end");
        let (mut going, _on) = server.plain_pair().await;
        going.play("11-15").await.expect("a move");
        let server = server.again(Limits { keep_finished_days: Some(10), ..Limits::default() }).await;
        server.clock.advance(11 * 86_400_000);
        let removed = async {
            while server.store.game(black.game_id.parse().expect("an id")).await.expect("an answer").is_some() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, removed).await.expect("it is removed");
        assert_eq!(server.store_events(&going.game_id).await, 2);
    }

    async fn whoever_asks_to_be_forgotten_is(server: TestServer) {
        let (mut anna, mut ben) = (server.browser(), server.browser());
        let id = anna.invite(&json!({"name": "Anna"})).await.expect("an invitation");
        let open = anna.invite(&json!({"name": "Anna"})).await.expect("another");
        let answer = ben.post(&format!("/api/games/{id}/join"), &json!({"name": "Ben"})).await.expect("an answer");
        assert_eq!(answer.status, 200);
        let names = anna.get("/api/games").await.expect("an answer").json()[0]["names"].clone();
        assert!(names.to_string().contains("Anna") && names.to_string().contains("Ben"), "{names}");

        let answer = anna.request("DELETE", "/api/me", &[], "").await.expect("an answer");
        assert_eq!(answer.status, 204);
        assert!(answer.header("set-cookie").expect("a cookie").contains("Max-Age=0"));
        assert_eq!(anna.get("/api/games").await.expect("an answer").json(), json!([]));
        assert_eq!(ben.get(&format!("/api/games/{open}")).await.expect("an answer").status, 410);
        let mut watcher = GameClient::new(server.browser(), &id, "w");
        watcher.connect().await.expect("a connection");
        let Event::Started(started) = &watcher.log[0].event else { panic!("no start") };
        let mut names = [started.black.name(), started.white.name()];
        names.sort_unstable();
        assert_eq!(names, ["", "Ben"]);
        let game = ben.get(&format!("/api/games/{id}")).await.expect("an answer").text;
        assert!(!game.contains("Anna"), "{game}");
    }

    async fn names_are_not_in_the_log(server: TestServer) {
        let (mut anna, mut ben) = (server.browser(), server.browser());
        let id = anna.invite(&json!({"name": "Anna"})).await.expect("an invitation");
        ben.post(&format!("/api/games/{id}/join"), &json!({"name": "Ben"})).await.expect("an answer");
        let stored = server.store.events(id.parse().expect("an id"), 0).await.expect("an answer");
        assert!(!stored[0].json.contains("Anna") && !stored[0].json.contains("Ben"), "{}", stored[0].json);
    }

    async fn a_server_that_cannot_write_is_not_ready_until_it_can_again(server: TestServer) {
        let ready = async || server.browser().get("/readyz").await.expect("an answer").status;
        assert_eq!(ready().await, 200);
        let mut database = server.database.connect().await;
        database.execute("ALTER TABLE alive RENAME TO lost").await;
        let becomes = async |status| {
            while ready().await != status {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, becomes(503)).await.expect("it notices");
        let answer = server.browser().post("/api/games", &json!({})).await.expect("an answer");
        assert_eq!(answer.status, 503);
        database.execute("ALTER TABLE lost RENAME TO alive").await;
        tokio::time::timeout(PATIENCE, becomes(200)).await.expect("it comes back by itself");
        assert!(metrics(&server).await.lines().any(|line| line.starts_with("crownhead_database_errors_total ") && !line.ends_with(" 0")));
    }
}

#[tokio::test]
async fn unknown_games_leave_nothing_in_memory() {
    let server = TestServer::fresh(Limits::default(), Site::default()).await;
    let mut browser = server.browser();
    for n in 0..50 {
        let answer = browser.get(&format!("/api/games/{n:022}")).await.expect("an answer");
        assert_eq!(answer.status, 404);
    }
    assert!(metrics(&server).await.contains("crownhead_rooms 0\n"));
}

#[tokio::test]
async fn a_watcher_of_a_very_long_game_is_welcomed_by_a_snapshot() {
    let limits =
        Limits { messages_per_second: 1_000_000, takebacks_per_minute: 1_000_000, ..Limits::default() };
    let server = TestServer::with(TestDatabase::sqlite(), ManualClock::new(), limits).await;
    let (mut black, mut white) = server.plain_pair().await;
    for _ in 0..170 {
        black.play("11-15").await.expect("a move");
        black.command(Command::AskTakeback).await.expect("an answer");
        white.command(Command::AnswerTakeback { accept: true }).await.expect("an answer");
    }
    black.wait_for_records(white.record_count()).await.expect("the events");
    let mut watcher = GameClient::new(server.browser(), &black.game_id, "w");
    watcher.connect().await.expect("a connection");
    assert_eq!((watcher.log.len(), watcher.first_seq), (0, black.record_count()));
    black.play("11-15").await.expect("a move");
    watcher.wait_for_records(black.record_count()).await.expect("the move");
    assert_eq!(watcher.game, black.game);
}
