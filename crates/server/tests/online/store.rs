//! What the store promises, on both databases.

use std::sync::Arc;
use std::time::Duration;

use crownhead_game::{Command, Event, Game, Player, Record, Start, Time};
use crownhead_server::Database;
use crownhead_server::online::{
    Backend, Change, GameId, GameStatus, Heartbeat, NewGame, Outage, Phase, Retention, SeatRole, Secret,
    StoreError, StoredEvent, Summary, TakenSeat,
};
use crownhead_testkit::Postgres;
use sqlx::{Connection, Executor, PgConnection};

use crate::harness::{TestDatabase, TestServer, on_both};

/// What has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(60);

fn start() -> Start {
    Start::new([Player::human("Anna"), Player::human("<b>Ben</b>")], 7)
}

pub(crate) fn invitation(game: GameId, owner: &Secret, at: u64) -> Change {
    let summary = Summary::waiting(&start());
    Change {
        game,
        new: Some(NewGame { start: start(), address: "somewhere".to_owned() }),
        seats: vec![TakenSeat { seat: SeatRole::Inviter, owner: owner.owner(), name: "Anna".to_owned() }],
        events: Vec::new(),
        seq: 0,
        status: GameStatus { updated: Time(at), wake_at: None, plies: 0, summary },
        next: None,
    }
}

fn stored(record: &Record) -> StoredEvent {
    StoredEvent {
        json: serde_json::to_string(record).expect("JSON"),
        record: record.clone(),
        command: "1:a".to_owned(),
    }
}

pub(crate) fn guest(owner: &Secret) -> TakenSeat {
    TakenSeat { seat: SeatRole::Guest, owner: owner.owner(), name: "<b>Ben</b>".to_owned() }
}

fn unplayed(before: u64) -> Retention {
    Retention { unplayed_before: Time(before), finished_before: None, outages_before: Time(0), first_day: 0 }
}

pub(crate) fn started(game: GameId, at: u64) -> Change {
    let (live, step) = Game::start(start(), Time(at)).expect("a game");
    Change {
        new: None,
        seats: Vec::new(),
        events: step.records.iter().map(stored).collect(),
        status: GameStatus {
            updated: Time(at),
            wake_at: Some(Time(at + 500)),
            plies: 0,
            summary: Summary::of(&live),
        },
        ..invitation(game, &Secret::random(), at)
    }
}

fn withdrawn(game: GameId, at: u64) -> Change {
    let event = Record::new(Time(at), Event::Withdrawn);
    Change {
        events: vec![stored(&event)],
        status: GameStatus {
            updated: Time(at),
            wake_at: None,
            plies: 0,
            summary: Summary::withdrawn(&start()),
        },
        ..started(game, at)
    }
}

on_both! {
    async fn what_was_written_is_read_back(server: TestServer) {
        let (store, id, anna) = (&server.store, GameId::random(), Secret::random());
        store.write(vec![invitation(id, &anna, 5)]).await.expect("an invitation");
        let joined = Change { seats: vec![guest(&Secret::random())], ..started(id, 9) };
        store.write(vec![joined]).await.expect("a start");
        let game = store.game(id).await.expect("an answer").expect("the game");
        assert_eq!((game.start, game.created, game.next), (start(), Time(5), None));
        assert_eq!(game.owners[0], Some(anna.owner()));
        assert_eq!(game.events, started(id, 9).events);
        assert_eq!(store.events(id, 1).await.expect("an answer"), []);
        let listed = store.games_of(&anna.owner(), 10).await.expect("an answer");
        assert_eq!((listed.len(), listed[0].game, listed[0].updated), (1, id, Time(9)));
        assert_eq!(listed[0].summary.names[1], "<b>Ben</b>");
        assert!(store.game(GameId::random()).await.expect("an answer").is_none());
    }

    async fn a_number_is_taken_once_whoever_asks(server: TestServer) {
        let other = server.database.open().await;
        for _ in 0..20 {
            let (id, owner) = (GameId::random(), Secret::random());
            server.store.write(vec![invitation(id, &owner, 1)]).await.expect("an invitation");
            let (one, two) = tokio::join!(
                server.store.write(vec![started(id, 2)]),
                other.write(vec![started(id, 3)]),
            );
            let lost = [&one, &two].into_iter().filter(|result| matches!(result, Err(StoreError::Taken))).count();
            assert_eq!((one.is_ok() ^ two.is_ok(), lost), (true, 1), "{one:?} {two:?}");
            assert_eq!(server.store.events(id, 0).await.expect("an answer").len(), 1);
        }
    }

    async fn a_guest_and_an_inviter_who_withdraws_never_both_succeed(server: TestServer) {
        let other = server.database.open().await;
        for n in 0..20 {
            let (id, owner) = (GameId::random(), Secret::random());
            server.store.write(vec![invitation(id, &owner, 1)]).await.expect("an invitation");
            let join = Change { seats: vec![guest(&Secret::random())], ..started(id, 2) };
            // Both are in each place once.
            let [here, there] = if n % 2 == 0 { [join, withdrawn(id, 3)] } else { [withdrawn(id, 3), join] };
            let (one, two) = tokio::join!(server.store.write(vec![here]), other.write(vec![there]));
            let lost = [&one, &two].into_iter().filter(|result| matches!(result, Err(StoreError::Taken))).count();
            assert_eq!((one.is_ok() ^ two.is_ok(), lost), (true, 1), "{one:?} {two:?}");
            let game = server.store.game(id).await.expect("an answer").expect("the game");
            let is_withdrawn = game.events[0].record.event == Event::Withdrawn;
            assert_eq!((game.events.len(), game.owners[1].is_none()), (1, is_withdrawn));
            assert_eq!(server.store.games_of(&owner.owner(), 9).await.expect("an answer").is_empty(), is_withdrawn);
        }
    }

    async fn what_is_withdrawn_is_not_listed_nor_counted_and_forgotten_in_time(server: TestServer) {
        let (store, id, owner) = (&server.store, GameId::random(), Secret::random());
        store.write(vec![invitation(id, &owner, 1)]).await.expect("an invitation");
        assert_eq!(store.open_games_of(&owner.owner()).await.expect("an answer"), 1);
        assert_eq!(store.open_games_from("somewhere").await.expect("an answer"), 1);
        store.write(vec![withdrawn(id, 2)]).await.expect("withdrawn");
        assert_eq!(store.games_of(&owner.owner(), 10).await.expect("an answer"), []);
        assert_eq!(store.open_games_of(&owner.owner()).await.expect("an answer"), 0);
        assert_eq!(store.open_games_from("somewhere").await.expect("an answer"), 0);
        assert!(store.game(id).await.expect("an answer").is_some(), "who comes late is told");
        assert_eq!(store.clean(unplayed(2)).await.expect("an answer"), 0);
        assert_eq!(store.clean(unplayed(3)).await.expect("an answer"), 1);
        assert!(store.game(id).await.expect("an answer").is_none());
    }

    async fn who_loses_leaves_nothing_behind(server: TestServer) {
        let (store, id, guest) = (&server.store, GameId::random(), Secret::random());
        store.write(vec![invitation(id, &Secret::random(), 1)]).await.expect("an invitation");
        store.write(vec![started(id, 2)]).await.expect("a start");
        let late = Change { seats: vec![crate::store::guest(&guest)], ..started(id, 3) };
        let rematch = invitation(GameId::random(), &guest, 3);
        let other = rematch.game;
        assert!(matches!(store.write(vec![late, rematch]).await, Err(StoreError::Taken)));
        let game = store.game(id).await.expect("an answer").expect("the game");
        assert_eq!((game.owners[1].clone(), game.events[0].record.at), (None, Time(2)));
        assert!(store.game(other).await.expect("an answer").is_none());
    }

    async fn a_change_that_cannot_be_does_not_harm_others(server: TestServer) {
        let (store, id) = (&server.store, GameId::random());
        // A seat that is taken twice, beside a game that can be.
        let twice = Change { seats: vec![guest(&Secret::random()), guest(&Secret::random())], ..invitation(GameId::random(), &Secret::random(), 1) };
        let (lost, kept) = tokio::join!(
            store.write(vec![twice]),
            store.write(vec![invitation(id, &Secret::random(), 1)]),
        );
        assert!(matches!(lost, Err(StoreError::Sqlite(_) | StoreError::Postgres(_))), "{lost:?}");
        kept.expect("an invitation");
        assert!(store.game(id).await.expect("an answer").is_some());
    }

    async fn games_are_due_when_their_time_is_up(server: TestServer) {
        let (store, id) = (&server.store, GameId::random());
        store.write(vec![invitation(id, &Secret::random(), 1)]).await.expect("an invitation");
        store.write(vec![started(id, 1_000)]).await.expect("a game");
        assert_eq!(store.due(Time(1_499), 10).await.expect("an answer"), []);
        assert_eq!(store.due(Time(1_500), 10).await.expect("an answer"), [id]);
    }

    async fn only_games_that_nobody_played_are_forgotten(server: TestServer) {
        let store = &server.store;
        let [fresh, old, clocked, played, finished, given_up] = [0; 6].map(|_| GameId::random());
        let owner = Secret::random();
        for (id, at) in [(fresh, 100), (old, 1), (clocked, 1), (played, 1), (finished, 1), (given_up, 1)] {
            store.write(vec![invitation(id, &owner, at)]).await.expect("an invitation");
        }
        store.write(vec![started(clocked, 2)]).await.expect("a start");
        for (id, plies, phase) in [(played, 1, Phase::Playing), (finished, 1, Phase::Over), (given_up, 0, Phase::Over)] {
            let mut change = started(id, 2);
            change.status.plies = plies;
            change.status.wake_at = None;
            change.status.summary.phase = phase;
            store.write(vec![change]).await.expect("a game");
        }
        assert_eq!(store.clean(unplayed(50)).await.expect("an answer"), 2);
        for (id, is_kept) in
            [(fresh, true), (old, false), (clocked, true), (played, true), (finished, true), (given_up, false)]
        {
            assert_eq!(store.game(id).await.expect("an answer").is_some(), is_kept);
        }
    }

    async fn a_server_that_runs_forgets_what_nobody_played(server: TestServer) {
        let mut anna = server.browser();
        let invited = anna.invite(&serde_json::json!({})).await.expect("an invitation");
        let (mut black, mut white) = server.plain_pair().await;
        black.command(Command::Resign).await.expect("the end without a move");
        let given_up = black.game_id;
        white.disconnect();
        let (mut black, _white) = server.plain_pair().await;
        black.play("11-15").await.expect("a move");
        server.clock.advance(31 * 86_400_000);
        for id in [invited, given_up] {
            let forgotten = async {
                while server.store.game(id.parse().expect("an id")).await.expect("an answer").is_some() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            };
            tokio::time::timeout(PATIENCE, forgotten).await.expect("it is forgotten");
        }
        assert_eq!(server.store_events(&black.game_id).await, 2);
    }

    async fn outages_are_noted_with_a_heartbeat_and_read_back(server: TestServer) {
        let (store, now) = (&server.store, server.clock.now().plus(1_000_000));
        let outage = Outage { since: now.plus(1_000), until: now.plus(9_000) };
        let beat = Heartbeat { server: 7, now: Arc::new(move || now.plus(9_000)), outages: vec![outage] };
        store.heartbeat(beat.clone()).await.expect("a beat");
        store.heartbeat(beat).await.expect("a beat");
        assert_eq!(store.last_heartbeat().await.expect("an answer"), Some(now.plus(9_000)));
        assert_eq!(store.outages(now).await.expect("an answer"), [outage]);
        assert_eq!(store.outages(now.plus(9_001)).await.expect("an answer"), []);
    }

    async fn an_event_is_stored_only_behind_its_predecessor(server: TestServer) {
        let (store, id) = (&server.store, GameId::random());
        store.write(vec![invitation(id, &Secret::random(), 1)]).await.expect("an invitation");
        let gap = Change { seq: 1, ..started(id, 2) };
        assert!(matches!(store.write(vec![gap]).await, Err(StoreError::Taken)));
        assert_eq!(store.events(id, 0).await.expect("an answer"), []);
        store.write(vec![started(id, 2)]).await.expect("a start");
        assert!(matches!(store.write(vec![started(GameId::random(), 2)]).await, Err(StoreError::Taken)), "no such game");
    }

    async fn a_browser_is_forgotten_with_its_names(server: TestServer) {
        let (store, id) = (&server.store, GameId::random());
        let (anna, ben) = (Secret::random(), Secret::random());
        store.write(vec![invitation(id, &anna, 1)]).await.expect("an invitation");
        store.write(vec![Change { seats: vec![guest(&ben)], ..started(id, 2) }]).await.expect("a start");
        assert_eq!(store.forget(&anna.owner()).await.expect("an answer"), [id]);
        assert_eq!(store.games_of(&anna.owner(), 9).await.expect("an answer"), []);
        let game = store.game(id).await.expect("an answer").expect("the game");
        assert_eq!((game.owners, game.names), ([None, Some(ben.owner())], [String::new(), "<b>Ben</b>".to_owned()]));
        assert!(!game.events[0].json.contains("Anna") && game.events[0].json.contains("<b>Ben</b>"));
    }

    async fn a_setting_is_made_once_and_shared(server: TestServer) {
        let other = server.database.open().await;
        let first = server.store.setting("word", "one").await.expect("an answer");
        assert_eq!((first.as_str(), other.setting("word", "two").await.expect("an answer").as_str()), ("one", "one"));
    }
}

#[tokio::test]
async fn a_database_of_the_first_version_is_brought_up_to_date_and_names_leave_its_log_on_request() {
    let database = TestDatabase::sqlite();
    let Database::File(file) = &database.database else { panic!("SQLite has a file") };
    let (id, owner) = (GameId::random(), Secret::random());
    let old = rusqlite::Connection::open(file).expect("a file");
    old.execute_batch(include_str!("../../migrations/1-games.sql")).expect("the tables of then");
    old.execute_batch(
        "CREATE TABLE _sqlx_migrations (version BIGINT); INSERT INTO _sqlx_migrations VALUES (1)",
    )
    .expect("as then");
    let summary = serde_json::to_string(&Summary::waiting(&start())).expect("JSON");
    let chosen = serde_json::to_string(&start()).expect("JSON");
    let record = started(id, 2).events.remove(0).json;
    assert!(record.contains("Anna"), "as it was written then");
    for (statement, parameters) in [
        ("INSERT INTO games VALUES (?1, 1, 2, 0, 0, 0, 'hash', ?2, ?3, '')", vec![&chosen, &summary]),
        ("INSERT INTO seats VALUES (?1, 0, ?2)", vec![&owner.owner_text()]),
        ("INSERT INTO events VALUES (?1, 0, ?2, '')", vec![&record]),
    ] {
        let id = id.to_string();
        let all: Vec<&String> = [vec![&id], parameters].concat();
        old.execute(statement, rusqlite::params_from_iter(all)).expect("a row of then");
    }
    drop(old);
    let store = database.open().await;
    let game = store.game(id).await.expect("an answer").expect("the game");
    assert_eq!((game.events.len(), game.start.players[0].name()), (1, "Anna"));
    assert_eq!(store.forget(&owner.owner()).await.expect("an answer"), [id]);
    let game = store.game(id).await.expect("an answer").expect("the game");
    assert!(!game.events[0].json.contains("Anna") && game.start.players[0].name().is_empty());
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_in_words() {
    let error =
        Backend::open(&Database::Address("mysql://x".to_owned())).await.err().expect("a refusal").to_string();
    assert_eq!(error, "\"mysql://x\" is not a database: give sqlite://FILE or postgres://USER@HOST/NAME");
}

#[tokio::test]
async fn a_database_on_the_network_is_reached_with_encryption_and_not_without() {
    let address = Postgres::shared().encrypted_database();
    Backend::open(&Database::Address(address.clone())).await.expect("an encrypted connection").close().await;
    let plain = Database::Address(address.replace("require", "disable"));
    let error = Backend::open(&plain).await.err().expect("a refusal").to_string();
    assert!(error.contains("no encryption"), "{error}");
}

/// Does one of those who use this PostgreSQL database wait for another?
pub(crate) async fn somebody_waits(connection: &mut PgConnection) -> bool {
    let waiting = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND database = \
                   (SELECT oid FROM pg_database WHERE datname = current_database())";
    sqlx::query_as::<_, (i64,)>(waiting).fetch_one(connection).await.expect("a count").0 > 0
}

#[tokio::test]
async fn who_is_known_by_the_events_has_a_seat_however_they_are_read() {
    let database = TestDatabase::postgres();
    let (store, id) = (Arc::new(database.open().await), GameId::random());
    store.write(vec![invitation(id, &Secret::random(), 1)]).await.expect("an invitation");
    let Database::Address(address) = &database.database else { panic!("PostgreSQL has an address") };
    let mut other = PgConnection::connect(address).await.expect("a connection");
    other.execute("BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE").await.expect("the lock");
    let reader = store.clone();
    let read = tokio::spawn(async move { reader.game(id).await });
    while !somebody_waits(&mut other).await {}
    // Somebody joins while the game is being read.
    let start = started(id, 2).events.remove(0).json;
    for (statement, value) in [
        ("INSERT INTO events (game, seq, json, command) VALUES ($1, 0, $2, '')", start.as_str()),
        ("INSERT INTO seats (game, seat, owner) VALUES ($1, 1, $2)", "somebody"),
    ] {
        sqlx::query(statement).bind(id.to_string()).bind(value).execute(&mut other).await.expect("written");
    }
    other.execute("COMMIT").await.expect("joined");
    let game = read.await.expect("no panic").expect("an answer").expect("the game");
    assert!(game.owners[1].is_some(), "{} events and no guest", game.events.len());
}
