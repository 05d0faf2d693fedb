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
use crate::online::{self, DatabaseLock, Hall, House, Limits, Outages, ServerClock, Site, Store};
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
}

/// Games between people, and where they are kept.
struct Games {
    hall: Arc<Hall>,
    store: Arc<Store>,
    _lock: Option<DatabaseLock>,
}

impl Games {
    async fn open(database: &Database, config: &Config) -> Result<Games, ServerError> {
        let Config { limits, tables, clock, .. } = config.clone();
        let lock = database.file().map(DatabaseLock::take).transpose()?;
        let store = Arc::new(Store::open(database, Outages::new(clock.clone())).await?);
        let hall = Hall::open(House::open(store.clone(), limits, tables, clock).await?);
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
        let mut router = Router::new();
        let mut games = None;
        if let Some(database) = &config.database {
            let opened = Games::open(database, &config).await?;
            let hall = &opened.hall;
            router = health::games(hall.clone()).merge(online::router(hall.clone(), config.site.clone()));
            games = Some(opened);
        }
        let most = (!config.site.behind_proxy).then_some(config.limits.sockets_per_address);
        let door = Door { listener, most, patience: config.limits.patience() };
        Ok(Server { door, address, router: complete(router, config.tables), games })
    }

    /// The database that keeps the games, if there is one.
    pub fn store(&self) -> Option<&Arc<Store>> {
        self.games.as_ref().map(|games| &games.store)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` ends, then tells everybody and finishes what is under way.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Server { door, address, router, games } = self;
        tracing::info!(%address, "listening");
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
        }
        if let Some(games) = &games {
            games.store.close().await;
        }
    }
}

/// The page and the tables, without games between people.
pub fn router(tables: Tables) -> Router {
    complete(Router::new(), tables)
}

fn complete(games: Router, tables: Tables) -> Router {
    games
        .merge(health::router())
        .merge(page::router())
        .merge(tables::router(tables))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(middleware::map_response(headers::strict))
}
