//! A TCP proxy with the faults of a bad network: it delays, cuts, delivers what was sent before a cut only after the
//! next connection was made, and duplicates some connections.

use std::net::SocketAddr;
use std::time::Duration;

use crownhead_rules::Rng;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::net::{TcpListener, TcpStream};

/// Each chunk is delayed by less than this.
const MAX_DELAY_MS: u64 = 15;
/// How much later the last chunk before a cut is delivered.
const LATE: Duration = Duration::from_millis(150);
/// A connection is cut after at most this many chunks.
const MAX_CHUNKS: u64 = 24;
const CHUNK_BYTES: usize = 4_096;

/// A proxy in front of a server. It ends with the runtime.
#[derive(Clone, Copy, Debug)]
pub struct FaultyProxy {
    /// Where it listens.
    pub address: SocketAddr,
}

impl FaultyProxy {
    /// Starts a proxy. The seed decides all delays, cuts and duplicates.
    ///
    /// # Errors
    /// If there is no free port.
    pub async fn start(server: SocketAddr, seed: u64) -> anyhow::Result<FaultyProxy> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move {
            let mut rng = Rng::new(seed);
            while let Ok((client, _)) = listener.accept().await {
                let rng = Rng::new(rng.next_u64());
                // Broken connections are the purpose of this proxy.
                tokio::spawn(async move { forward(client, server, rng).await.ok() });
            }
        });
        Ok(FaultyProxy { address })
    }
}

async fn forward(client: TcpStream, server: SocketAddr, mut rng: Rng) -> std::io::Result<()> {
    let upstream = TcpStream::connect(server).await?;
    let duplicate = if rng.below(4) == 0 { Some(TcpStream::connect(server).await?) } else { None };
    let (from_client, to_client) = split(client);
    let (from_server, to_server) = split(upstream);
    let (up, down) = (Rng::new(rng.next_u64()), Rng::new(rng.next_u64()));
    tokio::select! {
        done = forward_up(from_client, to_server, duplicate, up) => done,
        done = forward_down(from_server, to_client, down) => done,
    }
}

/// From the client to the server and to the duplicate connection.
async fn forward_up(
    mut from: ReadHalf<TcpStream>,
    mut to: WriteHalf<TcpStream>,
    mut duplicate: Option<TcpStream>,
    mut rng: Rng,
) -> std::io::Result<()> {
    let mut chunk = vec![0; CHUNK_BYTES];
    for _ in 0..=rng.below(MAX_CHUNKS) {
        let length = from.read(&mut chunk).await?;
        if length == 0 {
            return Ok(());
        }
        delay(&mut rng).await;
        if let Some(duplicate) = &mut duplicate {
            let _ = duplicate.write_all(&chunk[..length]).await;
        }
        to.write_all(&chunk[..length]).await?;
    }
    // The last chunk is delivered when the client has long given up and connected again.
    let length = from.read(&mut chunk).await?;
    tokio::spawn(async move {
        tokio::time::sleep(LATE).await;
        let _ = to.write_all(&chunk[..length]).await;
        tokio::time::sleep(LATE).await;
    });
    Ok(())
}

/// From the server to the client.
async fn forward_down(
    mut from: ReadHalf<TcpStream>,
    mut to: WriteHalf<TcpStream>,
    mut rng: Rng,
) -> std::io::Result<()> {
    let mut chunk = vec![0; CHUNK_BYTES];
    for _ in 0..=2 * rng.below(MAX_CHUNKS) {
        let length = from.read(&mut chunk).await?;
        if length == 0 {
            return Ok(());
        }
        delay(&mut rng).await;
        to.write_all(&chunk[..length]).await?;
    }
    Ok(())
}

async fn delay(rng: &mut Rng) {
    tokio::time::sleep(Duration::from_millis(rng.below(MAX_DELAY_MS))).await;
}
