//! Invitations that are taken back: by whom, until when, and what becomes of those who wait.

use crownhead_server::online::Limits;
use crownhead_testkit::{Browser, GameClient, Response};
use serde_json::{Value, json};

use crate::harness::{TestDatabase, TestServer, on_both};
use crate::rights::{TURNED_AWAY, last_words};

const WITHDRAWN: &str = "The invitation was withdrawn before anybody joined.";

async fn withdraw(browser: &mut Browser, id: &str) -> Response {
    browser.request("DELETE", &format!("/api/games/{id}"), &[], "").await.expect("an answer")
}

/// What those who wait are told. A page that does not know such words yet still shows the sentence.
fn withdrawn() -> Value {
    json!({"v": 1, "type": "error", "error": WITHDRAWN, "withdrawn": true})
}

/// An answer that is a refusal, and why.
fn why(answer: &Response) -> (u16, Value) {
    (answer.status, answer.json()["error"].clone())
}

on_both! {
    async fn who_invited_can_withdraw_and_all_who_wait_are_told(server: TestServer) {
        let mut anna = server.browser();
        let id = anna.invite(&json!({"name": "Anna"})).await.expect("an invitation");
        let mut inviter = GameClient::new(anna.clone(), &id, "a");
        let mut friend = GameClient::new(server.browser(), &id, "f");
        inviter.connect().await.expect("a connection");
        friend.connect().await.expect("a connection");
        let answer = withdraw(&mut anna, &id).await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""));
        for guest in [&mut inviter, &mut friend] {
            let (told, closed) = last_words(guest).await;
            assert_eq!((told, closed), (withdrawn(), Some(TURNED_AWAY)));
        }
        assert_eq!(anna.get("/api/games").await.expect("an answer").json(), json!([]));
        assert_eq!(withdraw(&mut anna, &id).await.status, 204, "asking again changes nothing");
    }

    async fn a_link_that_is_opened_late_tells_that_it_was_withdrawn(server: TestServer) {
        let (mut anna, mut ben) = (server.browser(), server.browser());
        let id = anna.invite(&json!({})).await.expect("an invitation");
        assert_eq!(withdraw(&mut anna, &id).await.status, 204);
        // Also by a server that was not there.
        let server = server.again(Limits::default()).await;
        ben.server = server.address;
        for path in ["", "/pdn", "/qr"] {
            let answer = ben.get(&format!("/api/games/{id}{path}")).await.expect("an answer");
            assert_eq!(why(&answer), (410, json!(WITHDRAWN)), "{path}");
        }
        let joined = ben.post(&format!("/api/games/{id}/join"), &json!({})).await.expect("an answer");
        assert_eq!(why(&joined), (410, json!(WITHDRAWN)));
        let mut friend = GameClient::new(ben, &id, "f");
        let error = friend.connect().await.expect_err("no game").to_string();
        assert!(error.contains(WITHDRAWN), "{error}");
        assert_eq!(last_words(&mut friend).await.1, Some(TURNED_AWAY));
    }

    async fn nobody_else_can_withdraw_and_nobody_once_it_is_joined(server: TestServer) {
        let (mut anna, mut ben, mut eve) = (server.browser(), server.browser(), server.browser());
        let id = anna.invite(&json!({})).await.expect("an invitation");
        let not_theirs = (403, json!("Only the one who invited can withdraw the invitation."));
        assert_eq!(why(&withdraw(&mut eve, &id).await), not_theirs);
        eve.get(&format!("/api/games/{id}")).await.expect("a cookie");
        assert_eq!(why(&withdraw(&mut eve, &id).await), not_theirs);
        ben.join(&id).await.expect("it still stands");
        let too_late = (409, json!("Somebody has joined, so the invitation cannot be withdrawn any more."));
        assert_eq!(why(&withdraw(&mut anna, &id).await), too_late);
        assert_eq!(why(&withdraw(&mut ben, &id).await), not_theirs);
        assert_eq!(server.store_events(&id).await, 1);
    }

    async fn of_joining_and_withdrawing_at_once_one_succeeds_and_all_agree(server: TestServer) {
        for _ in 0..10 {
            let (mut anna, mut ben) = (server.browser(), server.browser());
            let id = anna.invite(&json!({})).await.expect("an invitation");
            let (path, guest) = (format!("/api/games/{id}/join"), json!({}));
            let (joined, withdrawn) = tokio::join!(ben.post(&path, &guest), withdraw(&mut anna, &id));
            let statuses = (joined.expect("an answer").status, withdrawn.status);
            assert!(matches!(statuses, (200, 409) | (410, 204)), "{statuses:?}");
            let seen = anna.get(&format!("/api/games/{id}")).await.expect("an answer").status;
            assert_eq!(seen, if statuses.0 == 200 { 200 } else { 410 });
        }
    }
}

#[tokio::test]
async fn what_is_no_game_cannot_be_withdrawn_nor_by_another_site() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let mut anna = server.browser();
    for id in ["nothing", "0123456789012345678901"] {
        assert_eq!(withdraw(&mut anna, id).await.status, 404, "{id}");
    }
    let id = anna.invite(&json!({})).await.expect("an invitation");
    let evil = [("origin", "https://evil.example")];
    let answer = anna.request("DELETE", &format!("/api/games/{id}"), &evil, "").await.expect("an answer");
    assert_eq!(answer.status, 403);
    assert_eq!(anna.get(&format!("/api/games/{id}")).await.expect("an answer").status, 200);
}

#[tokio::test]
async fn who_waits_is_told_of_the_withdrawal_also_if_the_game_can_no_longer_be_read() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let mut anna = server.browser();
    let id = anna.invite(&json!({})).await.expect("an invitation");
    let mut friend = GameClient::new(server.browser(), &id, "f");
    friend.connect().await.expect("a connection");
    let spoil = "CREATE TRIGGER spoil AFTER INSERT ON events BEGIN UPDATE games SET start = 'spoiled'; END";
    server.database.connect().await.execute(spoil).await;
    assert_eq!(withdraw(&mut anna, &id).await.status, 204);
    assert_eq!(last_words(&mut friend).await, (withdrawn(), Some(TURNED_AWAY)));
}

#[tokio::test]
async fn what_is_withdrawn_at_one_server_is_told_at_the_other() {
    let one = TestServer::new(TestDatabase::postgres()).await;
    let two = TestServer::with(one.database.clone(), one.clock.clone(), Limits::default()).await;
    let mut anna = one.browser();
    let id = anna.invite(&json!({})).await.expect("an invitation");
    let mut friend = GameClient::new(two.browser(), &id, "f");
    friend.connect().await.expect("a connection");
    assert_eq!(withdraw(&mut anna, &id).await.status, 204);
    assert_eq!(last_words(&mut friend).await.0, withdrawn());
}

#[tokio::test]
async fn who_joins_at_a_server_that_has_not_heard_of_the_withdrawal_is_told() {
    let one = TestServer::new(TestDatabase::sqlite()).await;
    let two = TestServer::with(one.database.with_another_name(), one.clock.clone(), Limits::default()).await;
    let (mut anna, mut ben) = (one.browser(), two.browser());
    let id = anna.invite(&json!({})).await.expect("an invitation");
    assert_eq!(ben.get(&format!("/api/games/{id}")).await.expect("an answer").status, 200);
    assert_eq!(withdraw(&mut anna, &id).await.status, 204);
    let joined = ben.post(&format!("/api/games/{id}/join"), &json!({})).await.expect("an answer");
    assert_eq!(why(&joined), (410, json!(WITHDRAWN)));
}

#[tokio::test]
async fn the_description_of_the_api_has_the_phases_that_answers_have() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let described = server.browser().get("/api/openapi.json").await.expect("an answer").json();
    assert_eq!(described["components"]["schemas"]["Phase"]["enum"], json!(["waiting", "playing", "over"]));
}
