//! Who may do what: seats, secrets, other sites, limits, and messages of any kind.

use crownhead_game::Command;
use crownhead_server::online::{Limits, Site};
use crownhead_testkit::{Browser, GameClient};
use serde_json::{Value, json};

use crate::harness::{TestDatabase, TestServer, on_both};

const TOO_FAST: &str = "Those were too many messages; slow down and send it again.";

fn join(id: &str) -> String {
    format!("/api/games/{id}/join")
}

on_both! {
    async fn the_first_to_join_has_the_seat_and_the_others_watch(server: TestServer) {
        let mut anna = server.browser();
        let id = anna.invite(&json!({})).await.expect("an invitation");
        let own = anna.post(&join(&id), &json!({})).await.expect("an answer");
        assert_eq!((own.status, own.json()["error"].as_str()), (409, Some("This is your own invitation; send the link to somebody else.")));
        // Looking takes nothing.
        assert_eq!(server.browser().get(&format!("/api/games/{id}")).await.expect("an answer").json()["phase"], "waiting");
        let mut guests: Vec<Browser> = (0..8).map(|_| server.browser()).collect();
        let mut asked: Vec<u16> = Vec::new();
        let mut tasks = tokio::task::JoinSet::new();
        for mut guest in guests.drain(..) {
            let path = join(&id);
            tasks.spawn(async move { guest.post(&path, &json!({"name": "G"})).await.expect("an answer").status });
        }
        while let Some(status) = tasks.join_next().await {
            asked.push(status.expect("no panic"));
        }
        asked.sort_unstable();
        assert_eq!(asked, [200, 409, 409, 409, 409, 409, 409, 409]);
    }

    async fn nobody_moves_for_another(server: TestServer) {
        let (black, _white) = server.plain_pair().await;
        let mut thief = GameClient::new(server.browser(), &black.game_id, "t");
        thief.connect().await.expect("a connection");
        for command in [Command::Move { text: "11-15".into() }, Command::Resign, Command::OfferDraw] {
            let answer = thief.command(command).await.expect("an answer");
            assert_eq!(answer["error"], "You are watching; only the players can do that.");
        }
        let mut black = black;
        for report in [Command::Tick, Command::Interrupted { since: crownhead_game::Time(0) }] {
            let answer = black.command(report).await.expect("an answer");
            assert_eq!(answer["error"], "Only the program that runs the game can do that.");
        }
    }
}

#[tokio::test]
async fn the_secret_is_in_a_cookie_that_scripts_cannot_read_and_nowhere_else() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let mut anna = server.browser();
    let answer = anna.post("/api/games", &json!({"name": "Anna"})).await.expect("an answer");
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let secret = anna.cookie.clone().expect("a cookie");
    let secret = &secret.split_once('=').expect("a value").1[..22];
    let id = answer.json()["id"].as_str().expect("an id").to_owned();
    for path in [format!("/api/games/{id}"), "/api/games".to_owned()] {
        assert!(!anna.get(&path).await.expect("an answer").text.contains(secret));
    }
    assert!(!server.metrics().await.contains(secret));
}

#[tokio::test]
async fn pages_of_other_sites_may_not_act() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (black, _white) = server.plain_pair().await;
    let mut anna = black.browser.clone();
    let headers = [("origin", "https://evil.example"), ("content-type", "application/json")];
    for path in ["/api/games".to_owned(), join(&black.game_id)] {
        assert_eq!(anna.request("POST", &path, &headers, "{}").await.expect("an answer").status, 403);
    }
    let upgrade = [
        ("origin", "https://evil.example"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let path = format!("/api/games/{}/live?v=1", black.game_id);
    assert_eq!(anna.request("GET", &path, &upgrade, "").await.expect("an answer").status, 403);
}

#[tokio::test]
async fn an_address_has_so_many_games_open_whichever_browser_asks() {
    let limits = Limits { games_per_address: 2, ..Limits::default() };
    let server = TestServer::fresh(limits, Site { proxies: 1, ..Site::default() }).await;
    let invite = async |from: &str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
        server.browser().request("POST", "/api/games", &headers, "{}").await.expect("an answer")
    };
    // The last proxy is believed; what stands before it may be made up.
    for from in ["9.9.9.9", "1.1.1.1, 9.9.9.9"] {
        assert_eq!(invite(from).await.status, 201);
    }
    let refused = invite("8.8.8.8, 9.9.9.9").await;
    assert_eq!(
        (refused.status, refused.json()["error"].as_str()),
        (429, Some("There are too many games open at your network address; try again later."))
    );
    assert_eq!(invite("9.9.9.9, 8.8.8.8").await.status, 201);
}

#[tokio::test]
async fn without_a_proxy_nobody_chooses_the_address_that_they_come_from() {
    let limits = Limits { games_per_address: 1, connections_per_address: 1, ..Limits::default() };
    let server = TestServer::fresh(limits, Site::default()).await;
    let id = server.browser().invite(&json!({})).await.expect("an invitation");
    let headers = [("content-type", "application/json"), ("x-forwarded-for", "8.8.8.8")];
    let refused = server.browser().request("POST", "/api/games", &headers, "{}").await.expect("an answer");
    assert_eq!(refused.status, 429);
    let mut watchers = [0; 2].map(|_| GameClient::new(server.browser(), &id, "w"));
    watchers[0].connect().await.expect("a connection");
    let error = watchers[1].connect().await.expect_err("one too many").to_string();
    assert!(error.contains("429"), "{error}");
}

#[tokio::test]
async fn limits_are_told_in_words() {
    let limits = Limits {
        games_per_browser: 1,
        connections_per_game: 2,
        messages_per_second: 1,
        message_bytes: 300,
        ..Limits::default()
    };
    let server = TestServer::fresh(limits, Site::default()).await;
    let (mut black, _white) = server.plain_pair().await;
    let answer = black.browser.post("/api/games", &json!({})).await.expect("an answer");
    assert_eq!(
        (answer.status, answer.json()["error"].as_str()),
        (429, Some("You have too many games open; finish some first."))
    );
    let other = server.browser().invite(&json!({})).await.expect("an invitation");
    let answer = black.browser.post(&join(&other), &json!({})).await.expect("an answer");
    assert_eq!(
        (answer.status, answer.json()["error"].as_str()),
        (429, Some("You have too many games open; finish some first."))
    );
    let mut watcher = GameClient::new(server.browser(), &black.game_id, "w");
    let error = watcher.connect().await.expect_err("no room").to_string();
    assert!(error.contains("Too many people watch this game"), "{error}");
    assert_eq!(last_words(&mut watcher).await.1, Some(TURNED_AWAY));
    black.send_text("x".repeat(301)).await.expect("a connection");
    assert_eq!(heard_error(&mut black).await, "A message has 300 bytes at most.");
    for _ in 0..10 {
        black.send_text("{}".to_owned()).await.expect("a connection");
    }
    while heard_error(&mut black).await != TOO_FAST {}
    // A command is answered in any case.
    let answer = black.command(Command::Move { text: "11-15".into() }).await.expect("an answer");
    assert_eq!((&answer["type"], &answer["error"]), (&json!("refused"), &json!(TOO_FAST)));
}

/// The code of a connection that need not be tried again.
pub(crate) const TURNED_AWAY: u16 = 4_000;

/// Hears until the server closes, and tells what the last words were and how it closed.
pub(crate) async fn last_words(guest: &mut GameClient) -> (Value, Option<u16>) {
    let mut last = Value::Null;
    while let Ok(told) = guest.recv().await.expect("a promise") {
        last = told;
    }
    (last, guest.closed)
}

#[tokio::test]
async fn a_page_that_does_not_fit_is_told_so_and_need_not_try_again() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (black, _white) = server.plain_pair().await;
    let mut old = GameClient::new(black.browser.clone(), &black.game_id, "o");
    old.version = 0;
    let error = old.connect().await.expect_err("another version").to_string();
    assert!(error.contains("load the page again"), "{error}");
    assert_eq!(last_words(&mut old).await.1, Some(TURNED_AWAY));
}

#[tokio::test]
async fn a_game_that_is_too_long_can_only_be_ended() {
    let server = TestServer::fresh(Limits { events_per_game: 2, ..Limits::default() }, Site::default()).await;
    let (mut black, mut white) = server.plain_pair().await;
    black.play("11-15").await.expect("a move");
    white.wait_for_records(2).await.expect("the move");
    let answer = white.command(Command::Move { text: "22-18".into() }).await.expect("an answer");
    assert_eq!(
        answer["error"],
        "This game has grown too long for more moves here; resign, or agree on an end."
    );
    assert_eq!(white.command(Command::OfferDraw).await.expect("an answer")["type"], "ack");
    black.wait_for_records(3).await.expect("the offer");
    assert_eq!(black.command(Command::AnswerDraw { accept: true }).await.expect("an answer")["type"], "ack");
}

/// The next message that is an error.
async fn heard_error(guest: &mut GameClient) -> String {
    loop {
        let told: Value = guest.recv().await.expect("a promise").expect("a connection");
        if told["type"] == "error" {
            return told["error"].as_str().expect("a sentence").to_owned();
        }
    }
}

#[tokio::test]
async fn what_is_no_message_gets_an_error_and_changes_nothing() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (mut black, _white) = server.plain_pair().await;
    for text in [
        "",
        "{",
        "null",
        r#"{"v":2,"type":"pong","now":1}"#,
        r#"{"v":1,"type":"dance"}"#,
        r#"{"v":1,"type":"command","command":{"type":"resign"}}"#,
        r#"{"v":1,"type":"command","id":"","command":{"type":"resign"}}"#,
        r#"{"v":1,"type":"command","id":"0123456789012345678901234567890123456789012345678901234567890123x","command":{"type":"resign"}}"#,
        // What a database may not be able to store.
        r#"{"v":1,"type":"command","id":"a\u0000","command":{"type":"resign"}}"#,
        r#"{"v":1,"type":"command","id":"a\u001f","command":{"type":"resign"}}"#,
        r#"{"v":1,"type":"command","id":"a\u007f","command":{"type":"resign"}}"#,
        r#"{"v":1,"type":"command","id":"é","command":{"type":"resign"}}"#,
        r#"{"v":1,"type":"command","id":"a","command":{"type":"move"}}"#,
    ] {
        black.send_text(text.to_owned()).await.expect("a connection");
        assert!(!heard_error(&mut black).await.is_empty(), "{text}");
    }
    assert_eq!(server.store_events(&black.game_id).await, 1);
    let longest = "~ ".repeat(32);
    let text = json!({"v": 1, "type": "command", "id": longest, "command": {"type": "resign"}}).to_string();
    black.send_text(text).await.expect("a connection");
    assert_eq!(black.wait_for_answer(&longest).await.expect("an answer")["type"], "ack");
}

#[tokio::test]
async fn what_cannot_be_invited_to_is_refused_in_words() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    for (terms, sentence) in [
        (json!({"rulebook": "chess"}), "unknown variant `chess`"),
        (
            json!({"clock": {"kind": "game", "initial_ms": 1, "increment_ms": 0}}),
            "A clock has a second at least",
        ),
        (json!({"computer": 3}), "unknown field `computer`"),
        (
            json!({"clock": {"kind": "move", "limit_ms": 60_000, "increment_ms": 1}}),
            "unknown field `increment_ms`",
        ),
    ] {
        let answer = server.browser().post("/api/games", &terms).await.expect("an answer");
        assert_eq!(answer.status, 400);
        assert!(answer.text.contains(sentence), "{}", answer.text);
    }
    assert_eq!(server.browser().get("/api/games/nothing").await.expect("an answer").status, 404);
}

#[tokio::test]
async fn the_description_of_the_api_has_every_address() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let described = server.browser().get("/api/openapi.json").await.expect("an answer").json();
    let mut paths: Vec<&str> =
        described["paths"].as_object().expect("addresses").keys().map(String::as_str).collect();
    paths.sort_unstable();
    let expected = [
        "/api/games",
        "/api/games/{id}",
        "/api/games/{id}/join",
        "/api/games/{id}/live",
        "/api/games/{id}/pdn",
        "/api/games/{id}/qr",
        "/api/me",
        "/api/tablebase",
        "/healthz",
        "/readyz",
    ];
    assert_eq!(paths, expected);
    for path in ["/healthz", "/readyz"] {
        let answer = server.browser().get(path).await.expect("an answer");
        let kind = answer.header("content-type").and_then(|kind| kind.split(';').next()).expect("a type");
        let content = &described["paths"][path]["get"]["responses"]["200"]["content"];
        assert!(content[kind].is_object(), "{path} answers {kind}, described is {content}");
    }
    for clock in described["components"]["schemas"]["Clock"]["oneOf"].as_array().expect("two kinds") {
        assert_eq!(clock["additionalProperties"], false, "{clock}");
    }
}

#[tokio::test]
async fn a_server_that_stops_says_so_and_closes() {
    let mut server = TestServer::new(TestDatabase::sqlite()).await;
    let (mut black, _white) = server.plain_pair().await;
    let heard = tokio::spawn(async move {
        let mut is_told = false;
        while let Ok(Ok(told)) = black.recv().await {
            is_told |= told["type"] == "bye";
        }
        (is_told, black.closed)
    });
    assert_eq!(server.browser().get("/readyz").await.expect("an answer").status, 200);
    server.stop().await;
    // 1012 is a restart: the page connects again.
    assert_eq!(heard.await.expect("no panic"), (true, Some(1_012)));
}
