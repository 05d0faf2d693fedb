//! The server: its configuration, its listeners and routes, and graceful shutdown.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::{Router, middleware};
use tokio::net::TcpListener;

use crate::error::{ApiError, ServerError};
use crate::listener::Listener;
use crate::online::{
    self, AppState, ConnectionLimiter, DatabaseLock, Games, Limits, Outages, RateLimiters, Refusals,
    ServerClock, ServerContext, Site, Store,
};
use crate::tablebase::{self, SharedTablebase};
use crate::throttle::{Throttle, throttle};
use crate::{headers, health, page};

/// Fixed, because a browser keeps games per address.
pub const DEFAULT_PORT: u16 = 8532;

/// How long busy connections get after the server is told to stop.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// A client that connects directly has this long for the header of its next request. A proxy has the whole client
/// timeout, because a request that it sends while we close the connection fails.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// Prometheus needs one connection; these are more than enough for several.
const METRICS_SOCKETS: usize = 16;

/// The configuration of a server.
#[derive(Clone)]
pub struct Config {
    /// Which of the machine's addresses to listen on.
    pub host: IpAddr,
    /// 0 picks any free port.
    pub port: u16,
    /// Where metrics are served, if anywhere. Port 0 picks any free port.
    pub metrics: Option<SocketAddr>,
    /// The endgame tables.
    pub tables: SharedTablebase,
    /// Where games between people are stored. If missing, the server offers none.
    pub database: Option<Database>,
    /// How much one client may ask for.
    pub limits: Limits,
    /// The public address of the server, and the proxies in front of it.
    pub site: Site,
    /// Tells the time.
    pub clock: ServerClock,
}

/// Listens on this machine only, on the default port, without games between people.
impl Default for Config {
    fn default() -> Config {
        Config {
            host: Ipv4Addr::LOCALHOST.into(),
            port: DEFAULT_PORT,
            metrics: None,
            tables: SharedTablebase::default(),
            database: None,
            limits: Limits::default(),
            site: Site::default(),
            clock: ServerClock::system(),
        }
    }
}

/// Where games are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// In an SQLite file, which is created if it is missing.
    File(PathBuf),
    /// At an address: `postgres://USER@HOST/NAME`.
    Address(String),
}

impl Database {
    /// The SQLite file, if the database is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Database::File(file) => Some(file),
            Database::Address(address) => address.strip_prefix("sqlite://").map(Path::new),
        }
    }
}

/// A server that is already listening.
pub struct Server {
    listener: Listener,
    address: SocketAddr,
    router: Router,
    online: Option<Online>,
    metrics: Option<MetricsListener>,
}

/// The listener for metrics.
struct MetricsListener {
    listener: Listener,
    address: SocketAddr,
    router: Router,
}

/// Games between people, the store that keeps them, and the lock on its file.
struct Online {
    games: Arc<Games>,
    store: Arc<Store>,
    _lock: Option<DatabaseLock>,
}

impl Online {
    async fn open(
        database: &Database,
        config: &Config,
        rate_limiters: Arc<RateLimiters>,
    ) -> Result<Online, ServerError> {
        let lock = database.file().map(DatabaseLock::take).transpose()?;
        let store = Arc::new(Store::open(database, Outages::new(config.clock.clone())).await?);
        let games = Games::open(ServerContext::open(store.clone(), config, rate_limiters).await?);
        Ok(Online { games, store, _lock: lock })
    }
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// If the port is in use, the address does not belong to this machine, or the database cannot be opened.
    pub async fn bind(config: Config) -> Result<Server, ServerError> {
        let address = SocketAddr::new(config.host, config.port);
        let failed = |cause: io::Error| match cause.kind() {
            io::ErrorKind::AddrInUse => ServerError::PortInUse(address),
            _ => ServerError::Listen { address, cause },
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let site = Arc::new(config.site.clone());
        let rate_limiters = Arc::new(RateLimiters::new(&config.limits));
        let (mut router, mut online, mut refused) = (Router::new(), None, Refusals::default());
        if let Some(database) = &config.database {
            let opened = Online::open(database, &config, rate_limiters.clone()).await?;
            let games = &opened.games;
            let state = AppState::new(games.clone(), site.clone());
            router = health::games(games.clone()).merge(online::router(state));
            refused = games.context.metrics.refused.clone();
            online = Some(opened);
        }
        let games = online.as_ref().map(|online: &Online| &online.games);
        let metrics = match config.metrics {
            Some(address) => Some(MetricsListener::bind(address, &config.limits, games).await?),
            None => None,
        };
        let is_secure = site.is_secure();
        let throttled = Throttle { site, rate_limiters, refused: refused.clone() };
        let router = complete(router, config.tables)
            .layer(middleware::from_fn_with_state(throttled, throttle))
            .layer(middleware::map_response_with_state(is_secure, headers::security_headers));
        let listener = public_listener(listener, &config.limits, &config.site, refused);
        Ok(Server { listener, address, router, online, metrics })
    }

    /// The database that keeps the games, if there is one.
    pub fn store(&self) -> Option<&Arc<Store>> {
        self.online.as_ref().map(|online| &online.store)
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that it serves metrics on.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|metrics| metrics.address)
    }

    /// Answers requests until `stop` ends, then tells all clients and finishes what is under way.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Server { listener, address, router, online, metrics } = self;
        tracing::info!(%address, "listening");
        let metrics = MetricsListener::run(metrics);
        let (stopping, stopped) = tokio::sync::oneshot::channel();
        let games = online.as_ref().map(|online| online.games.clone());
        let signal = async move {
            stop.await;
            tracing::info!("stopping");
            if let Some(games) = games {
                games.stop();
            }
            let _ = stopping.send(());
        };
        let grace = async {
            if stopped.await.is_ok() {
                tokio::time::sleep(SHUTDOWN_GRACE).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        let served = async {
            listener.serve(router, signal).await;
            if let Some(online) = &online {
                online.games.drained().await;
            }
        };
        tokio::select! {
            () = served => {}
            () = grace => {}
            () = metrics => {}
        }
        if let Some(online) = &online {
            online.store.close().await;
        }
    }
}

impl MetricsListener {
    async fn bind(
        address: SocketAddr,
        limits: &Limits,
        games: Option<&Arc<Games>>,
    ) -> Result<MetricsListener, ServerError> {
        let failed = |cause: io::Error| ServerError::Metrics { address, cause };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let listener = Listener {
            tcp: listener,
            limiter: ConnectionLimiter::new(METRICS_SOCKETS, usize::MAX),
            refused: Refusals::default(),
            header_timeout: limits.patience(),
            write_timeout: limits.patience(),
        };
        let router = games.map_or_else(Router::new, |games| health::metrics(games.clone()));
        let router = with_fallbacks(router)
            .layer(middleware::map_response_with_state(false, headers::security_headers));
        Ok(MetricsListener { listener, address, router })
    }

    /// Serves metrics, if configured, and never ends by itself.
    async fn run(metrics: Option<MetricsListener>) {
        if let Some(MetricsListener { listener, address, router }) = metrics {
            tracing::info!(%address, "serving metrics");
            listener.serve(router, std::future::pending()).await;
        }
        std::future::pending::<()>().await;
    }
}

/// The page and the tables, without games between people and without limits.
pub fn router(tables: SharedTablebase) -> Router {
    complete(Router::new(), tables)
        .layer(middleware::map_response_with_state(false, headers::security_headers))
}

fn complete(games: Router, tables: SharedTablebase) -> Router {
    with_fallbacks(games.merge(health::router()).merge(page::router()).merge(tablebase::router(tables)))
        .fallback(page::not_found)
}

fn with_fallbacks(router: Router) -> Router {
    router
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
}

/// The listener for players. Behind proxies all players share a few addresses, so connections are not counted per
/// address.
fn public_listener(listener: TcpListener, limits: &Limits, site: &Site, refused: Refusals) -> Listener {
    let patience = limits.patience();
    let (per_address, header_timeout) = if site.proxies > 0 {
        (usize::MAX, patience)
    } else {
        (limits.sockets_per_address, patience.min(HEADER_TIMEOUT))
    };
    let limiter = ConnectionLimiter::new(limits.sockets, per_address);
    Listener { tcp: listener, limiter, refused, header_timeout, write_timeout: patience }
}
