//! Flood of sockets from one address that request the largest file and never read it, while another asks for
//! `/healthz`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use crownhead_testkit::Browser;
use futures_util::FutureExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest, Ready};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::Target;

/// More than there are descriptors.
const SOCKETS: usize = 1_040;
/// Pipelined requests on each socket, so that the responses do not fit into the buffers of the system.
const REQUESTS: usize = 8;
/// For how long the other address must be served.
const TIME: Duration = Duration::from_secs(60);
/// How soon each response must arrive.
const LONGEST: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(250);
/// Sockets that the server closes are opened again, this many in each pause and in all.
const AGAIN: usize = 50;
const MOST_AGAIN: usize = 10_000;
/// The less the system buffers, the more the server has to hold.
const BUFFER_BYTES: u32 = 4_096;
const ATTACKER: Ipv4Addr = Ipv4Addr::LOCALHOST;
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Runs the attack and returns what went wrong.
pub(crate) async fn attack(target: &Target) -> anyhow::Result<Vec<String>> {
    let server = target.address();
    let page = Browser::new(server).get("/").await?.text;
    let file = page.split('"').find(|text| text.ends_with("game.wasm")).context("the page names no wasm")?;
    let request = format!("GET /{} HTTP/1.1\r\nhost: {server}\r\n\r\n", file.trim_start_matches(['.', '/']));
    let request = request.repeat(REQUESTS);
    ensure!(health(server).await?, "not healthy before the attack");

    let mut held = Vec::new();
    // Connections that the server does not accept look open from here.
    for _ in 0..SOCKETS {
        held.extend(open(server, &request).await.ok());
    }
    let opened = held.len();
    let (began, mut again) = (Instant::now(), 0);
    let (mut asked, mut late, mut longest) = (0, 0, Duration::ZERO);
    while began.elapsed() < TIME {
        let sent = Instant::now();
        let is_healthy = timeout(LONGEST, health(server)).await.is_ok_and(|healthy| healthy.unwrap_or(false));
        asked += 1;
        late += usize::from(!is_healthy);
        longest = longest.max(sent.elapsed());
        held.retain(|stream| !is_closed(stream));
        for _ in 0..(SOCKETS - held.len()).min(AGAIN).min(MOST_AGAIN - again) {
            again += 1;
            held.extend(timeout(PAUSE, open(server, &request)).await.ok().and_then(Result::ok));
        }
        sleep(PAUSE).await;
    }
    println!(
        "sockets: {opened} of {SOCKETS} opened, {again} opened again, {} open at the end; /healthz of another address: \
         {late} of {asked} not answered within {LONGEST:?}, longest {longest:.2?}",
        held.len(),
    );
    Ok(if late > 0 { vec![format!("sockets: {late} answers were late")] } else { Vec::new() })
}

async fn open(server: SocketAddr, request: &str) -> anyhow::Result<TcpStream> {
    let mut stream = connect(server, ATTACKER).await?;
    stream.write_all(request.as_bytes()).await?;
    Ok(stream)
}

async fn connect(server: SocketAddr, from: Ipv4Addr) -> anyhow::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(BUFFER_BYTES)?;
    socket.bind(SocketAddr::new(IpAddr::V4(from), 0))?;
    Ok(socket.connect(server).await?)
}

/// Has the server closed the connection? The data that it sent stays unread.
fn is_closed(stream: &TcpStream) -> bool {
    let ready = stream.ready(Interest::READABLE).now_or_never();
    ready.is_some_and(|ready| ready.map_or(true, Ready::is_read_closed))
}

/// Requests `/healthz` from another address.
async fn health(server: SocketAddr) -> anyhow::Result<bool> {
    let mut stream = connect(server, OTHER).await?;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer.starts_with("HTTP/1.1 200"))
}
