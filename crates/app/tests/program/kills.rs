//! A server that is killed at any moment loses nothing that it acknowledged, and plays nothing twice.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crownhead_rules::Rng;
use crownhead_testkit::{Postgres, play_random_game};
use tokio::task::JoinSet;

/// Games that are played at the same time.
const TABLES: usize = 8;
/// A server lives so long at most before it is killed.
const LIFE_MS: u64 = 400;

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn killed_servers_on_sqlite_lose_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_str().expect("a plain name");
    killed_again_and_again(&["--data", folder], 1);
}

#[test]
fn killed_servers_on_postgres_lose_nothing() {
    let address = Postgres::shared().database();
    killed_again_and_again(&["--database", &address], 2);
}

#[tokio::main]
async fn killed_again_and_again(database: &[&str], seed: u64) {
    let kills = number("CROWNHEAD_SERVER_KILLS", 5);
    let seed = seed + number("CROWNHEAD_SEED", 0) as u64;
    println!("seed {seed}");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port");
    let end = Arc::new(AtomicBool::new(false));
    let games = Arc::new(AtomicUsize::new(0));
    let mut server = start(port, database);
    let mut tables = JoinSet::new();
    for table in 0..TABLES {
        let (end, games) = (end.clone(), games.clone());
        tables.spawn(async move {
            let mut rng = Rng::new(seed << 32 | table as u64);
            while !end.load(Ordering::Relaxed) {
                play_random_game([port; 2], port, &mut rng).await.expect("nothing lost, nothing twice");
                games.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let mut rng = Rng::new(seed);
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(rng.below(LIFE_MS))).await;
        server.kill().expect("it runs");
        server.wait().expect("it is gone");
        server = start(port, database);
    }
    end.store(true, Ordering::Relaxed);
    while let Some(table) = tables.join_next().await {
        table.expect("a game that ended rightly");
    }
    server.kill().expect("it runs");
    server.wait().expect("it is gone");
    println!("{kills} kills, {} games, nothing lost, nothing played twice", games.load(Ordering::Relaxed));
}

/// A server that is ready.
fn start(port: SocketAddr, database: &[&str]) -> Child {
    let mut server = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args([
            "serve",
            "--no-open",
            "--port",
            &port.port().to_string(),
            "--max-games-per-address",
            "1000000",
        ])
        .args(["--max-messages-per-second", "1000000", "--max-starts-per-minute", "1000000"])
        .args(["--max-requests-per-second", "1000000", "--max-connections-per-minute", "1000000"])
        .args(["--max-games-per-address-per-day", "1000000", "--max-rematches-per-minute", "1000000"])
        .args(database)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("Crownhead is at"), "{line}");
    server
}
