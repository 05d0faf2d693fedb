//! Time on the network: an honest line costs nothing, a feigned one gains little.

use crownhead_game::{ClockRule, Command, Event, Moment, Place, Start, Who};
use crownhead_rules::Side;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::table::{Table, from_fen, mv, two};

/// The same cases in every run; the failing one is printed.
const SEED: u64 = 2026;
const BLACK: Who = Who::Seat(Side::Black);
const FIVE_MINUTES: ClockRule = ClockRule::Game { initial_ms: 300_000, increment_ms: 0 };
const ONE_MINUTE: ClockRule = ClockRule::Game { initial_ms: 60_000, increment_ms: 0 };

fn linked(clock: ClockRule) -> Table {
    Table::new(Start { place: Place::Link { away_limit_ms: 60_000 }, clock: Some(clock), ..two() })
}

/// Two kings that walk to and fro, by rules without a draw by repetition.
fn endless(clock: ClockRule) -> Table {
    let start = Start { place: Place::Link { away_limit_ms: 60_000 }, clock: Some(clock), ..two() };
    Table::new(from_fen("B:WK32:BK1", Start { rulebook: crownhead_rules::RulebookId::WinOnly, ..start }))
}

fn black_left_ms(table: &Table) -> u64 {
    table.view().players.black.clock.expect("a clock").left_ms
}

/// What Black is given back for each move, of which the time that it took and the lag that was measured are told. White's
/// take no time.
fn compensations(table: &mut Table, moves: impl IntoIterator<Item = (u64, u64)>) -> Vec<u64> {
    let mut walk = ["1-6", "32-27", "6-1", "27-32"].into_iter().cycle();
    let mut next = || mv(walk.next().expect("a cycle"));
    let mut compensated = Vec::new();
    for (took_ms, lag_ms) in moves {
        let before = black_left_ms(table);
        let moment = Moment { lag_ms, ..Moment::at(table.after(took_ms).now) };
        table.send_at(BLACK, &next(), moment).expect("a move in time");
        compensated.push(took_ms - (before - black_left_ms(table)));
        table.send(Who::Seat(Side::White), &next()).expect("a move in time");
    }
    compensated
}

#[test]
fn an_honest_line_of_200_ms_is_compensated_in_full_over_100_moves() {
    let mut table = endless(FIVE_MINUTES);
    assert_eq!(compensations(&mut table, [(200, 200); 100]), [200; 100]);
    assert_eq!(black_left_ms(&table), 300_000);
}

#[test]
fn a_single_bad_moment_is_compensated_up_to_the_quota() {
    for (lag_ms, expected) in [(0, 0), (300, 300), (1_000, 1_000), (2_500, 1_000)] {
        let mut table = linked(FIVE_MINUTES);
        let moment = Moment { lag_ms, ..Moment::at(table.after(3_000).now) };
        table.send_at(BLACK, &mv("11-15"), moment).expect("a move");
        assert_eq!(black_left_ms(&table), 300_000 - 3_000 + expected);
    }
}

#[test]
fn the_compensation_stands_in_the_log() {
    let mut table = linked(ONE_MINUTE);
    let moment = Moment { lag_ms: 495, ..Moment::at(table.after(1_000).now) };
    let step = table.send_at(BLACK, &mv("11-15"), moment).expect("a move");
    assert_eq!(step.records[0].event, Event::Moved { text: "11-15".to_owned(), lag_ms: 333 });
}

#[test]
fn a_flag_falls_when_no_move_under_way_could_count_any_more() {
    let mut table = linked(FIVE_MINUTES);
    let flag = table.now.plus(300_000);
    assert_eq!(table.view().wake_at, Some(flag.plus(1_000)));
    table.after(300_999).send(Who::House, &Command::Tick).expect("a tick");
    assert_eq!(table.game.outcome(), None, "a move may still be under way");
    table.after(1).send(Who::House, &Command::Tick).expect("a tick");
    assert_eq!(table.view().status, "Red wins: Black ran out of time.");
}

#[test]
fn a_spent_quota_shortens_the_grace_of_its_side_alone() {
    let mut table = endless(FIVE_MINUTES);
    compensations(&mut table, [(900, 900)]);
    let black = table.now.plus(300_000).plus(300);
    assert_eq!(table.view().wake_at, Some(black));
    table.send(BLACK, &mv("6-1")).expect("a move");
    assert_eq!(table.view().wake_at, Some(table.now.plus(300_000 + 1_000)), "White has spent nothing");
}

/// Written when lag was compensated up to half a second at every move.
#[test]
fn an_older_log_is_read_with_the_compensation_that_it_has() {
    let mut table = linked(ONE_MINUTE);
    table.after(500);
    let moved = Event::Moved { text: "11-15".to_owned(), lag_ms: 500 };
    table.log.push(crownhead_game::Record { at: table.now, event: moved, ..table.log[0].clone() });
    table.game = crownhead_game::Game::replay(&table.log).expect("an older log");
    assert_eq!(black_left_ms(&table), 60_000);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn forty_feigned_lags_gain_a_bounded_time(lags in prop::collection::vec(0u64..3_000, 40)) {
        for (clock, bound) in [(FIVE_MINUTES, 9_000), (ONE_MINUTE, 2_000)] {
            for feigned in [vec![495; 40], lags.clone()] {
                let mut table = endless(clock);
                let gained: u64 = compensations(&mut table, feigned.iter().map(|&lag| (495, lag))).iter().sum();
                prop_assert!(gained <= bound, "{gained} ms of {clock:?}");
            }
        }
    }

    #[test]
    fn no_line_is_given_back_more_than_it_took(lags in prop::collection::vec(0u64..300, 100)) {
        let mut table = endless(FIVE_MINUTES);
        for (given, lag) in compensations(&mut table, lags.iter().map(|&lag| (lag, lag))).into_iter().zip(lags) {
            prop_assert!(given <= lag);
        }
        prop_assert!(black_left_ms(&table) <= 300_000);
    }
}
