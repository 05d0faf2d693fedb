//! Where links lead: the address in the QR code, and what differs behind a proxy with encryption.

use crownhead_server::online::{Limits, Site};
use crownhead_testkit::Browser;
use rqrr::PreparedImage;
use serde_json::json;

use crate::harness::{TestDatabase, TestServer};

/// What a telephone reads in the picture.
fn read(svg: &str) -> String {
    const MODULE: usize = 4;
    let size: usize = svg
        .split("viewBox=\"0 0 ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .map(|n| n.parse().expect("a size"))
        .expect("a box");
    let dark: Vec<(usize, usize)> = svg
        .split('M')
        .filter_map(|module| module.split_once("h1v1h-1z")?.0.split_once(' '))
        .map(|(x, y)| (x.parse().expect("a column"), y.parse().expect("a row")))
        .collect();
    let mut pixels = vec![255; size * size];
    for (x, y) in dark {
        pixels[y * size + x] = 0;
    }
    let mut picture = PreparedImage::prepare_from_greyscale(size * MODULE, size * MODULE, |x, y| {
        pixels[y / MODULE * size + x / MODULE]
    });
    let codes = picture.detect_grids();
    assert_eq!(codes.len(), 1, "{svg}");
    codes[0].decode().expect("a code that can be read").1
}

#[tokio::test]
async fn the_picture_leads_to_the_game_at_the_address_that_the_browser_uses() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let mut anna = server.browser();
    let id = anna.invite(&json!({})).await.expect("an invitation");
    let picture = anna.get(&format!("/api/games/{id}/qr")).await.expect("an answer");
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert_eq!(picture.header("strict-transport-security"), None, "there may be no https here");
    assert_eq!(read(&picture.text), format!("http://{}/game/{id}", server.address));
}

#[tokio::test]
async fn behind_a_proxy_the_picture_leads_to_the_proxy_and_the_cookie_goes_nowhere_else() {
    let origin = "https://checkers.example.org";
    let server =
        TestServer::fresh(Limits::default(), Site { origin: Some(origin.to_owned()), proxies: 1 }).await;
    let mut anna = server.browser();
    let headers = [("content-type", "application/json"), ("origin", origin)];
    let answer = anna.request("POST", "/api/games", &headers, "{}").await.expect("an answer");
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"));
    assert!(answer.header("set-cookie").is_some_and(|cookie| cookie.ends_with("; Secure")));
    let id = answer.json()["id"].as_str().expect("an id").to_owned();
    let picture = anna.get(&format!("/api/games/{id}/qr")).await.expect("an answer").text;
    assert_eq!(read(&picture), format!("{origin}/game/{id}"));
}

#[tokio::test]
async fn nothing_but_the_page_is_kept_in_a_cache() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (black, _white) = server.plain_pair().await;
    let game = format!("/api/games/{}", black.game_id);
    let mut anna = black.browser.clone();
    for path in [
        game.clone(),
        format!("{game}/pdn"),
        format!("{game}/qr"),
        format!("{game}/nothing"),
        "/api/games".to_owned(),
        "/api/openapi.json".to_owned(),
        "/api/tablebase".to_owned(),
        "/healthz".to_owned(),
        "/readyz".to_owned(),
        "/nothing".to_owned(),
    ] {
        let answer = anna.get(&path).await.expect("an answer");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
    let metrics = Browser::new(server.metrics).get("/metrics").await.expect("an answer");
    assert_eq!(metrics.header("cache-control"), Some("no-store"));
    assert_eq!(anna.get("/").await.expect("the page").header("cache-control"), Some("no-cache"));
}
