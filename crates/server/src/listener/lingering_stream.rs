//! A TCP stream with a write timeout and a lingering close.
//!
//! A write that makes no progress for too long fails; a connection with nothing to write may stay idle.
//!
//! If a socket is closed with unread input, the system sends a reset, and the client may lose the last response: the
//! reason why it was rejected. So after its own end the stream reads on, within bounds, until the client closes too.

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

/// The longest time to read on after closing.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes to read on after closing.
const LINGER_BYTES: usize = 4 << 20;
const BUFFER_BYTES: usize = 4_096;

/// A connection, counted until nothing more is read from it.
pub(super) struct LingeringStream {
    /// `None` only while it is being dropped.
    stream: Option<TcpStream>,
    permit: Option<ConnectionPermit>,
    write_timeout: Duration,
    /// Runs while a write waits for the client to read.
    pending_write: Option<Pin<Box<Sleep>>>,
    /// A write timed out.
    is_stalled: bool,
}

impl LingeringStream {
    pub(super) fn new(
        stream: TcpStream,
        permit: ConnectionPermit,
        write_timeout: Duration,
    ) -> LingeringStream {
        LingeringStream {
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

    /// Writes, or fails if the client has read nothing for too long.
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
        // Unsent data would only hold memory, so the connection is reset when it is dropped.
        self.as_mut().stream().set_zero_linger()?;
        self.is_stalled = true;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for LingeringStream {
    fn drop(&mut self) {
        if self.is_stalled {
            return;
        }
        // Without a runtime the program is ending, and nothing can read on.
        if let (Some(stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            let permit = self.permit.take();
            runtime.spawn(async move {
                // The client may be gone already.
                let _ = timeout(LINGER_TIMEOUT, drain(stream)).await;
                drop(permit);
            });
        }
    }
}

async fn drain(mut stream: TcpStream) -> io::Result<()> {
    poll_fn(|context| Pin::new(&mut stream).poll_shutdown(context)).await?;
    let (mut buffer, mut left) = (vec![0; BUFFER_BYTES], LINGER_BYTES);
    while left > 0 {
        stream.readable().await?;
        match stream.try_read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => left = left.saturating_sub(length),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl AsyncRead for LingeringStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream().poll_read(context, buffer)
    }
}

impl AsyncWrite for LingeringStream {
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
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_timed(context, |stream, context| stream.poll_write_vectored(context, buffers))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
