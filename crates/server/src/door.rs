//! The door: accepts connections up to its limits, waits for ever neither for a request nor for the other end to read its
//! answer, and closes politely.
//!
//! The server that comes with axum does none of that, so hyper is asked directly.

mod lingering;

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

use crate::online::{ClientAddress, ConnectionLimiter, Full, Refusals, TokenBucket};
use lingering::Lingering;

/// If the system has no room for another connection, the next try comes so much later.
const PAUSE: Duration = Duration::from_secs(1);

/// Under a flood one line a second says that connections are refused; metrics say how many.
const WARNINGS_PER_SECOND: u32 = 1;

/// Where connections come in.
pub(crate) struct Door {
    pub(crate) listener: TcpListener,
    pub(crate) limiter: ConnectionLimiter,
    pub(crate) refused: Refusals,
    /// A request whose header is not there after this time does not come any more, nor does the next one on a connection
    /// that is kept.
    pub(crate) header_timeout: Duration,
    /// A client that reads nothing of its answer for this time is gone.
    pub(crate) write_timeout: Duration,
}

impl Door {
    /// Answers requests until `stop` ends, then finishes what is under way.
    pub(crate) async fn serve(self, router: Router, stop: impl Future<Output = ()>) {
        let router: Router = router.with_state(());
        let (stopping, warnings) = (watch::Sender::new(false), TokenBucket::new(WARNINGS_PER_SECOND));
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => {
                        if let Some(stream) = self.admit(stream, peer, &warnings) {
                            let answered =
                                answer(stream, peer, router.clone(), self.header_timeout, stopping.subscribe());
                            connections.spawn(answered);
                        }
                    }
                    Err(error) => pause_after(&error).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
        drop(self.listener);
        stopping.send_replace(true);
        while connections.join_next().await.is_some() {}
    }

    /// Counts a connection, or closes it at once if there are too many: an answer in words would cost what the limit is to
    /// save, and a connection that waits to be accepted would keep others waiting.
    fn admit(&self, stream: TcpStream, peer: SocketAddr, warnings: &TokenBucket) -> Option<Lingering> {
        let permit = match self.limiter.open(ClientAddress::new(peer.ip())) {
            Ok(permit) => permit,
            Err(full) => {
                let limit = match full {
                    Full::Total => "sockets",
                    Full::Address => "sockets_per_address",
                };
                self.refused.count(limit);
                if warnings.take() {
                    tracing::warn!(limit, "connections refused");
                }
                return None;
            }
        };
        // Small messages go out at once instead of waiting for company.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection stays slow");
        }
        Some(Lingering::new(stream, permit, self.write_timeout))
    }
}

async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    // The other end was gone before we came.
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "cannot take a connection");
        tokio::time::sleep(PAUSE).await;
    }
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // If the door is gone there is nobody to wait for either.
    let _ = stopping.wait_for(|&stopping| stopping).await;
}

/// Answers the requests of one connection.
async fn answer(
    stream: Lingering,
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
