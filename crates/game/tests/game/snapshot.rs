//! Snapshots: the same game as its log gives, at the size of the board's moves, whatever is in them.

use crownhead_game::{
    Command, Game, LogError, Moment, Place, Record, SNAPSHOT_VERSION, Snapshot, Start, Time, Who,
};
use crownhead_rules::Side;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

use crate::properties::{SEED, command, fitted, pause, start, who};
use crate::table::{Table, mv, two};

/// The game of a snapshot that went through JSON.
fn through_json(game: &Game) -> Game {
    let text = serde_json::to_string(&game.snapshot()).expect("a snapshot is JSON");
    let snapshot: Snapshot = serde_json::from_str(&text).expect("a snapshot");
    Game::restore(&snapshot).expect("our own snapshot")
}

fn linked() -> Table {
    Table::new(Start { place: Place::Link { away_limit_ms: 60_000 }, ..two() })
}

fn restored(snapshot: Value) -> Result<Game, LogError> {
    Game::restore(&serde_json::from_value(snapshot).expect("the form of a snapshot"))
}

fn snapshot_json(game: &Game) -> Value {
    serde_json::to_value(game.snapshot()).expect("JSON")
}

#[test]
fn takebacks_do_not_make_a_snapshot_longer() {
    let mut table = linked();
    for _ in 0..200 {
        table.send(Who::Seat(Side::Black), &mv("11-15")).expect("a move");
        table.send(Who::Seat(Side::Black), &Command::AskTakeback).expect("a question");
        table.send(Who::Seat(Side::White), &Command::AnswerTakeback { accept: true }).expect("an answer");
    }
    let (log, snapshot) = (serde_json::to_string(&table.log), serde_json::to_string(&table.game.snapshot()));
    let (log, snapshot) = (log.expect("JSON").len(), snapshot.expect("JSON").len());
    assert!(log > 40_000, "{log}");
    assert!(snapshot < 1_500, "{snapshot}");
    assert_eq!(through_json(&table.game), table.game);
}

#[test]
fn a_snapshot_of_a_newer_program_is_refused() {
    let mut newer = snapshot_json(&linked().game);
    newer["v"] = json!(SNAPSHOT_VERSION + 1);
    assert_eq!(restored(newer), Err(LogError::NewerSnapshot(SNAPSHOT_VERSION + 1)));
}

#[test]
fn a_snapshot_that_cannot_be_is_refused() {
    let mut table = linked();
    table.send(Who::Seat(Side::Black), &mv("11-15")).expect("a move");
    let problem = |field: &str, value: Value| {
        let mut snapshot = snapshot_json(&table.game);
        snapshot[field] = value;
        restored(snapshot).expect_err("a damaged snapshot").to_string()
    };
    let damaged = |problem: &str| format!("the snapshot is damaged: {problem}");
    assert_eq!(problem("moves", json!(["11-8"])), damaged("square 8 is occupied"),);
    assert_eq!(problem("undone", json!([["11-15"]])), damaged("there is no piece on 11"),);
    assert_eq!(problem("seq", json!(1)), damaged("the number of records does not fit the moves"));
    assert_eq!(problem("at", json!(0)), damaged("it is earlier than the record before"));
    let rule = json!({"kind": "move", "limit_ms": 1_000});
    let clock = json!({"rule": rule, "left_ms": [0, 0], "since": null, "lag": [0, 0]});
    assert_eq!(problem("clock", clock), damaged("the clock is not the one that the game began with"));
    let rematch = json!([{"offer": "rematch", "by": "black", "turn": 0}]);
    assert_eq!(problem("pending", rematch), damaged("the game was not over"));
}

/// Commands at moments, with numbers that are made to fit the game when they are sent.
type Script = Vec<(Who, Command, u64, u64)>;

fn script() -> impl Strategy<Value = Script> {
    prop::collection::vec((who(), command(), pause(), 0u64..800), 1..100)
}

/// Any game, or one over a link without a clock.
fn any_start() -> impl Strategy<Value = Start> {
    let linked =
        any::<u32>().prop_map(|seed| Start { place: Place::Link { away_limit_ms: 60_000 }, seed, ..two() });
    prop_oneof![start(), linked]
}

/// Gives a command from somebody who may, and a question only after a long silence.
fn obey(game: &mut Game, who: Who, command: Command, wait: u64, lag_ms: u64) -> Vec<Record> {
    let command = fitted(game, command);
    let is_linked = matches!(game.started().place, Place::Link { .. });
    let (who, wait) = match (who, &command) {
        (_, command) if command.is_report() => (Who::House, wait),
        (_, Command::AskStillThere) => (Who::Seat(!game.side_to_move()), wait + 600_000),
        (Who::Screen, _) if is_linked => (Who::Seat(game.side_to_move()), wait),
        (who, _) => (who, wait),
    };
    let moment = Moment { lag_ms, ..Moment::at(game.last_at().plus(wait)) };
    let records = game.handle(who, &command, moment).map(|step| step.records).unwrap_or_default();
    let _ = game.view(who, moment);
    records
}

/// Plays a script and calls back after each command with the game and the records so far.
fn play(start: Start, script: Script, mut each: impl FnMut(&Game, &[Record])) -> (Game, Vec<Record>) {
    let (mut game, step) = Game::start(start, Time(50_000)).expect("a game that can be");
    let mut log = step.records;
    for (who, command, wait, lag_ms) in script {
        log.extend(obey(&mut game, who, command, wait, lag_ms));
        each(&game, &log);
    }
    (game, log)
}

/// Puts another value in the place of one inside a value, which is found by going down from child to child.
fn mangle(value: &mut Value, way: &[Index], replacement: Value) {
    let Some((step, rest)) = way.split_first() else {
        *value = replacement;
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let n = step.index(items.len());
            mangle(&mut items[n], rest, replacement);
        }
        Value::Object(fields) if !fields.is_empty() => {
            let n = step.index(fields.len());
            mangle(fields.values_mut().nth(n).expect("one of them"), rest, replacement);
        }
        leaf => *leaf = replacement,
    }
}

/// A field that may be missing, with a value that it could have.
fn field() -> impl Strategy<Value = (&'static str, Value)> {
    let offer = |name: &str| json!({"offer": name, "by": "white", "turn": 3});
    prop::sample::select(vec![
        ("pending", json!([offer("draw")])),
        ("pending", json!([offer("takeback"), offer("abandon")])),
        ("pending", json!([offer("rematch")])),
        ("outcome", json!({"result": "abandoned"})),
        ("outcome", json!({"result": "win", "winner": "black", "reason": "time"})),
        ("outcome", json!(null)),
        ("claim", json!("black")),
        ("hint", json!("asked")),
        ("hint", json!({"given": "11-15"})),
        ("notice", json!({"type": "hint"})),
        ("notice", json!({"type": "taken_back"})),
        ("declined", json!([[{"offer": "draw"}, "black"], ["claim", "white"]])),
        ("undone", json!([["11-15"], []])),
        ("undone", json!([["11-15", "22-18"]])),
        ("silence", json!({"since": 0, "asked_at": u64::MAX})),
        ("turn", json!(u32::MAX)),
        ("seq", json!(u64::from(u32::MAX))),
    ])
}

fn replacement() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(0.5),
        json!(""),
        json!("11-15"),
        json!("black"),
        json!([]),
        json!([[]]),
        json!(["11-15"]),
        json!({}),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_snapshot_at_any_point_gives_the_same_game(start in any_start(), script in script()) {
        play(start, script, |game, _| assert_eq!(&through_json(game), game));
    }

    #[test]
    fn a_game_goes_on_from_a_snapshot_as_from_its_log(start in any_start(), script in script(), at in any::<Index>()) {
        let mut halfway = None;
        let stop = at.index(script.len());
        let mut commands = 0;
        let (game, log) = play(start, script, |game, log| {
            if commands == stop {
                halfway = Some((through_json(game), log.len()));
            }
            commands += 1;
        });
        let (mut restored, known) = halfway.expect("a point of the script");
        prop_assert_eq!(restored.seq(), known);
        for record in &log[known..] {
            restored.absorb(record).expect("the next record");
        }
        prop_assert_eq!(restored, game);
    }

    #[test]
    fn no_snapshot_breaks_the_program(
        start in any_start(),
        script in script(),
        changes in prop::collection::vec((prop::collection::vec(any::<Index>(), 1..4), replacement()), 0..3),
        fields in prop::collection::vec(field(), 0..3),
        later in script(),
    ) {
        let (game, log) = play(start, script, |_, _| {});
        let mut snapshot = snapshot_json(&game);
        for (way, replacement) in changes {
            mangle(&mut snapshot, &way, replacement);
        }
        if let Some(object) = snapshot.as_object_mut() {
            object.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
        let read = serde_json::from_value::<Snapshot>(snapshot).ok();
        let Some(mut game) = read.and_then(|snapshot| Game::restore(&snapshot).ok()) else { return Ok(()) };
        let _ = game.absorb(&log[log.len() - 1]);
        for (who, command, wait, lag_ms) in later {
            obey(&mut game, who, command, wait, lag_ms);
            prop_assert_eq!(&through_json(&game), &game);
        }
    }

    #[test]
    fn no_text_breaks_the_reader(at in any::<Index>(), byte in any::<u8>()) {
        let mut text = serde_json::to_vec(&linked().game.snapshot()).expect("JSON");
        let at = at.index(text.len());
        text[at] = byte;
        if let Ok(snapshot) = serde_json::from_slice::<Snapshot>(&text) {
            let _ = Game::restore(&snapshot);
        }
    }
}
