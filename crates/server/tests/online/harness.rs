//! A server with a database of its own and a clock that the test moves.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crownhead_game::Time;
use crownhead_server::online::{Heartbeat, Limits, Outages, ServerClock, Site, Store};
use crownhead_server::{Config, Database, Server, SharedTablebase};
use crownhead_testkit::{Browser, GameClient, Postgres};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Runs a test on both databases.
macro_rules! on_both {
    ($(async fn $name:ident($server:ident: $TestServer:ty) $body:block)*) => { $(
        mod $name {
            use super::*;

            async fn test($server: $TestServer) $body

            #[tokio::test]
            async fn on_sqlite() {
                test(<$TestServer>::new($crate::harness::TestDatabase::sqlite()).await).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                test(<$TestServer>::new($crate::harness::TestDatabase::postgres()).await).await;
            }
        }
    )* };
}
pub(crate) use on_both;

/// An empty database.
#[derive(Clone)]
pub(crate) struct TestDatabase {
    pub(crate) database: Database,
    _folder: Option<Arc<TempDir>>,
}

impl TestDatabase {
    pub(crate) fn sqlite() -> TestDatabase {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::File(folder.path().join("games.sqlite"));
        TestDatabase { database, _folder: Some(Arc::new(folder)) }
    }

    pub(crate) fn postgres() -> TestDatabase {
        TestDatabase { database: Database::Address(Postgres::shared().database()), _folder: None }
    }

    /// The same file under another name, which another server's lock does not know: two servers that hear nothing of each
    /// other.
    #[cfg(unix)]
    pub(crate) fn with_another_name(&self) -> TestDatabase {
        let file = self.database.file().expect("SQLite has a file");
        let name = file.with_file_name("other.sqlite");
        std::os::unix::fs::symlink(file, &name).expect("a link");
        TestDatabase { database: Database::File(name), ..self.clone() }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.database, Outages::new(ServerClock::system())).await.expect("a database")
    }

    /// A connection of our own.
    pub(crate) async fn connect(&self) -> DirectConnection {
        match &self.database {
            Database::File(file) => {
                DirectConnection::Sqlite(rusqlite::Connection::open(file).expect("a connection"))
            }
            Database::Address(address) => {
                DirectConnection::Postgres(PgConnection::connect(address).await.expect("a connection"))
            }
        }
    }
}

/// A connection to the database behind the server's back.
pub(crate) enum DirectConnection {
    Sqlite(rusqlite::Connection),
    Postgres(PgConnection),
}

impl DirectConnection {
    pub(crate) async fn execute(&mut self, statements: &str) {
        match self {
            DirectConnection::Sqlite(connection) => connection.execute_batch(statements).expect("it works"),
            DirectConnection::Postgres(connection) => {
                connection.execute(statements).await.expect("it works");
            }
        }
    }

    pub(crate) fn postgres(&mut self) -> &mut PgConnection {
        match self {
            DirectConnection::Postgres(connection) => connection,
            DirectConnection::Sqlite(_) => panic!("this is about PostgreSQL"),
        }
    }
}

/// A time that stands still unless it is moved.
#[derive(Clone)]
pub(crate) struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    pub(crate) fn new() -> ManualClock {
        ManualClock(Arc::new(AtomicU64::new(START)))
    }

    pub(crate) fn advance(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> Time {
        Time(self.0.load(Ordering::SeqCst))
    }

    pub(crate) fn clock(&self) -> ServerClock {
        let clock = self.clone();
        ServerClock::manual(Arc::new(move || clock.now()))
    }
}

/// A running server.
pub(crate) struct TestServer {
    pub(crate) database: TestDatabase,
    pub(crate) clock: ManualClock,
    pub(crate) address: SocketAddr,
    /// Where metrics are served.
    pub(crate) metrics: SocketAddr,
    pub(crate) store: Arc<Store>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

/// The start of all time in these tests.
const START: u64 = 1_772_236_800_000;

impl TestServer {
    pub(crate) async fn new(database: TestDatabase) -> TestServer {
        TestServer::with(database, ManualClock::new(), Limits::default()).await
    }

    pub(crate) async fn with(database: TestDatabase, clock: ManualClock, limits: Limits) -> TestServer {
        TestServer::at(database, clock, limits, Site::default()).await
    }

    /// With limits, at a site, on an empty database.
    pub(crate) async fn fresh(limits: Limits, site: Site) -> TestServer {
        TestServer::at(TestDatabase::sqlite(), ManualClock::new(), limits, site).await
    }

    async fn at(database: TestDatabase, clock: ManualClock, limits: Limits, site: Site) -> TestServer {
        TestServer::run(database, clock, Config { limits, site, ..Config::default() }).await
    }

    /// With endgame tables of its own.
    pub(crate) async fn with_tables(database: TestDatabase, tables: SharedTablebase) -> TestServer {
        TestServer::run(database, ManualClock::new(), Config { tables, ..Config::default() }).await
    }

    async fn run(database: TestDatabase, clock: ManualClock, config: Config) -> TestServer {
        let config = Config {
            port: 0,
            metrics: Some((Ipv4Addr::LOCALHOST, 0).into()),
            database: Some(database.database.clone()),
            clock: clock.clock(),
            ..config
        };
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
        TestServer { database, clock, address, metrics, store, stop: Some(stop), running }
    }

    /// Stops the server and starts another one on the same database.
    pub(crate) async fn again(mut self, limits: Limits) -> TestServer {
        let (database, clock) = (self.database.clone(), self.clock.clone());
        self.stop().await;
        TestServer::with(database, clock, limits).await
    }

    pub(crate) async fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
            (&mut self.running).await.expect("it ends well");
        }
    }

    /// Notes that a server runs, as each does once a second by its own clock.
    pub(crate) async fn store_beat(&self) {
        let clock = self.clock.clone();
        let beat = Heartbeat { server: 1, now: Arc::new(move || clock.now()), outages: Vec::new() };
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
        Browser::new(self.address)
    }

    /// Two who have begun a game: Black, who invited, and White.
    pub(crate) async fn pair(&self, terms: Value) -> (GameClient, GameClient) {
        let (mut anna, mut ben) = (self.browser(), self.browser());
        let id = anna.invite(&terms).await.expect("an invitation");
        ben.join(&id).await.expect("a seat");
        let (mut black, mut white) = (GameClient::new(anna, &id, "a"), GameClient::new(ben, &id, "b"));
        black.connect().await.expect("a connection");
        white.connect().await.expect("a connection");
        (black, white)
    }

    pub(crate) async fn plain_pair(&self) -> (GameClient, GameClient) {
        self.pair(json!({"colour": "black"})).await
    }
}
