//! Flood of requests for games that do not exist.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context;
use crownhead_rules::Rng;
use crownhead_testkit::Browser;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::Target;

const CONNECTIONS: u64 = 8;
const TIME: Duration = Duration::from_secs(8);
/// The most requests on one connection.
const BOUND: usize = 100_000;
/// After the attack memory and rooms have this long to come back.
const REST: Duration = Duration::from_secs(10);
const MOST_MEMORY: f64 = 1.5;
/// Requests before the attack, so that the memory for a server's first responses does not count.
const WARM_UP: usize = 200;
const ID_LENGTH: usize = 22;
const NOT_FOUND: u16 = 404;
const TOO_MANY: u16 = 429;

/// Runs the attack and returns what went wrong.
pub(crate) async fn attack(target: &Target) -> anyhow::Result<Vec<String>> {
    let server = target.address();
    ask(server, Rng::new(u64::MAX), WARM_UP).await?;
    sleep(Duration::from_secs(1)).await;
    let (rooms_before, before) = (target.metric("rooms").await?, target.server.memory_kb()?);
    let mut tasks = JoinSet::new();
    for seed in 0..CONNECTIONS {
        tasks.spawn(ask(server, Rng::new(seed << 32), BOUND));
    }
    let (mut unknown, mut limited, mut other) = (0, 0, 0);
    while let Some(statuses) = tasks.join_next().await {
        for status in statuses?? {
            match status {
                NOT_FOUND => unknown += 1,
                TOO_MANY => limited += 1,
                _ => other += 1,
            }
        }
    }
    let (rooms, peak) = (target.metric("rooms").await.unwrap_or(f64::NAN), target.server.memory_kb()?);
    sleep(REST).await;
    let (after, is_alive) = (target.server.memory_kb()?, Browser::new(server).get("/healthz").await.is_ok());
    let rooms_after = target.metric("rooms").await.unwrap_or(f64::NAN);
    println!(
        "unknown games: {unknown} times 404, {limited} times 429, {other} times anything else; rooms {rooms_before}, then \
         {rooms}, {rooms_after} after {REST:?}; memory {before} KB, then {peak} KB, {after} KB after {REST:?}"
    );
    let mut failures = Vec::new();
    if other > 0 || !is_alive {
        failures.push(format!("unknown games: {other} strange answers"));
    }
    if after as f64 > before as f64 * MOST_MEMORY {
        failures.push(format!("unknown games: memory went from {before} to {after} KB"));
    }
    if rooms.max(rooms_after) > rooms_before + 1.0 {
        failures.push(format!("unknown games: {rooms} rooms"));
    }
    Ok(failures)
}

/// Sends requests on one connection, which is reopened if the server closes it.
async fn ask(server: SocketAddr, mut rng: Rng, bound: usize) -> anyhow::Result<Vec<u16>> {
    let (began, mut statuses) = (Instant::now(), Vec::new());
    let mut stream = None;
    while began.elapsed() < TIME && statuses.len() < bound {
        let mut open = match stream.take() {
            Some(open) => open,
            None => TcpStream::connect(server).await?,
        };
        let id: String = (0..ID_LENGTH).map(|_| char::from(b'a' + rng.below(26) as u8)).collect();
        if let Ok(status) = ask_one(&mut open, &id, server).await {
            statuses.push(status);
            stream = Some(open);
        } else {
            sleep(Duration::from_millis(10)).await;
        }
    }
    Ok(statuses)
}

async fn ask_one(stream: &mut TcpStream, id: &str, server: SocketAddr) -> anyhow::Result<u16> {
    stream.write_all(format!("GET /api/games/{id} HTTP/1.1\r\nhost: {server}\r\n\r\n").as_bytes()).await?;
    let mut text = Vec::new();
    let mut chunk = [0; 2_048];
    loop {
        let length = stream.read(&mut chunk).await?;
        anyhow::ensure!(length > 0, "closed");
        text.extend_from_slice(&chunk[..length]);
        let answer = String::from_utf8_lossy(&text).to_lowercase();
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).context("no length")?;
        if body.len() >= length.trim().parse()? {
            return Ok(head.split(' ').nth(1).context("no status")?.parse()?);
        }
    }
}
