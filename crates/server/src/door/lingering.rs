//! A connection that does not wait for ever for the other end to read, and that reads on for a moment after its own end.
//!
//! A write that makes no progress for too long is an error; a connection with nothing to write may stay idle.
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
use tokio::time::{Sleep, sleep, timeout};

use crate::online::ConnectionPermit;

/// It is read on for so long at most.
const LONGEST: Duration = Duration::from_secs(5);
/// And so much.
const MOST_BYTES: usize = 4 << 20;
const PIECE_BYTES: usize = 4_096;

/// A connection, counted until nothing more is read from it.
pub(super) struct Lingering {
    /// There until it is dropped.
    stream: Option<TcpStream>,
    permit: Option<ConnectionPermit>,
    write_timeout: Duration,
    /// Runs while a write waits for the other end to read.
    pending_write: Option<Pin<Box<Sleep>>>,
    /// It waited for too long.
    is_stalled: bool,
}

impl Lingering {
    pub(super) fn new(stream: TcpStream, permit: ConnectionPermit, write_timeout: Duration) -> Lingering {
        Lingering {
            stream: Some(stream),
            permit: Some(permit),
            write_timeout,
            pending_write: None,
            is_stalled: false,
        }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(self.get_mut().stream.as_mut().expect("only dropping takes it"))
    }

    /// Writes, or fails if the other end has read nothing for too long.
    fn poll_timed(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = write(self.as_mut().stream(), context) {
            self.pending_write = None;
            return Poll::Ready(written);
        }
        let wait = self.write_timeout;
        let pending = self.pending_write.get_or_insert_with(|| Box::pin(sleep(wait)));
        if pending.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        // What was not read is not worth the memory any more, so the connection is reset when it is dropped.
        self.as_mut().stream().set_zero_linger()?;
        self.is_stalled = true;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        if self.is_stalled {
            return;
        }
        // Without a runtime the program ends, and there is nobody to read.
        if let (Some(stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            let permit = self.permit.take();
            runtime.spawn(async move {
                // Whether the other end is still there is its affair.
                let _ = timeout(LONGEST, read_out(stream)).await;
                drop(permit);
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
        self.poll_timed(context, |stream, context| stream.poll_write(context, bytes))
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
        self.poll_timed(context, |stream, context| stream.poll_write_vectored(context, pieces))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
