//! The server itself: where it listens, what it answers, and how it ends.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::{Router, middleware};
use tokio::net::TcpListener;

use crate::door::Door;
use crate::error::{ApiError, ServerError};
use crate::online::{
    self, AppState, ConnectionLimiter, DatabaseLock, Hall, House, Limits, Outages, RateLimiters, Refusals,
    ServerClock, Site, Store,
};
use crate::tables::{self, Tables};
use crate::throttle::{Throttle, throttle};
use crate::{headers, health, page};

/// Fixed, because a browser keeps games per address.
pub const DEFAULT_PORT: u16 = 8532;

/// Connections that are still busy when the server is told to stop get so long.
const FAREWELL: Duration = Duration::from_secs(2);

/// A client that connects directly has this long for the header of its next request. A proxy has the whole patience, because
/// a request that it sends while we close fails.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// Prometheus needs one connection; these are more than enough for several.
const METRICS_SOCKETS: usize = 16;

/// What can be chosen.
#[derive(Clone)]
pub struct Config {
    /// Which of the machine's addresses to listen on.
    pub host: IpAddr,
    /// 0 takes any that is free.
    pub port: u16,
    /// Where metrics are served, if anywhere. Port 0 takes any that is free.
    pub metrics: Option<SocketAddr>,
    /// The endgame tables.
    pub tables: Tables,
    /// Where games between people are kept; without it there are none.
    pub database: Option<Database>,
    /// How much one client may ask for.
    pub limits: Limits,
    /// Where the server is seen from outside.
    pub site: Site,
    /// Tells the time.
    pub clock: ServerClock,
}

/// On this machine only, with the usual port and without games between people.
impl Default for Config {
    fn default() -> Config {
        Config {
            host: Ipv4Addr::LOCALHOST.into(),
            port: DEFAULT_PORT,
            metrics: None,
            tables: Tables::default(),
            database: None,
            limits: Limits::default(),
            site: Site::default(),
            clock: ServerClock::system(),
        }
    }
}

/// Where games are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// In a file of SQLite, which is made if it is not there.
    File(PathBuf),
    /// At an address: `postgres://USER@HOST/NAME`.
    Address(String),
}

impl Database {
    /// The file of SQLite, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Database::File(file) => Some(file),
            Database::Address(address) => address.strip_prefix("sqlite://").map(Path::new),
        }
    }
}

/// A server that listens already.
pub struct Server {
    door: Door,
    address: SocketAddr,
    router: Router,
    games: Option<Games>,
    metrics: Option<MetricsListener>,
}

/// Where metrics are served.
struct MetricsListener {
    door: Door,
    address: SocketAddr,
    router: Router,
}

/// Games between people, and where they are kept.
struct Games {
    hall: Arc<Hall>,
    store: Arc<Store>,
    _lock: Option<DatabaseLock>,
}

impl Games {
    async fn open(
        database: &Database,
        config: &Config,
        rate_limiters: Arc<RateLimiters>,
    ) -> Result<Games, ServerError> {
        let Config { limits, tables, clock, .. } = config.clone();
        let lock = database.file().map(DatabaseLock::take).transpose()?;
        let store = Arc::new(Store::open(database, Outages::new(clock.clone())).await?);
        let hall = Hall::open(House::open(store.clone(), limits, tables, clock, rate_limiters).await?);
        Ok(Games { hall, store, _lock: lock })
    }
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// If the port is in use, the address is not ours, or the games cannot be read.
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
        let (mut router, mut games, mut refused) = (Router::new(), None, Refusals::default());
        if let Some(database) = &config.database {
            let opened = Games::open(database, &config, rate_limiters.clone()).await?;
            let hall = &opened.hall;
            let state = AppState::new(hall.clone(), site.clone());
            router = health::games(hall.clone()).merge(online::router(state));
            refused = hall.house.metrics.refused.clone();
            games = Some(opened);
        }
        let hall = games.as_ref().map(|games: &Games| &games.hall);
        let metrics = match config.metrics {
            Some(address) => Some(MetricsListener::bind(address, &config.limits, hall).await?),
            None => None,
        };
        let is_secure = site.is_secure();
        let throttled = Throttle { site, rate_limiters, refused: refused.clone() };
        let router = complete(router, config.tables)
            .layer(middleware::from_fn_with_state(throttled, throttle))
            .layer(middleware::map_response_with_state(is_secure, headers::strict));
        let door = public_door(listener, &config.limits, &config.site, refused);
        Ok(Server { door, address, router, games, metrics })
    }

    /// The database that keeps the games, if there is one.
    pub fn store(&self) -> Option<&Arc<Store>> {
        self.games.as_ref().map(|games| &games.store)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it serves metrics.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|metrics| metrics.address)
    }

    /// Answers requests until `stop` ends, then tells everybody and finishes what is under way.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Server { door, address, router, games, metrics } = self;
        tracing::info!(%address, "listening");
        let metrics = MetricsListener::run(metrics);
        let (stopping, stopped) = tokio::sync::oneshot::channel();
        let hall = games.as_ref().map(|games| games.hall.clone());
        let signal = async move {
            stop.await;
            tracing::info!("stopping");
            if let Some(hall) = hall {
                hall.stop();
            }
            let _ = stopping.send(());
        };
        let patience = async {
            if stopped.await.is_ok() {
                tokio::time::sleep(FAREWELL).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        let goodbye = async {
            door.serve(router, signal).await;
            if let Some(games) = &games {
                games.hall.emptied().await;
            }
        };
        tokio::select! {
            () = goodbye => {}
            () = patience => {}
            () = metrics => {}
        }
        if let Some(games) = &games {
            games.store.close().await;
        }
    }
}

impl MetricsListener {
    async fn bind(
        address: SocketAddr,
        limits: &Limits,
        hall: Option<&Arc<Hall>>,
    ) -> Result<MetricsListener, ServerError> {
        let failed = |cause: io::Error| ServerError::Metrics { address, cause };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let door = Door {
            listener,
            limiter: ConnectionLimiter::new(METRICS_SOCKETS, usize::MAX),
            refused: Refusals::default(),
            header_timeout: limits.patience(),
            write_timeout: limits.patience(),
        };
        let router = hall.map_or_else(Router::new, |hall| health::metrics(hall.clone()));
        let router =
            with_fallbacks(router).layer(middleware::map_response_with_state(false, headers::strict));
        Ok(MetricsListener { door, address, router })
    }

    /// Serves metrics, if they are wanted, and never ends by itself.
    async fn run(metrics: Option<MetricsListener>) {
        if let Some(MetricsListener { door, address, router }) = metrics {
            tracing::info!(%address, "serving metrics");
            door.serve(router, std::future::pending()).await;
        }
        std::future::pending::<()>().await;
    }
}

/// The page and the tables, without games between people and without limits.
pub fn router(tables: Tables) -> Router {
    complete(Router::new(), tables).layer(middleware::map_response_with_state(false, headers::strict))
}

fn complete(games: Router, tables: Tables) -> Router {
    with_fallbacks(games.merge(health::router()).merge(page::router()).merge(tables::router(tables)))
        .fallback(page::not_found)
}

fn with_fallbacks(router: Router) -> Router {
    router
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
}

/// Where players come in. Behind proxies all of them have the same few addresses, which are not counted one by one.
fn public_door(listener: TcpListener, limits: &Limits, site: &Site, refused: Refusals) -> Door {
    let patience = limits.patience();
    let (per_address, header_timeout) = if site.proxies > 0 {
        (usize::MAX, patience)
    } else {
        (limits.sockets_per_address, patience.min(HEADER_TIMEOUT))
    };
    let limiter = ConnectionLimiter::new(limits.sockets, per_address);
    Door { listener, limiter, refused, header_timeout, write_timeout: patience }
}
