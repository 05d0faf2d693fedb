//! A bare WebSocket echo server, as a baseline of what the library and the machine allow.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::Context;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use crate::Latencies;
use crate::load::PACE;
use crownhead_rules::Rng;

const MESSAGE: &str = "a message as long as a move is, with all that belongs to it";

/// Echoes every message, until it is killed.
///
/// # Errors
/// If there is no free port.
pub async fn serve() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    let answer = async |upgrade: WebSocketUpgrade| {
        upgrade.on_upgrade(async |mut socket| {
            while let Some(Ok(message)) = socket.recv().await {
                if socket.send(message).await.is_err() {
                    return;
                }
            }
        })
    };
    Ok(axum::serve(listener, Router::new().route("/", get(answer))).await?)
}

/// Measures the round trips of messages, with one message per second on each connection.
///
/// # Errors
/// If a connection is lost.
pub async fn measure(server: SocketAddr, connections: usize, seconds: usize) -> anyhow::Result<Latencies> {
    let mut tasks = JoinSet::new();
    for n in 0..connections {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let (mut socket, _) = client_async(format!("ws://{server}/"), stream).await?;
        tasks.spawn(async move {
            let mut latencies = Vec::new();
            tokio::time::sleep(PACE.mul_f64(Rng::new(n as u64).below(1_000) as f64 / 1_000.0)).await;
            let mut pace = tokio::time::interval(PACE);
            for _ in 0..seconds {
                pace.tick().await;
                let sent = Instant::now();
                socket.send(Message::text(MESSAGE)).await?;
                socket.next().await.context("lost")??;
                latencies.push(sent.elapsed());
            }
            anyhow::Ok(latencies)
        });
    }
    Latencies::of(tasks).await
}
