//! Rates, and what the host learns of what was refused.

use crownhead_game::Command;
use crownhead_server::online::{Limits, Site};
use crownhead_testkit::{Browser, GameClient, Response};
use serde_json::json;

use crate::harness::{TestDatabase, TestServer};

async fn get_from(server: &TestServer, address: &str, path: &str) -> Response {
    server.browser().request("GET", path, &[("x-forwarded-for", address)], "").await.expect("an answer")
}

#[tokio::test]
async fn requests_to_the_api_beyond_the_rate_are_refused_until_there_is_room() {
    let limits = Limits { requests_per_second: 1, ..Limits::default() };
    let server = TestServer::fresh(limits, Site { proxies: 1, ..Site::default() }).await;
    let paths = ["/api/games", "/api/tablebase", "/api/nothing", "/api/games/0123456789abcdefghijkl"];
    let mut last = get_from(&server, "192.0.2.1", "/api/games").await;
    for path in paths.iter().cycle().take(100) {
        last = get_from(&server, "192.0.2.1", path).await;
        if last.status == 429 {
            break;
        }
    }
    assert_eq!(
        (last.status, last.json()["error"].as_str()),
        (429, Some("There are too many requests from your network address; try again in a moment."))
    );
    assert_eq!(last.header("retry-after"), Some("1"));
    assert_eq!(get_from(&server, "192.0.2.1", "/healthz").await.status, 200, "only the API is limited");
    assert_eq!(get_from(&server, "192.0.2.2", "/api/games").await.status, 200, "others are not held up");
    assert!(server.metrics().await.contains("crownhead_refused_total{limit=\"requests_per_second\"} 1\n"));
}

#[tokio::test]
async fn an_ipv6_client_does_not_escape_by_changing_its_subnet() {
    let limits = Limits { starts_per_minute: 1, ..Limits::default() };
    let server = TestServer::fresh(limits, Site { proxies: 1, ..Site::default() }).await;
    let mut allowed = Vec::new();
    for n in 0..12 {
        let from = format!("[2001:db8:1:{n:x}::1]:4711");
        let headers = [("content-type", "application/json"), ("x-forwarded-for", from.as_str())];
        let answer = server.browser().request("POST", "/api/games", &headers, "{}").await.expect("an answer");
        allowed.push(answer.status);
    }
    assert_eq!(allowed, [[201; 8].as_slice(), &[429; 4]].concat());
}

#[tokio::test]
async fn an_address_opens_so_many_websockets_a_minute() {
    let limits = Limits { connections_per_minute: 2, ..Limits::default() };
    let server = TestServer::fresh(limits, Site::default()).await;
    let (black, _white) = server.plain_pair().await;
    let mut watcher = GameClient::new(server.browser(), &black.game_id, "w");
    let error = watcher.connect().await.expect_err("one too many").to_string();
    assert!(error.contains("429"), "{error}");
    assert!(server.metrics().await.contains("crownhead_refused_total{limit=\"connections_per_minute\"} 1\n"));
}

#[tokio::test]
async fn every_limit_that_refuses_is_counted() {
    let limits = Limits {
        games_per_browser: 1,
        connections_per_game: 2,
        connections_per_address: 3,
        messages_per_second: 1,
        message_bytes: 300,
        events_per_game: 1,
        ..Limits::default()
    };
    let server = TestServer::fresh(limits, Site::default()).await;
    let (mut black, _white) = server.plain_pair().await;
    let refused = black.browser.post("/api/games", &json!({})).await.expect("an answer");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("60")));
    black.command(Command::Move { text: "11-15".into() }).await.expect("an answer");
    let mut watchers = [0; 2].map(|_| GameClient::new(server.browser(), &black.game_id, "w"));
    watchers[0].connect().await.expect_err("no room in the game");
    let other = server.browser().invite(&json!({})).await.expect("an invitation");
    let mut held = GameClient::new(server.browser(), &other, "h");
    // The place of the watcher is free again when the server has closed its connection.
    while held.connect().await.is_err() {}
    let mut one_more = GameClient::new(server.browser(), &other, "h");
    one_more.connect().await.expect_err("no room for the address");
    black.send_text("x".repeat(301)).await.expect("a connection");
    for _ in 0..10 {
        black.send_text("{}".to_owned()).await.expect("a connection");
    }
    black.command(Command::Resign).await.expect("an answer");
    let metrics = server.metrics().await;
    for limit in [
        "games_per_browser",
        "connections_per_game",
        "connections_per_address",
        "messages_per_second",
        "message_bytes",
        "events_per_game",
    ] {
        assert!(metrics.contains(&format!("crownhead_refused_total{{limit=\"{limit}\"}} ")), "{metrics}");
    }
}

#[tokio::test]
async fn metrics_are_served_on_a_listener_of_their_own_and_nowhere_else() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (mut black, _white) = server.plain_pair().await;
    black.play("11-15").await.expect("a move");
    let public = server.browser().get("/metrics").await.expect("an answer");
    assert_eq!(public.status, 404);
    let mut prometheus = Browser::new(server.metrics);
    let answer = prometheus.get("/metrics").await.expect("an answer");
    assert_eq!(
        answer.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    for line in [
        "crownhead_games_started_total 1",
        "crownhead_events_stored_total 2",
        "crownhead_connections 2",
        "# TYPE crownhead_database_errors counter",
        "# TYPE crownhead_outages counter",
        "# TYPE crownhead_write_queue_length gauge",
        "# TYPE crownhead_disk_free_bytes gauge",
        "# TYPE crownhead_database_bytes gauge",
    ] {
        assert!(answer.text.contains(line), "no {line} in {}", answer.text);
    }
    for path in ["/", "/api/games", "/healthz"] {
        assert_eq!(prometheus.get(path).await.expect("an answer").status, 404, "{path}");
    }
}
