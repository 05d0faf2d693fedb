//! A server with a database of its own and a clock that the test moves.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crownhead_game::Time;
use crownhead_guests::{Browser, Guest, Postgres};
use crownhead_server::online::{Heartbeat, Limits, Outages, ServerClock, Site, Store};
use crownhead_server::{Config, Database, Server, SharedTablebase};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Runs a test on both databases.
macro_rules! on_both {
    ($(async fn $name:ident($house:ident: $House:ty) $body:block)*) => { $(
        mod $name {
            use super::*;

            async fn test($house: $House) $body

            #[tokio::test]
            async fn on_sqlite() {
                test(<$House>::new($crate::house::Base::sqlite()).await).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                test(<$House>::new($crate::house::Base::postgres()).await).await;
            }
        }
    )* };
}
pub(crate) use on_both;

/// An empty database.
#[derive(Clone)]
pub(crate) struct Base {
    pub(crate) database: Database,
    _folder: Option<Arc<TempDir>>,
}

impl Base {
    pub(crate) fn sqlite() -> Base {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::File(folder.path().join("games.sqlite"));
        Base { database, _folder: Some(Arc::new(folder)) }
    }

    pub(crate) fn postgres() -> Base {
        Base { database: Database::Address(Postgres::shared().database()), _folder: None }
    }

    /// The same file under another name, which another server's lock does not know: two servers that hear nothing of each
    /// other.
    #[cfg(unix)]
    pub(crate) fn by_another_name(&self) -> Base {
        let file = self.database.file().expect("SQLite has a file");
        let name = file.with_file_name("other.sqlite");
        std::os::unix::fs::symlink(file, &name).expect("a link");
        Base { database: Database::File(name), ..self.clone() }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.database, Outages::new(ServerClock::system())).await.expect("a database")
    }

    /// A connection of our own.
    pub(crate) async fn connect(&self) -> Session {
        match &self.database {
            Database::File(file) => Session::Sqlite(rusqlite::Connection::open(file).expect("a connection")),
            Database::Address(address) => {
                Session::Postgres(PgConnection::connect(address).await.expect("a connection"))
            }
        }
    }
}

/// A connection to the database behind the server's back.
pub(crate) enum Session {
    Sqlite(rusqlite::Connection),
    Postgres(PgConnection),
}

impl Session {
    pub(crate) async fn execute(&mut self, statements: &str) {
        match self {
            Session::Sqlite(connection) => connection.execute_batch(statements).expect("it works"),
            Session::Postgres(connection) => {
                connection.execute(statements).await.expect("it works");
            }
        }
    }

    pub(crate) fn postgres(&mut self) -> &mut PgConnection {
        match self {
            Session::Postgres(connection) => connection,
            Session::Sqlite(_) => panic!("this is about PostgreSQL"),
        }
    }
}

/// A time that stands still unless it is moved.
#[derive(Clone)]
pub(crate) struct Watch(Arc<AtomicU64>);

impl Watch {
    pub(crate) fn new() -> Watch {
        Watch(Arc::new(AtomicU64::new(START)))
    }

    pub(crate) fn pass(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> Time {
        Time(self.0.load(Ordering::SeqCst))
    }

    pub(crate) fn clock(&self) -> ServerClock {
        let watch = self.clone();
        ServerClock::manual(Arc::new(move || watch.now()))
    }
}

/// A running server.
pub(crate) struct House {
    pub(crate) base: Base,
    pub(crate) watch: Watch,
    pub(crate) server: SocketAddr,
    /// Where metrics are served.
    pub(crate) metrics: SocketAddr,
    pub(crate) store: Arc<Store>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

/// The start of all time in these tests.
const START: u64 = 1_772_236_800_000;

impl House {
    pub(crate) async fn new(base: Base) -> House {
        House::with(base, Watch::new(), Limits::default()).await
    }

    pub(crate) async fn with(base: Base, watch: Watch, limits: Limits) -> House {
        House::at(base, watch, limits, Site::default()).await
    }

    /// With limits, at a site, on an empty database.
    pub(crate) async fn fresh(limits: Limits, site: Site) -> House {
        House::at(Base::sqlite(), Watch::new(), limits, site).await
    }

    async fn at(base: Base, watch: Watch, limits: Limits, site: Site) -> House {
        House::run(base, watch, Config { limits, site, ..Config::default() }).await
    }

    /// With endgame tables of its own.
    pub(crate) async fn with_tables(base: Base, tables: SharedTablebase) -> House {
        House::run(base, Watch::new(), Config { tables, ..Config::default() }).await
    }

    async fn run(base: Base, watch: Watch, config: Config) -> House {
        let (metrics, database) = (Some((Ipv4Addr::LOCALHOST, 0).into()), Some(base.database.clone()));
        let config = Config { port: 0, metrics, database, clock: watch.clock(), ..config };
        let server = Server::bind(config).await.expect("a server");
        let (stop, stopped) = oneshot::channel::<()>();
        let (address, store) = (server.address(), server.store().expect("games").clone());
        let metrics = server.metrics_address().expect("metrics");
        let running = tokio::spawn(async move {
            let stop = async {
                let _ = stopped.await;
            };
            server.run(stop).await;
        });
        House { base, watch, server: address, metrics, store, stop: Some(stop), running }
    }

    /// Stops the server and starts another one on the same database.
    pub(crate) async fn again(mut self, limits: Limits) -> House {
        let (base, watch) = (self.base.clone(), self.watch.clone());
        self.stop().await;
        House::with(base, watch, limits).await
    }

    pub(crate) async fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
            (&mut self.running).await.expect("it ends well");
        }
    }

    /// Notes that a server runs, as each does once a second by its own clock.
    pub(crate) async fn store_beat(&self) {
        let watch = self.watch.clone();
        let beat = Heartbeat { server: 1, now: Arc::new(move || watch.now()), outages: Vec::new() };
        self.store.heartbeat(beat).await.expect("a beat");
    }

    /// How many events of a game are stored.
    pub(crate) async fn store_events(&self, game: &str) -> usize {
        self.store.events(game.parse().expect("an id"), 0).await.expect("an answer").len()
    }

    /// What Prometheus reads.
    pub(crate) async fn metrics(&self) -> String {
        Browser::new(self.metrics).get("/metrics").await.expect("an answer").text
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.server)
    }

    /// Two who have begun a game: Black, who invited, and White.
    pub(crate) async fn pair(&self, terms: Value) -> (Guest, Guest) {
        let (mut anna, mut ben) = (self.browser(), self.browser());
        let id = anna.invite(&terms).await.expect("an invitation");
        ben.join(&id).await.expect("a seat");
        let (mut black, mut white) = (Guest::new(anna, &id, "a"), Guest::new(ben, &id, "b"));
        black.connect().await.expect("a connection");
        white.connect().await.expect("a connection");
        (black, white)
    }

    pub(crate) async fn plain_pair(&self) -> (Guest, Guest) {
        self.pair(json!({"colour": "black"})).await
    }
}
