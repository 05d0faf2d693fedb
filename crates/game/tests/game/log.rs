//! Logs are read for ever, and damaged ones are noticed.

use crownhead_game::{Event, Game, LOG_VERSION, LogError, Record, Time};

use crate::table::{Table, from_fen, two};

fn read(text: &str) -> Vec<Record> {
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

/// Written by hand when the first format was made. Never to be changed: people have such games.
#[test]
fn the_golden_log_of_version_1_is_read() {
    let log = read(include_str!("../logs/v1.jsonl"));
    let game = Game::replay(&log).expect("the golden log");
    assert_eq!(game.history().position().to_string(), "B:W14,21,23,24,26-32:B1-7,9-12");
    let outcome = game.outcome().expect("it is over");
    assert_eq!(outcome.sentence(game.rulebook()), "White wins: Red resigned.");
    assert_eq!(game.rulebook().move_limit.map(|limit| limit.plies), Some(60), "as recorded, not as today");
    assert_eq!(game.seq(), log.len());
}

#[test]
fn the_golden_log_is_written_as_it_was_read() {
    let text = include_str!("../logs/v1.jsonl");
    for (line, record) in text.lines().zip(read(text)) {
        let written = serde_json::to_value(&record).expect("JSON");
        assert_eq!(written, serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    }
}

#[test]
fn a_log_that_cannot_be_is_refused() {
    let mut table = Table::new(two());
    table.play(&["11-15", "23-18"]);
    let problem = |change: &dyn Fn(&mut Vec<Record>)| {
        let mut log = table.log.clone();
        change(&mut log);
        Game::replay(&log).expect_err("a damaged log").to_string()
    };
    assert_eq!(problem(&|log| log.clear()), "the log is empty");
    assert_eq!(
        problem(&|log| drop(log.remove(0))),
        "record 0 of the log is damaged: a game starts with its first record and only there"
    );
    for n in [0, 2] {
        assert_eq!(
            problem(&|log| log[n].event = Event::Withdrawn),
            format!(
                "record {n} of the log is damaged: an invitation is withdrawn before there is a game, and then none \
                 begins"
            )
        );
    }
    assert_eq!(
        problem(&|log| drop(log.remove(1))),
        "record 1 of the log is damaged: it is the other side's turn: White stands on 23 and Black is to move"
    );
    assert_eq!(
        problem(&|log| log[2].at = Time(0)),
        "record 2 of the log is damaged: it is earlier than the record before"
    );
    assert_eq!(
        problem(&|log| log[2].event = Event::TakenBack { plies: 9 }),
        "record 2 of the log is damaged: there are fewer moves to take back or to make again"
    );
    assert_eq!(
        problem(&|log| log[2].event = Event::ClaimRefused { verdict: crownhead_game::Verdict::NoDraw }),
        "record 2 of the log is damaged: nothing like that was asked"
    );
    let mut log = table.log.clone();
    log[1].v = LOG_VERSION + 1;
    assert_eq!(Game::replay(&log), Err(LogError::Newer(LOG_VERSION + 1)));
}

/// Would take minutes if each record cost a copy of the game so far.
#[test]
fn a_very_long_log_is_read_in_one_pass() {
    let (game, step) = Game::start(from_fen("B:WK32:BK1", two()), Time(0)).expect("a game");
    let mut log = step.records;
    for text in ["1-6", "32-27", "6-1", "27-32"].into_iter().cycle().take(200_000) {
        let event = Event::Moved { text: text.to_owned(), lag_ms: 0 };
        log.push(Record::new(Time(0), event));
    }
    let read = Game::replay(&log).expect("a log");
    assert_eq!((read.seq(), read.history().position()), (log.len(), game.history().position()));
}
