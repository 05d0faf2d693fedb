//! The HTTP listener: limits connections, times out slow requests and slow readers, and shuts down gracefully.
//!
//! `axum::serve` does none of that, so this calls hyper directly.

mod lingering_stream;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::online::{ClientAddress, ConnectionLimiter, LimitReached, Refusals, TokenBucket};
use lingering_stream::LingeringStream;

/// How long to wait before the next `accept` when the system has no room for another connection.
const ACCEPT_BACKOFF: Duration = Duration::from_secs(1);

/// Under a flood one line a second says that connections are refused; metrics say how many.
const WARNINGS_PER_SECOND: u32 = 1;

/// A TCP listener with its limits.
pub(crate) struct Listener {
    pub(crate) tcp: TcpListener,
    pub(crate) limiter: ConnectionLimiter,
    pub(crate) refused: Refusals,
    /// How long the header of a request may take, including the next one on a kept-alive connection.
    pub(crate) header_timeout: Duration,
    /// A client that reads nothing of its response for this long is disconnected.
    pub(crate) write_timeout: Duration,
}

impl Listener {
    /// Answers requests until `stop` ends, then finishes what is under way.
    pub(crate) async fn serve(self, router: Router, stop: impl Future<Output = ()>) {
        let router: Router = router.with_state(());
        let (stopping, warnings) = (watch::Sender::new(false), TokenBucket::new(WARNINGS_PER_SECOND));
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = self.tcp.accept() => match accepted {
                    Ok((stream, peer)) => {
                        if let Some(stream) = self.admit(stream, peer, &warnings) {
                            let answered =
                                answer(stream, peer, router.clone(), self.header_timeout, stopping.subscribe());
                            connections.spawn(answered);
                        }
                    }
                    Err(error) => back_off_after(&error).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
        drop(self.tcp);
        stopping.send_replace(true);
        while connections.join_next().await.is_some() {}
    }

    /// Counts a connection, or closes it at once if there are too many. A written refusal would cost what the limit
    /// saves, and a connection left in the backlog would delay others.
    fn admit(&self, stream: TcpStream, peer: SocketAddr, warnings: &TokenBucket) -> Option<LingeringStream> {
        let permit = match self.limiter.open(ClientAddress::new(peer.ip())) {
            Ok(permit) => permit,
            Err(full) => {
                let limit = match full {
                    LimitReached::Total => "sockets",
                    LimitReached::Address => "sockets_per_address",
                };
                self.refused.count(limit);
                if warnings.take() {
                    tracing::warn!(limit, "connections refused");
                }
                return None;
            }
        };
        // Send small messages at once, without Nagle's delay.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        Some(LingeringStream::new(stream, permit, self.write_timeout))
    }
}

async fn back_off_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    // The client was gone before we accepted.
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "cannot accept a connection");
        tokio::time::sleep(ACCEPT_BACKOFF).await;
    }
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // If the listener is gone, this ends as well.
    let _ = stopping.wait_for(|&stopping| stopping).await;
}

/// Answers the requests of one connection.
async fn answer(
    stream: LingeringStream,
    peer: SocketAddr,
    router: Router,
    header_timeout: Duration,
    mut stopping: watch::Receiver<bool>,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopped(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "a connection broke");
    }
}
