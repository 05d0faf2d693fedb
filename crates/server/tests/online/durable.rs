//! Acknowledged means stored.

use std::path::PathBuf;
use std::time::Duration;

use crownhead_game::Command;
use crownhead_server::Database;
use crownhead_server::online::Limits;
use futures_util::FutureExt;
use tokio::time::timeout;

use crate::disk::Hold;
use crate::harness::{DirectConnection, TestDatabase, TestServer, on_both};
use crate::store::somebody_waits;

/// A commit that does not come in so long a time never comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Has PostgreSQL run a function at the end of each transaction that writes an event: all is written by then, and only
/// the commit is missing.
async fn at_each_commit(connection: &mut DirectConnection, function: &str) {
    let trigger = "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED \
                   FOR EACH ROW EXECUTE FUNCTION at_commit()";
    let function = format!(
        "CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {function} RETURN NULL; END $$"
    );
    connection.execute(&function).await;
    connection.execute(trigger).await;
}

/// A commit that does not come to its end until it is let go. All is written by then, but nobody can see it, and it would
/// be lost with the power.
enum Held {
    /// The log of SQLite, and its length before.
    Log { file: PathBuf, bytes: u64, hold: Hold },
    /// A lock of PostgreSQL.
    Lock(DirectConnection),
}

impl Held {
    async fn new(database: &TestDatabase) -> Held {
        match &database.database {
            Database::File(file) => {
                let file = file.with_extension("sqlite-wal");
                let bytes = file.metadata().expect("a log").len();
                Held::Log { bytes, hold: Hold::new(&file), file }
            }
            Database::Address(_) => {
                let mut connection = database.connect().await;
                at_each_commit(&mut connection, "PERFORM pg_advisory_xact_lock(1);").await;
                connection.execute("BEGIN; SELECT pg_advisory_xact_lock(1)").await;
                Held::Lock(connection)
            }
        }
    }

    /// Waits until somebody commits.
    async fn reached(&mut self) {
        match self {
            Held::Log { file, bytes, hold } => {
                hold.reached().await;
                assert!(file.metadata().expect("a log").len() > *bytes, "it is written");
            }
            Held::Lock(connection) => while !somebody_waits(connection.postgres()).await {},
        }
    }

    async fn let_go(self) {
        if let Held::Lock(mut connection) = self {
            connection.execute("ROLLBACK").await;
        }
    }
}

on_both! {
    async fn no_acknowledgement_comes_before_the_commit(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        let mut held = Held::new(&server.database).await;
        let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
        tokio::select! {
            reached = timeout(PATIENCE, held.reached()) => reached.expect("somebody commits"),
            answer = black.wait_for_answer(&id) => panic!("acknowledged before it is stored: {answer:?}"),
        }
        // Enough is asked and answered in between for an acknowledgement to come, if it did not wait.
        for _ in 0..50 {
            assert_eq!(server.browser().get("/healthz").await.expect("an answer").status, 200);
            assert_eq!(server.store_events(&black.game_id).await, 1);
        }
        for guest in [&mut black, &mut white] {
            while let Some(told) = guest.recv().now_or_never() {
                let told = told.expect("a promise").expect("a connection");
                assert_eq!(told["type"], "presence", "told before it is stored");
            }
        }
        held.let_go().await;
        assert_eq!(black.wait_for_answer(&id).await.expect("an answer")["type"], "ack");
        assert_eq!(server.store_events(&black.game_id).await, 2);
    }

    async fn who_cannot_be_told_what_became_of_a_command_is_cut_off_and_asks_again(server: TestServer) {
        // Less patient than usual, so that the test is not slow.
        let server = server.again(Limits { patience_seconds: 1, ..Limits::default() }).await;
        let (mut black, _white) = server.plain_pair().await;
        let mut database = server.database.connect().await;
        database.execute("ALTER TABLE events RENAME TO lost").await;
        let error = black.command(Command::Move { text: "11-15".into() }).await.expect_err("no answer");
        assert_eq!(error.to_string(), "the connection was lost");
        assert_eq!((black.refused.len(), black.pending.len(), black.waiting.len()), (0, 1, 1));
        database.execute("ALTER TABLE lost RENAME TO events").await;
        black.connect().await.expect("a connection");
        black.wait_for_records(2).await.expect("the move");
        assert_eq!(server.store_events(&black.game_id).await, 2);
    }
}

#[tokio::test]
async fn a_command_that_the_database_failed_over_once_is_tried_again() {
    let server = TestServer::new(TestDatabase::postgres()).await;
    let (mut black, _white) = server.plain_pair().await;
    let mut database = server.database.connect().await;
    database.execute("CREATE SEQUENCE commits").await;
    // A sequence counts on even if the transaction that asked it is undone.
    let fail_once = "IF nextval('commits') = 1 THEN RAISE 'the disk hiccups'; END IF;";
    at_each_commit(&mut database, fail_once).await;
    black.play("11-15").await.expect("it is tried again");
    assert_eq!(server.store_events(&black.game_id).await, 2);
}

#[tokio::test]
async fn a_database_that_takes_nothing_is_told_in_words() {
    let server = TestServer::new(TestDatabase::sqlite()).await;
    let (mut black, _white) = server.plain_pair().await;
    let refuse = "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END";
    let mut database = server.database.connect().await;
    database.execute(refuse).await;
    let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
    let told = loop {
        let told = black.recv().await.expect("a promise").expect("a connection");
        if told["type"] == "waiting" {
            break told;
        }
    };
    assert_eq!(told["notice"], "The server cannot save moves at the moment; your move is waiting.");
    database.execute("DROP TRIGGER full").await;
    assert_eq!(black.wait_for_answer(&id).await.expect("an answer")["type"], "ack");
    assert_eq!(server.store_events(&black.game_id).await, 2);
}
