//! Time, told from outside.

use crownhead_game::{ClockRule, Command, Event, Game, Moment, Record, Start, Time, Who};

use crate::table::{Table, against, mv, two};

const BLITZ: ClockRule = ClockRule::Game { initial_ms: 60_000, increment_ms: 2_000 };

fn timed(start: Start) -> Table {
    Table::new(Start { clock: Some(BLITZ), ..start })
}

fn left(table: &Table) -> (u64, u64) {
    let players = table.view().players;
    (players.black.clock.expect("a clock").left_ms, players.white.clock.expect("a clock").left_ms)
}

#[test]
fn the_side_to_move_pays_and_a_move_is_credited() {
    let mut table = timed(two());
    table.after(10_000);
    assert_eq!(left(&table), (50_000, 60_000));
    table.play(&["11-15"]);
    assert_eq!(left(&table), (52_000, 60_000));
    table.after(5_000);
    assert_eq!(left(&table), (52_000, 55_000));
}

#[test]
fn the_time_of_the_side_to_move_runs_out() {
    let mut table = timed(two());
    assert_eq!(table.view().wake_at, Some(table.now.plus(60_000)));
    table.after(59_999).send(Who::House, &Command::Tick).expect("a tick");
    assert_eq!(table.game.outcome(), None);
    table.after(1).send(Who::House, &Command::Tick).expect("a tick");
    assert_eq!(table.view().status, "Red wins: Black ran out of time.");
    assert_eq!(left(&table), (0, 60_000));
    assert_eq!(table.view().wake_at, None);
}

#[test]
fn a_move_after_the_time_is_up_is_not_made() {
    let mut table = timed(two());
    table.after(60_000).screen(&mv("11-15"));
    assert_eq!(table.view().status, "Red wins: Black ran out of time.");
    assert!(table.game.history().moves().is_empty());
    assert_eq!(
        table.refused(&Command::Undo),
        "The time is up, and taking a move back does not bring it back."
    );
}

#[test]
fn undo_does_not_give_time_back() {
    let mut table = timed(against(3));
    table.after(10_000).play(&["11-15"]);
    table.after(3_000).play(&["23-18"]);
    table.after(4_000).screen(&Command::Undo);
    assert_eq!(left(&table), (48_000, 59_000));
    table.after(1_000);
    assert_eq!(left(&table), (47_000, 59_000));
}

#[test]
fn an_undo_after_the_end_starts_the_clock_again() {
    let mut table = timed(two());
    table.after(1_000).play(&["11-15"]);
    table.screen(&Command::Resign);
    table.after(500_000);
    assert_eq!(left(&table), (61_000, 60_000));
    table.screen(&Command::Undo);
    table.after(1_000);
    assert_eq!(left(&table), (60_000, 60_000));
}

#[test]
fn time_in_which_nobody_ran_the_game_is_not_charged() {
    let mut table = timed(two());
    let alive = table.after(5_000).now;
    table.after(3_600_000);
    // Who comes back says so before anything else happens.
    let back = Command::Interrupted { since: alive };
    table.send(Who::House, &back).expect("a report");
    assert_eq!(left(&table), (55_000, 60_000));
}

#[test]
fn an_outage_is_taken_out_of_the_clock_with_the_next_record_and_once() {
    let (mut game, step) = Game::start(Start { clock: Some(BLITZ), ..two() }, Time(0)).expect("a game");
    let mut log = step.records;
    let moment = |now, outage_ms| Moment { outage_ms, ..Moment::at(Time(now)) };
    let left = |game: &Game, moment: Moment| {
        let players = game.view(Who::Screen, moment).players;
        (players.black.clock.expect("a clock").left_ms, players.white.clock.expect("a clock").left_ms)
    };
    // Of 100 s, 90 were an outage: no flag falls, and nothing is recorded for it alone.
    let ticked = game.handle(Who::House, &Command::Tick, moment(100_000, 90_000)).expect("a tick");
    assert_eq!(ticked.records, []);
    assert_eq!(left(&game, moment(100_000, 90_000)), (50_000, 60_000));
    let mv = Command::Move { text: "11-15".into() };
    log.extend(game.handle(Who::Screen, &mv, moment(101_000, 90_000)).expect("a move").records);
    assert_eq!(log[1].outage_ms, 90_000);
    assert_eq!(left(&game, Moment::at(Time(101_000))), (51_000, 60_000));
    assert_eq!(left(&game, Moment::at(Time(102_000))), (51_000, 59_000));
    assert_eq!(Game::replay(&log).expect("a log"), game);
    let flagged = game.handle(Who::House, &Command::Tick, Moment::at(Time(161_000))).expect("a tick");
    assert!(matches!(flagged.records[..], [Record { event: Event::Ended { .. }, outage_ms: 0, .. }]));
}

#[test]
fn an_outage_longer_than_the_turn_gives_nobody_extra_time() {
    let (mut game, _) = Game::start(Start { clock: Some(BLITZ), ..two() }, Time(0)).expect("a game");
    let mv = Command::Move { text: "11-15".into() };
    let moment = Moment { outage_ms: 1_000_000, ..Moment::at(Time(5_000)) };
    game.handle(Who::Screen, &mv, moment).expect("a move");
    let players = game.view(Who::Screen, Moment::at(Time(5_000))).players;
    // The increment, and not a millisecond more.
    assert_eq!(players.black.clock.expect("a clock").left_ms, 62_000);
}

#[test]
fn a_clock_that_is_set_back_takes_nothing() {
    let mut table = timed(two());
    table.now = Time(5);
    table.play(&["11-15"]);
    assert_eq!(left(&table).0, 62_000);
}

#[test]
fn every_move_has_its_own_time() {
    let day = 24 * 60 * 60 * 1_000;
    let mut table = Table::new(Start { clock: Some(ClockRule::Move { limit_ms: 2 * day }), ..two() });
    table.after(day).play(&["11-15"]);
    table.after(day).play(&["23-18"]);
    assert_eq!(left(&table), (2 * day, day));
    table.after(2 * day).send(Who::House, &Command::Tick).expect("a tick");
    assert_eq!(table.view().status, "Red wins: Black ran out of time.");
}

#[test]
fn clocks_that_make_no_sense_are_refused() {
    for rule in [
        ClockRule::Game { initial_ms: 0, increment_ms: 0 },
        ClockRule::Game { initial_ms: u64::MAX, increment_ms: 0 },
        ClockRule::Game { initial_ms: 60_000, increment_ms: u64::MAX },
        ClockRule::Move { limit_ms: 0 },
    ] {
        let start = Start { clock: Some(rule), ..two() };
        assert!(crownhead_game::Game::start(start, Time(0)).is_err(), "{rule:?}");
    }
}
