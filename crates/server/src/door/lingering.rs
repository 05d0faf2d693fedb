//! A connection that reads on for a moment after its end.
//!
//! A system that closes a connection with something unread in it sends a reset, and then the other end may lose what it
//! was told last: why it was turned away. So what still comes is read, within bounds, until the other end closes too.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::online::Line;

/// It is read on for so long at most.
const LONGEST: Duration = Duration::from_secs(5);
/// And so much.
const MOST_BYTES: usize = 4 << 20;
const PIECE_BYTES: usize = 4_096;

/// A connection, counted until nothing more is read from it.
pub(super) struct Lingering {
    /// There until it is dropped.
    stream: Option<TcpStream>,
    line: Option<Line>,
}

impl Lingering {
    pub(super) fn new(stream: TcpStream, line: Option<Line>) -> Lingering {
        Lingering { stream: Some(stream), line }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(self.get_mut().stream.as_mut().expect("only dropping takes it"))
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        // Without a runtime the program ends, and there is nobody to read.
        if let (Some(stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            let line = self.line.take();
            runtime.spawn(async move {
                // Whether the other end is still there is its affair.
                let _ = timeout(LONGEST, read_out(stream)).await;
                drop(line);
            });
        }
    }
}

async fn read_out(mut stream: TcpStream) -> io::Result<()> {
    poll_fn(|context| Pin::new(&mut stream).poll_shutdown(context)).await?;
    let (mut piece, mut left) = (vec![0; PIECE_BYTES], MOST_BYTES);
    while left > 0 {
        stream.readable().await?;
        match stream.try_read(&mut piece) {
            Ok(0) => break,
            Ok(length) => left = left.saturating_sub(length),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl AsyncRead for Lingering {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream().poll_read(context, buffer)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.stream().poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
