//! Many games at once on a server of our own, on this machine only: how long a move takes to the other player, and how
//! much memory a game takes. Beside it, in the same run, a bare echo over a WebSocket.
//!
//! `load PROGRAM [GAMES] [SECONDS] [IDLE]`: games at once with a move a second each, and idle connections to hold.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command as Process, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::get;
use crownhead_game::Command;
use crownhead_guests::{Browser, Guest, Lottery};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

/// A move a second in each game.
const PACE: Duration = Duration::from_secs(1);
/// So many connect at the same time.
const AT_ONCE: usize = 32;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().context("give the program, or `echo`")?;
    if program == "echo" {
        return echo_server().await;
    }
    let mut number = |otherwise| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (games, seconds, idle): (usize, usize, usize) = (number(1_000), number(20), number(5_000));
    let data = tempfile::tempdir()?;
    let (mut server, address) = start(
        Process::new(&program)
            .args(["serve", "--no-open", "--port", "0", "--max-games-per-address", "1000000"])
            .args([
                "--max-connections-per-address",
                "1000000",
                "--max-connections-per-game",
                "100000",
                "--data",
            ])
            .arg(data.path()),
    )?;
    let empty = memory_kb(&server)?;
    let pairs = open(address, games).await?;
    let open = memory_kb(&server)?;
    let per_game = (open - empty) as f64 / games as f64;
    println!(
        "{games} idle games with two connections each: {per_game:.1} KB a game ({empty} KB before, {open} KB after)"
    );
    report("crownhead, move to the other player's socket", play(pairs, seconds).await?);
    let watchers = watch(address, idle).await?;
    println!("{} idle connections held, {} KB in all", watchers.len(), memory_kb(&server)?);
    drop(watchers);
    server.kill()?;
    server.wait()?;
    let (mut server, address) = start(Process::new(std::env::current_exe()?).arg("echo"))?;
    report("bare axum echo, there and back", echo(address, games, seconds).await?);
    server.kill()?;
    server.wait()?;
    Ok(())
}

/// Starts a server that prints its address on its first line.
fn start(command: &mut Process) -> anyhow::Result<(Child, SocketAddr)> {
    let mut server = command.stdout(Stdio::piped()).spawn().context("cannot start the server")?;
    let mut line = String::new();
    BufReader::new(server.stdout.take().context("no output")?).read_line(&mut line)?;
    let address =
        line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).context("no address")?;
    Ok((server, address.parse()?))
}

fn memory_kb(server: &Child) -> anyhow::Result<i64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}

/// Pairs of players who have begun a game, Black first.
async fn open(server: SocketAddr, games: usize) -> anyhow::Result<Vec<(Guest, Guest)>> {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = JoinSet::new();
    for _ in 0..games {
        let permits = permits.clone();
        tasks.spawn(async move {
            let _permit = permits.acquire().await?;
            let (mut anna, mut ben) = (Browser::new(server), Browser::new(server));
            let id = anna.invite(&json!({"colour": "black"})).await?;
            ben.join(&id).await?;
            let (mut black, mut white) = (Guest::new(anna, &id, "a"), Guest::new(ben, &id, "b"));
            black.connect().await?;
            white.connect().await?;
            anyhow::Ok((black, white))
        });
    }
    let mut pairs = Vec::new();
    while let Some(pair) = tasks.join_next().await {
        pairs.push(pair??);
    }
    Ok(pairs)
}

/// How long each move took from being sent to the other player's socket.
async fn play(pairs: Vec<(Guest, Guest)>, seconds: usize) -> anyhow::Result<Vec<Duration>> {
    let mut tasks = JoinSet::new();
    for (n, (mut mover, mut other)) in pairs.into_iter().enumerate() {
        tasks.spawn(async move {
            let mut lottery = Lottery::new(n as u64);
            let mut times = Vec::new();
            tokio::time::sleep(PACE.mul_f64(lottery.below(1_000) as f64 / 1_000.0)).await;
            let mut pace = tokio::time::interval(PACE);
            for _ in 0..seconds {
                pace.tick().await;
                let game = mover.game.as_ref().context("not started")?;
                if game.outcome().is_some() {
                    break;
                }
                let moves = game.history().position().moves();
                let text = moves[lottery.below(moves.len())].to_string();
                let sent = Instant::now();
                let id = mover.send(Command::Move { text }).await.ok().context("lost")?;
                other.reach(mover.log.len() + 1).await?;
                times.push(sent.elapsed());
                mover.answered(&id).await?;
                other.reach(mover.log.len()).await?;
                std::mem::swap(&mut mover, &mut other);
            }
            anyhow::Ok(times)
        });
    }
    gathered(tasks).await
}

/// So many who watch one game and say nothing.
async fn watch(server: SocketAddr, watchers: usize) -> anyhow::Result<Vec<Guest>> {
    let mut host = Browser::new(server);
    let mut all = Vec::new();
    let mut id = String::new();
    for n in 0..watchers {
        // Ten to a game, so that word of who comes does not drown everything else.
        if n % 10 == 0 {
            id = host.invite(&json!({})).await.or_else(|_| anyhow::Ok(id))?;
        }
        let mut watcher = Guest::new(Browser::new(server), &id, "w");
        watcher.connect().await?;
        all.push(watcher);
    }
    Ok(all)
}

async fn echo_server() -> anyhow::Result<()> {
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

async fn echo(server: SocketAddr, connections: usize, seconds: usize) -> anyhow::Result<Vec<Duration>> {
    let mut tasks = JoinSet::new();
    for n in 0..connections {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let (mut socket, _) = client_async(format!("ws://{server}/"), stream).await?;
        tasks.spawn(async move {
            let mut times = Vec::new();
            tokio::time::sleep(PACE.mul_f64(Lottery::new(n as u64).below(1_000) as f64 / 1_000.0)).await;
            let mut pace = tokio::time::interval(PACE);
            for _ in 0..seconds {
                pace.tick().await;
                let sent = Instant::now();
                socket
                    .send(Message::text("a message as long as a move is, with all that belongs to it"))
                    .await?;
                socket.next().await.context("lost")??;
                times.push(sent.elapsed());
            }
            anyhow::Ok(times)
        });
    }
    gathered(tasks).await
}

async fn gathered(mut tasks: JoinSet<anyhow::Result<Vec<Duration>>>) -> anyhow::Result<Vec<Duration>> {
    let mut all = Vec::new();
    while let Some(times) = tasks.join_next().await {
        all.extend(times??);
    }
    Ok(all)
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: f64| times.get(((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1)));
    let millis = |part| at(part).map_or(0.0, |time| time.as_secs_f64() * 1_000.0);
    println!(
        "{what}: {} samples, median {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        times.len(),
        millis(0.5),
        millis(0.99),
        millis(1.0)
    );
}
