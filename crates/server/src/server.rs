//! The server itself: where it listens, what it answers, and how it ends.

use std::future::{Future, IntoFuture};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::{Router, middleware};
use tokio::net::TcpListener;

use crate::error::{ApiError, ServerError};
use crate::tables::{self, Tables};
use crate::{headers, health, page};

/// Fixed, because a browser keeps games per address.
pub const DEFAULT_PORT: u16 = 8532;

/// Connections that are still busy when the server is told to stop get so long.
const FAREWELL: Duration = Duration::from_secs(2);

/// What can be chosen.
#[derive(Clone)]
pub struct Config {
    /// Which of the machine's addresses to listen on.
    pub host: IpAddr,
    /// 0 takes any that is free.
    pub port: u16,
    /// The endgame tables.
    pub tables: Tables,
}

impl Default for Config {
    fn default() -> Config {
        Config { host: Ipv4Addr::LOCALHOST.into(), port: DEFAULT_PORT, tables: Tables::default() }
    }
}

/// A server that listens already.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// If the port is in use or the address is not ours.
    pub async fn bind(config: Config) -> Result<Server, ServerError> {
        let address = SocketAddr::new(config.host, config.port);
        let failed = |cause: io::Error| match cause.kind() {
            io::ErrorKind::AddrInUse => ServerError::PortInUse(address),
            _ => ServerError::Listen { address, cause },
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address, router: router(config.tables) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` ends, then finishes those that are under way.
    ///
    /// # Errors
    /// If the network fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let (stopping, stopped) = tokio::sync::oneshot::channel();
        let signal = async {
            stop.await;
            let _ = stopping.send(());
        };
        let serve = axum::serve(self.listener, self.router).with_graceful_shutdown(signal).into_future();
        let patience = async {
            if stopped.await.is_ok() {
                tokio::time::sleep(FAREWELL).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            served = serve => served?,
            () = patience => {}
        }
        Ok(())
    }
}

/// Everything that is answered.
pub fn router(tables: Tables) -> Router {
    Router::new()
        .merge(page::router())
        .merge(health::router())
        .merge(tables::router(tables))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(middleware::map_response(headers::strict))
}
