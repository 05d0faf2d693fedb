//! Connections before they are a request: how many, for how long, and how they end.

use std::net::SocketAddr;
use std::time::Duration;

use crownhead_server::online::{Limits, Site};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::house::House;

/// What has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection that has sent this and nothing else.
async fn said(server: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server).await.expect("a connection");
    stream.write_all(text.as_bytes()).await.expect("sent");
    stream
}

/// All that comes until the server closes.
async fn heard(mut stream: TcpStream) -> String {
    let mut text = String::new();
    let read = timeout(PATIENCE, stream.read_to_string(&mut text)).await.expect("the server closes");
    read.expect("without a reset");
    text
}

#[tokio::test]
async fn requests_that_are_never_sent_whole_do_not_keep_a_connection() {
    let house = House::fresh(Limits { patience_seconds: 1, ..Limits::default() }, Site::default()).await;
    let mut streams = Vec::new();
    for text in ["", "GET /healthz HTTP/1.1\r\nhost: x\r\n"].repeat(20) {
        streams.push(said(house.server, text).await);
    }
    for stream in streams {
        assert_eq!(heard(stream).await, "");
    }
    let head =
        "POST /api/games HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    let answer = heard(said(house.server, head).await).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("The request did not come to its end in time; try again."), "{answer}");
    assert_eq!(house.browser().get("/healthz").await.expect("an answer").status, 200);
}

#[tokio::test]
async fn an_address_has_so_many_connections_and_no_more() {
    let limits = Limits { sockets_per_address: 3, ..Limits::default() };
    let house = House::fresh(limits.clone(), Site::default()).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(said(house.server, "").await);
    }
    // It may be closed before or after the request is sent.
    assert!(house.browser().get("/healthz").await.is_err());
    held.pop();
    let until_it_is_noticed = async {
        while house.browser().get("/healthz").await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, until_it_is_noticed).await.expect("there is room again");

    // A proxy has one address for all.
    let house = House::fresh(limits, Site { behind_proxy: true, ..Site::default() }).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(said(house.server, "").await);
    }
    assert_eq!(house.browser().get("/healthz").await.expect("an answer").status, 200);
}

#[tokio::test]
async fn an_address_starts_so_many_games_a_minute() {
    let limits = Limits { starts_per_minute: 3, ..Limits::default() };
    let house = House::fresh(limits, Site { behind_proxy: true, ..Site::default() }).await;
    let id = house.browser().invite(&json!({})).await.expect("an invitation");
    house.browser().invite(&json!({})).await.expect("another");
    house.browser().join(&id).await.expect("a seat");
    let too_fast = "Your network address starts games too fast; try again in a minute.";
    for path in ["/api/games".to_owned(), format!("/api/games/{id}/join")] {
        let answer = house.browser().post(&path, &json!({})).await.expect("an answer");
        assert_eq!((answer.status, answer.json()["error"].as_str()), (429, Some(too_fast)), "{path}");
    }
    let headers = [("content-type", "application/json"), ("x-forwarded-for", "9.9.9.9")];
    let other = house.browser().request("POST", "/api/games", &headers, "{}").await.expect("an answer");
    assert_eq!(other.status, 201, "others are not held up");
}
