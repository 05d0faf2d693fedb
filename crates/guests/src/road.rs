//! A bad road to a server: it delays, cuts, delivers what was sent before a cut only after the next connection has come,
//! and drives some connections twice.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::net::{TcpListener, TcpStream};

use crate::Lottery;

/// A piece is held up for so long at most.
const DELAY_MS: usize = 15;
/// What is late comes so much later.
const LATE: Duration = Duration::from_millis(150);
/// A connection is cut after so many pieces at most.
const PIECES: usize = 24;

/// Starts to take connections and gives the address to go to.
///
/// # Errors
/// If there is no free port.
pub async fn bad_road(server: SocketAddr, seed: u64) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        let mut lottery = Lottery::new(seed);
        while let Ok((client, _)) = listener.accept().await {
            let lottery = Lottery::new(lottery.draw());
            // A connection that breaks is what this is for.
            tokio::spawn(async move { carry(client, server, lottery).await.ok() });
        }
    });
    Ok(address)
}

async fn carry(client: TcpStream, server: SocketAddr, mut lottery: Lottery) -> std::io::Result<()> {
    let upstream = TcpStream::connect(server).await?;
    let twin = if lottery.below(4) == 0 { Some(TcpStream::connect(server).await?) } else { None };
    let (from_client, to_client) = split(client);
    let (from_server, to_server) = split(upstream);
    let (up, down) = (Lottery::new(lottery.draw()), Lottery::new(lottery.draw()));
    tokio::select! {
        done = there(from_client, to_server, twin, up) => done,
        done = back(from_server, to_client, down) => done,
    }
}

/// From the client to the server, and to its twin.
async fn there(
    mut from: ReadHalf<TcpStream>,
    mut to: WriteHalf<TcpStream>,
    mut twin: Option<TcpStream>,
    mut lottery: Lottery,
) -> std::io::Result<()> {
    let mut piece = vec![0; 4_096];
    for _ in 0..=lottery.below(PIECES) {
        let length = from.read(&mut piece).await?;
        if length == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(lottery.below(DELAY_MS) as u64)).await;
        if let Some(twin) = &mut twin {
            let _ = twin.write_all(&piece[..length]).await;
        }
        to.write_all(&piece[..length]).await?;
    }
    // The last piece is delivered when the client has long given up and come by another way.
    let length = from.read(&mut piece).await?;
    tokio::spawn(async move {
        tokio::time::sleep(LATE).await;
        let _ = to.write_all(&piece[..length]).await;
        tokio::time::sleep(LATE).await;
    });
    Ok(())
}

/// From the server to the client.
async fn back(
    mut from: ReadHalf<TcpStream>,
    mut to: WriteHalf<TcpStream>,
    mut lottery: Lottery,
) -> std::io::Result<()> {
    let mut piece = vec![0; 4_096];
    for _ in 0..=2 * lottery.below(PIECES) {
        let length = from.read(&mut piece).await?;
        if length == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(lottery.below(DELAY_MS) as u64)).await;
        to.write_all(&piece[..length]).await?;
    }
    Ok(())
}
