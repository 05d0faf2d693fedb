//! Connections before they are a request: how many, for how long, and how they end.

use std::net::SocketAddr;
use std::time::Duration;

use crownhead_server::assets_version;
use crownhead_server::online::{Limits, Site};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::harness::TestServer;

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
    let server =
        TestServer::fresh(Limits { patience_seconds: 1, ..Limits::default() }, Site::default()).await;
    let mut streams = Vec::new();
    for text in ["", "GET /healthz HTTP/1.1\r\nhost: x\r\n"].repeat(20) {
        streams.push(said(server.address, text).await);
    }
    for stream in streams {
        assert_eq!(heard(stream).await, "");
    }
    let head =
        "POST /api/games HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    let answer = heard(said(server.address, head).await).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("The request did not come to its end in time; try again."), "{answer}");
    assert_eq!(server.browser().get("/healthz").await.expect("an answer").status, 200);
}

/// Waits until requests from this machine are answered again.
async fn answers_again(server: &TestServer) {
    let until_it_is_noticed = async {
        while server.browser().get("/healthz").await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, until_it_is_noticed).await.expect("there is room again");
}

/// A connection with more answers under way than all buffers hold, none of which is read.
async fn stalled(server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    let mut stream = socket.connect(server).await.expect("a connection");
    let request = format!("GET /v/{}/engine.wasm HTTP/1.1\r\nhost: x\r\n\r\n", assets_version());
    stream.write_all(request.repeat(50).as_bytes()).await.expect("sent");
    stream
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_is_cut_off() {
    let limits = Limits { sockets_per_address: 1, patience_seconds: 1, ..Limits::default() };
    let server = TestServer::fresh(limits, Site::default()).await;
    let _held = stalled(server.address).await;
    assert!(server.browser().get("/healthz").await.is_err(), "the only connection is taken");
    answers_again(&server).await;
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_its_whole_answer() {
    let server =
        TestServer::fresh(Limits { patience_seconds: 1, ..Limits::default() }, Site::default()).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("a small buffer");
    let mut stream = socket.connect(server.address).await.expect("a connection");
    let path = format!("/v/{}/engine.wasm", assets_version());
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let (mut piece, mut length) = (vec![0; 1 << 16], 0);
    // Longer than the patience altogether, though never at once.
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        length += stream.read(&mut piece).await.expect("a part");
    }
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.expect("the rest");
    let (_, size, _) = crownhead_server::embedded().find(|(found, ..)| *found == path).expect("the file");
    assert!(length + rest.len() > size, "{length} and {} of {size}", rest.len());
}

#[tokio::test]
async fn a_websocket_may_be_idle_for_longer_than_a_write_may_wait() {
    let server =
        TestServer::fresh(Limits { patience_seconds: 1, ..Limits::default() }, Site::default()).await;
    let (mut black, mut white) = server.plain_pair().await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    black.play("11-15").await.expect("a move");
    white.wait_for_records(2).await.expect("the move");
}

#[tokio::test]
async fn a_kept_connection_without_another_request_is_closed() {
    let server =
        TestServer::fresh(Limits { patience_seconds: 1, ..Limits::default() }, Site::default()).await;
    let answer = heard(said(server.address, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await).await;
    assert!(answer.ends_with("ok"), "{answer}");
}

/// Gets `/healthz` from another address of this machine.
#[cfg(target_os = "linux")]
async fn health_from(address: &str, server: SocketAddr) -> String {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::new(address.parse().expect("an address"), 0)).expect("ours");
    let mut stream = socket.connect(server).await.expect("a connection");
    let mut text = String::new();
    // It may be closed before or after the request is sent.
    let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let _ = timeout(PATIENCE, stream.read_to_string(&mut text)).await.expect("an answer or an end");
    text
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_address_does_not_take_all_connections() {
    let limits = Limits { sockets: 6, sockets_per_address: 3, ..Limits::default() };
    let server = TestServer::fresh(limits, Site::default()).await;
    let mut held = Vec::new();
    for _ in 0..10 {
        held.push(said(server.address, "").await);
    }
    assert!(health_from("127.0.0.2", server.address).await.ends_with("ok"));
    let metrics = server.metrics().await;
    assert!(metrics.contains("crownhead_refused_total{limit=\"sockets_per_address\"} 7\n"), "{metrics}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn connections_beyond_the_total_are_closed_at_once() {
    let limits = Limits { sockets: 2, ..Limits::default() };
    let server = TestServer::fresh(limits, Site { proxies: 1, ..Site::default() }).await;
    let held = [said(server.address, "").await, said(server.address, "").await];
    assert_eq!(health_from("127.0.0.2", server.address).await, "");
    let metrics = server.metrics().await;
    assert!(metrics.contains("crownhead_refused_total{limit=\"sockets\"} 1\n"), "{metrics}");
    drop(held);
    answers_again(&server).await;
}

#[tokio::test]
async fn an_address_has_so_many_connections_and_no_more() {
    let limits = Limits { sockets_per_address: 3, ..Limits::default() };
    let server = TestServer::fresh(limits.clone(), Site::default()).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(said(server.address, "").await);
    }
    // It may be closed before or after the request is sent.
    assert!(server.browser().get("/healthz").await.is_err());
    held.pop();
    answers_again(&server).await;

    // A proxy has one address for all.
    let server = TestServer::fresh(limits, Site { proxies: 1, ..Site::default() }).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(said(server.address, "").await);
    }
    assert_eq!(server.browser().get("/healthz").await.expect("an answer").status, 200);
}

#[tokio::test]
async fn an_address_starts_so_many_games_a_minute() {
    let limits = Limits { starts_per_minute: 3, ..Limits::default() };
    let server = TestServer::fresh(limits, Site { proxies: 1, ..Site::default() }).await;
    let id = server.browser().invite(&json!({})).await.expect("an invitation");
    server.browser().invite(&json!({})).await.expect("another");
    server.browser().join(&id).await.expect("a seat");
    let too_fast = "Your network address starts games too fast; try again in a minute.";
    for path in ["/api/games".to_owned(), format!("/api/games/{id}/join")] {
        let answer = server.browser().post(&path, &json!({})).await.expect("an answer");
        assert_eq!((answer.status, answer.json()["error"].as_str()), (429, Some(too_fast)), "{path}");
        let wait: u32 = answer.header("retry-after").expect("a time").parse().expect("seconds");
        assert!((1..=20).contains(&wait), "{wait}");
    }
    let headers = [("content-type", "application/json"), ("x-forwarded-for", "9.9.9.9")];
    let other = server.browser().request("POST", "/api/games", &headers, "{}").await.expect("an answer");
    assert_eq!(other.status, 201, "others are not held up");
}
