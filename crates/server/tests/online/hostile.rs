//! Messages of any kind by somebody who means no good: each gets an error, none changes the game, and the server lives.

use std::time::Duration;

use crownhead_rules::Rng;
use crownhead_server::online::{Limits, Site};
use crownhead_testkit::{GameClient, Message};
use serde_json::json;
use tokio::time::timeout;

use crate::cluster::told_of;
use crate::harness::{ManualClock, TestDatabase, TestServer};
use crate::rights::last_words;

/// With these codes a server closes that was sent too much, and a message of too many bytes.
const POLICY: u16 = 1_008;
const TOO_BIG: u16 = 1_009;

/// A connection is closed after a hundred bad messages, so they come in smaller parcels.
const PARCEL: usize = 90;
/// Longer messages are not even read.
const FRAME_BYTES: usize = 64 * 1_024;

/// What a message may look like before it is spoilt. None of it is allowed to anybody, or out of turn.
const OF_ANYBODY: &[&str] = &[
    r#"{"v":1,"type":"command","id":"a","command":{"type":"move","move":"11-15"}}"#,
    r#"{"v":1,"type":"command","id":"b","command":{"type":"answer_draw","accept":true}}"#,
    r#"{"v":1,"type":"command","id":"c","command":{"type":"interrupted","since":0}}"#,
    r#"{"v":1,"type":"command","id":"d","command":{"type":"adjudicated","request":7,"verdict":"draw"}}"#,
    r#"{"v":9,"type":"welcome","you":"black","seq":0,"records":[]}"#,
];
/// A player may do that at any time.
const RESIGN: &str = r#"{"v":1,"type":"command","id":"e","command":{"type":"resign"}}"#;
/// What a player may not do before their first move.
const OUT_OF_TURN: [&str; 5] = [
    r#"{"v":1,"type":"command","id":"f","command":{"type":"move","move":"22-18"}}"#,
    r#"{"v":1,"type":"command","id":"g","command":{"type":"ask_takeback"}}"#,
    r#"{"v":1,"type":"command","id":"h","command":{"type":"undo"}}"#,
    r#"{"v":1,"type":"command","id":"i","command":{"type":"claim_forfeit"}}"#,
    r#"{"v":1,"type":"command","id":"j","command":{"type":"answer_rematch","accept":true}}"#,
];

fn count() -> usize {
    std::env::var("CROWNHEAD_MESSAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

/// A message that should not be.
fn spoilt(models: &[&str], rng: &mut Rng) -> Message {
    let mut bytes = rng.pick(models).as_bytes().to_vec();
    match rng.below(6) {
        0 => {}
        1 => bytes = (0..rng.below(300)).map(|_| rng.next_u64() as u8).collect(),
        2 => bytes = vec![b'['; 1 + rng.below(60_000) as usize],
        3 => bytes.truncate(rng.below(bytes.len() as u64) as usize),
        _ => {
            for _ in 0..=rng.below(4) {
                let place = rng.below(bytes.len() as u64) as usize;
                bytes[place] = *rng.pick(b"{}[]\",:0123456789abcdefx-\0\\u");
            }
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => Message::text(text),
        Err(error) => Message::binary(error.into_bytes()),
    }
}

/// A frame of the protocol below. None is an error, and a pong answers nothing.
fn control(rng: &mut Rng) -> Message {
    let bytes: Vec<u8> = (0..rng.below(126)).map(|_| rng.next_u64() as u8).collect();
    if rng.below(2) == 0 { Message::Ping(bytes.into()) } else { Message::Pong(bytes.into()) }
}

/// One connection after the other, half of them by a watcher and half by White, whose turn it is not.
async fn hostile_messages_get_errors_and_change_nothing(database: TestDatabase) {
    let limits = Limits { messages_per_second: 1_000_000, ..Limits::default() };
    let server = TestServer::with(database, ManualClock::new(), limits).await;
    let (mut black, white) = server.plain_pair().await;
    let mut rng = Rng::new(6);
    for parcel in 0..count().div_ceil(PARCEL) {
        let (browser, models) = match parcel % 2 {
            0 => (server.browser(), [OF_ANYBODY, &[RESIGN]].concat()),
            _ => (white.browser.clone(), [OF_ANYBODY, &OUT_OF_TURN[..]].concat()),
        };
        let mut stranger = GameClient::new(browser, &black.game_id, "s");
        stranger.connect().await.expect("the server lives");
        let mut expected = 0;
        for _ in 0..PARCEL {
            let message = match rng.below(10) {
                0 => control(&mut rng),
                _ => spoilt(&models, &mut rng),
            };
            expected += usize::from(message.is_text() || message.is_binary());
            stranger.send_message(message).await.expect("a connection");
        }
        let mut answers = 0;
        while answers < expected {
            let told = stranger.recv().await.expect("a promise").expect("a connection");
            if told["type"] == "presence" {
                continue;
            }
            assert!(told["type"] == "error" || told["type"] == "refused", "{told}");
            assert!(told["error"].as_str().is_some_and(|error| error.len() > 10), "{told}");
            answers += 1;
        }
        // After one of these nothing can be read, so it comes last.
        let long = vec![b'x'; FRAME_BYTES + 1 + rng.below(FRAME_BYTES as u64) as usize];
        stranger.send_message(Message::binary(long)).await.expect("a connection");
        let (told, closed) = last_words(&mut stranger).await;
        assert_eq!((&told["error"], closed), (&json!("A message has 2048 bytes at most."), Some(TOO_BIG)));
    }
    assert_eq!(server.store_events(&black.game_id).await, 1, "nothing has happened");
    // It has not listened for so long that it may have been dropped as too slow.
    black.connect().await.expect("the server lives");
    black.play("11-15").await.expect("the game goes on");
}

#[tokio::test]
async fn hostile_messages_change_nothing_on_sqlite() {
    hostile_messages_get_errors_and_change_nothing(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn hostile_messages_change_nothing_on_postgres() {
    hostile_messages_get_errors_and_change_nothing(TestDatabase::postgres()).await;
}

#[tokio::test]
async fn a_message_that_is_too_long_to_be_read_ends_the_connection_and_nothing_else() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (mut black, mut white) = server.plain_pair().await;
    white.send_text("x".repeat(1_000_000)).await.expect("it is read, if not understood");
    let (told, closed) = last_words(&mut white).await;
    assert_eq!((&told["error"], closed), (&json!("A message has 2048 bytes at most."), Some(TOO_BIG)));
    black.play("11-15").await.expect("the game goes on");
}

#[tokio::test]
async fn who_floods_is_told_why_and_sent_away() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (mut black, white) = server.plain_pair().await;
    let text = Message::text("{}");
    let ping = Message::Ping("ping".into());
    for message in [text, ping, Message::Pong("pong".into())] {
        let mut flooder = GameClient::new(white.browser.clone(), &black.game_id, "f");
        flooder.connect().await.expect("the server lives");
        for _ in 0..5_000 {
            flooder.send_message(message.clone()).await.expect("it is read, if not answered");
        }
        let (told, closed) = last_words(&mut flooder).await;
        assert_eq!(
            told["error"], "Those were too many messages; slow down and send it again.",
            "{message:?}"
        );
        assert_eq!(closed, Some(POLICY), "{message:?}");
    }
    black.play("11-15").await.expect("the game goes on");
}

#[tokio::test]
async fn who_never_reads_is_dropped_and_the_game_goes_on() {
    let limits = Limits { patience_seconds: 1, messages_per_second: 1_000_000, ..Limits::default() };
    let server = TestServer::fresh(limits, Site::default()).await;
    let (mut black, mut white) = server.plain_pair().await;
    let mut idler = GameClient::new(server.browser(), &black.game_id, "i");
    idler.connect().await.expect("a connection");
    told_of(&mut black, |presence| presence["watchers"] == 1).await;
    // Asks and asks, until the answers that it does not read fill all there is between the two.
    let asking = tokio::spawn(async move { while idler.send_text(RESIGN.to_owned()).await.is_ok() {} });
    black.play("11-15").await.expect("a move");
    let dropped = told_of(&mut black, |presence| presence["watchers"] == 0);
    timeout(Duration::from_secs(60), dropped).await.expect("it is dropped");
    white.wait_for_records(2).await.expect("the move");
    white.play("22-18").await.expect("the game goes on");
    asking.await.expect("the connection is closed");
}

#[tokio::test]
async fn messages_as_long_as_are_allowed_are_read() {
    let limits = Limits { message_bytes: 200_000, keep_unplayed_days: u64::MAX, ..Limits::default() };
    let server = TestServer::fresh(limits, Site::default()).await;
    let (mut black, _white) = server.plain_pair().await;
    black.send_text(" ".repeat(150_000)).await.expect("a connection");
    black.play("11-15").await.expect("the connection is still there");
}

#[tokio::test]
async fn hostile_bodies_get_errors() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let mut browser = server.browser();
    let long = json!({"name": "x".repeat(10_000)}).to_string();
    let kind = ("content-type", "application/json");
    for (headers, body) in [(&[kind][..], "{"), (&[kind], "[]"), (&[], "{}"), (&[kind], "\u{0}")] {
        let answer = browser.request("POST", "/api/games", headers, body).await.expect("an answer");
        assert_eq!(answer.status, 400, "{}", answer.text);
        assert!(answer.json()["error"].is_string(), "{}", answer.text);
    }
    let answer = browser.request("POST", "/api/games", &[kind], &long).await.expect("an answer");
    assert_eq!(
        (answer.status, answer.json()["error"].as_str()),
        (413, Some("That is too long: 4096 bytes are read at most."))
    );
    let name = json!({"name": "<script>alert(1)</script>\u{7}".repeat(9)});
    let id = browser.invite(&name).await.expect("names are text");
    let stored = server.store.game(id.parse().expect("an id")).await.expect("an answer").expect("the game");
    assert_eq!(stored.start.players[0].name(), "<script>alert(1)</script><script");
    let told = browser.get(&format!("/api/games/{id}")).await.expect("an answer");
    assert_eq!(told.header("content-type"), Some("application/json"));
    assert_eq!(told.header("x-content-type-options"), Some("nosniff"));
}
