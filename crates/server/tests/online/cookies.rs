//! Cookies: what the server issues, what it accepts, and what it replaces.

use crownhead_server::online::{Limits, Site};
use crownhead_testkit::Browser;
use serde_json::json;

use crate::harness::{TestDatabase, TestServer};

/// A secret has this many characters; the rest of the cookie is its signature.
const SECRET: usize = 22;

/// The name and the value of a browser's cookie.
fn cookie(browser: &Browser) -> (String, String) {
    let cookie = browser.cookie.clone().expect("a cookie");
    let (name, value) = cookie.split_once('=').expect("a value");
    (name.to_owned(), value.to_owned())
}

async fn secure_server() -> TestServer {
    let origin = Some("https://checkers.example.org".to_owned());
    TestServer::fresh(Limits::default(), Site { origin, proxies: 1 }).await
}

/// How many games the server lists for this browser.
async fn games(browser: &mut Browser) -> usize {
    browser.get("/api/games").await.expect("an answer").json().as_array().expect("a list").len()
}

#[tokio::test]
async fn a_cookie_is_bound_to_the_host_behind_https_and_plain_elsewhere() {
    for (server, expected) in [
        (TestServer::new(TestDatabase::sqlite()).await, "crownhead"),
        (secure_server().await, "__Host-crownhead"),
    ] {
        let mut anna = server.browser();
        let answer = anna.post("/api/games", &json!({})).await.expect("an answer");
        let (name, value) = cookie(&anna);
        assert_eq!((name.as_str(), value.len()), (expected, 54));
        let is_secure = answer.header("set-cookie").is_some_and(|cookie| cookie.ends_with("; Secure"));
        assert_eq!(is_secure, expected.starts_with("__Host-"));
        assert_eq!(games(&mut anna).await, 1);
        assert_eq!(cookie(&anna).1, value, "it is not renewed without a reason");
    }
}

#[tokio::test]
async fn a_value_that_the_server_did_not_issue_is_replaced() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let chosen = "A".repeat(SECRET);
    for value in [chosen.clone(), chosen.clone() + &"0".repeat(32), "nonsense".to_owned()] {
        let mut eve = server.browser();
        eve.cookie = Some(format!("crownhead={value}"));
        eve.invite(&json!({})).await.expect("an invitation");
        assert!(!cookie(&eve).1.starts_with(&chosen), "{value}");
        assert_eq!(games(&mut eve).await, 1);
        eve.cookie = Some(format!("crownhead={value}"));
        assert_eq!(games(&mut eve).await, 0, "nothing is stored for what Eve chose");
    }
}

#[tokio::test]
async fn a_cookie_of_an_earlier_version_is_read_and_renewed_if_it_has_a_seat() {
    for server in [TestServer::new(TestDatabase::sqlite()).await, secure_server().await] {
        let mut anna = server.browser();
        anna.invite(&json!({})).await.expect("an invitation");
        let (name, value) = cookie(&anna);
        anna.cookie = Some(format!("crownhead={}", &value[..SECRET]));
        assert_eq!(games(&mut anna).await, 1);
        assert_eq!(cookie(&anna), (name, value), "the same secret in the new form");
    }
}

#[tokio::test]
async fn a_seat_survives_the_loss_of_the_key() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let mut anna = server.browser();
    anna.invite(&json!({})).await.expect("an invitation");
    let (name, value) = cookie(&anna);
    anna.cookie = Some(format!("{name}={}{}", &value[..SECRET], "0".repeat(32)));
    assert_eq!(games(&mut anna).await, 1);
    assert_eq!(cookie(&anna), (name, value));
}
