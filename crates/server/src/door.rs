//! The door: takes connections, so many from each address, does not wait for ever for a request, and closes them politely.
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

use crate::online::{Callers, household};
use lingering::Lingering;

/// If the system has no room for another connection, the next try comes so much later.
const PAUSE: Duration = Duration::from_secs(1);

/// Where connections come in.
pub(crate) struct Door {
    pub(crate) listener: TcpListener,
    /// So many connections one address may have; nothing if all come from a proxy.
    pub(crate) most: Option<usize>,
    /// A request that is not there after so long does not come any more.
    pub(crate) patience: Duration,
}

impl Door {
    /// Answers requests until `stop` ends, then finishes what is under way.
    pub(crate) async fn serve(self, router: Router, stop: impl Future<Output = ()>) {
        let router: Router = router.with_state(());
        let (callers, stopping) = (Callers::default(), watch::Sender::new(false));
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => {
                        if let Some(stream) = self.admit(stream, peer, &callers) {
                            let answered =
                                answer(stream, peer, router.clone(), self.patience, stopping.subscribe());
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

    /// Counts a connection, unless its address has too many.
    fn admit(&self, stream: TcpStream, peer: SocketAddr, callers: &Callers) -> Option<Lingering> {
        // Small messages go out at once instead of waiting for company.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection stays slow");
        }
        let Some(most) = self.most else { return Some(Lingering::new(stream, None)) };
        match callers.line(&household(peer.ip()), most) {
            Ok(line) => Some(Lingering::new(stream, Some(line))),
            Err(error) => {
                // An answer in words would cost what the limit is to save.
                error.log();
                None
            }
        }
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
    patience: Duration,
    mut stopping: watch::Receiver<bool>,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
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
