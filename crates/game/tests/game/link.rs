//! Two players at two screens: the server runs the same game.

use crownhead_game::{ClockRule, Command, Effect, Game, Moment, Place, Start, Time, Who};
use crownhead_rules::Side;

use crate::table::{Table, against, mv, two};

const BLACK: Who = Who::Seat(Side::Black);
const WHITE: Who = Who::Seat(Side::White);
const LIMIT_MS: u64 = 60_000;

fn linked(clock: Option<ClockRule>) -> Table {
    Table::new(Start { place: Place::Link { away_limit_ms: LIMIT_MS }, clock, ..two() })
}

fn refusal(table: &mut Table, who: Who, command: &Command) -> String {
    table.send(who, command).expect_err("a refusal").to_string()
}

#[test]
fn only_the_owner_of_a_seat_moves_for_it() {
    let mut table = linked(None);
    assert_eq!(refusal(&mut table, WHITE, &mv("11-15")), "It is Black's turn.");
    for who in [Who::Watcher, Who::Screen, Who::House] {
        assert_eq!(refusal(&mut table, who, &mv("11-15")), "You are watching; only the players can do that.");
    }
    table.send(BLACK, &mv("11-15")).expect("Black's move");
    assert_eq!(refusal(&mut table, BLACK, &mv("22-18")), "It is Red's turn.");
}

#[test]
fn a_takeback_is_asked_for_and_granted() {
    let mut table = linked(None);
    assert_eq!(refusal(&mut table, BLACK, &Command::AskTakeback), "There is no move of yours to take back.");
    table.send(BLACK, &mv("11-15")).expect("a move");
    table.send(WHITE, &mv("23-18")).expect("a move");
    assert_eq!(
        refusal(&mut table, BLACK, &Command::Undo),
        "In a game over a link you ask the other player for a takeback."
    );
    table.send(BLACK, &Command::AskTakeback).expect("a question");
    assert_eq!(
        refusal(&mut table, BLACK, &Command::AnswerTakeback { accept: true }),
        "Nothing has been offered to you."
    );
    table.send(WHITE, &Command::AnswerTakeback { accept: true }).expect("an answer");
    assert!(table.game.history().moves().is_empty());
}

#[test]
fn a_takeback_that_is_declined_can_be_asked_for_again_after_a_move() {
    let mut table = linked(None);
    table.send(BLACK, &mv("11-15")).expect("a move");
    table.send(BLACK, &Command::AskTakeback).expect("a question");
    table.send(WHITE, &Command::AnswerTakeback { accept: false }).expect("an answer");
    assert_eq!(
        refusal(&mut table, BLACK, &Command::AskTakeback),
        "You have asked already; make a move first."
    );
    table.send(WHITE, &mv("22-18")).expect("a move");
    table.send(BLACK, &Command::AskTakeback).expect("a question");
    table.send(BLACK, &mv("15x22")).expect("a move");
    assert!(table.game.view(WHITE, Moment::at(table.now)).offers.is_empty());
}

#[test]
fn both_offering_a_draw_agree_on_it() {
    let mut table = linked(None);
    table.send(WHITE, &Command::OfferDraw).expect("an offer");
    table.send(BLACK, &Command::OfferDraw).expect("an offer");
    assert_eq!(table.view().status, "Draw: both players agreed.");
}

#[test]
fn both_must_want_to_play_again() {
    let mut table = linked(None);
    table.send(WHITE, &Command::Resign).expect("at any time");
    let first = table.send(BLACK, &Command::Rematch).expect("a wish");
    assert!(first.effects.is_empty());
    let second = table.send(WHITE, &Command::Rematch).expect("a wish");
    assert!(matches!(&second.effects[..], [Effect::NewGame { .. }]));
    assert_eq!(refusal(&mut table, WHITE, &Command::Rematch), "The next game is agreed on already.");
}

#[test]
fn who_is_gone_too_long_forfeits() {
    let mut table = linked(None);
    assert_eq!(refusal(&mut table, WHITE, &Command::ClaimForfeit), "Black is here.");
    let gone = |table: &Table, since: Time| Moment { black_away_since: Some(since), ..Moment::at(table.now) };
    let since = table.now;
    table.after(LIMIT_MS - 1);
    let moment = gone(&table, since);
    assert_eq!(
        table.send_at(WHITE, &Command::ClaimForfeit, moment).expect_err("too early").to_string(),
        "Black has been away for 59 s; a forfeit can be claimed after 60 s."
    );
    table.after(1);
    let moment = gone(&table, since);
    table.send_at(WHITE, &Command::ClaimForfeit, moment).expect("a claim");
    assert_eq!(table.view().status, "Red wins: Black forfeited the game.");
}

#[test]
fn who_was_gone_before_the_game_began_has_the_whole_limit_from_its_start() {
    let mut table = linked(None);
    let moment = |table: &Table| Moment { black_away_since: Some(Time(0)), ..Moment::at(table.now) };
    table.after(LIMIT_MS - 1);
    let early = moment(&table);
    assert_eq!(
        table.send_at(WHITE, &Command::ClaimForfeit, early).expect_err("too early").to_string(),
        "Black has been away for 59 s; a forfeit can be claimed after 60 s."
    );
    table.after(1);
    let late = moment(&table);
    table.send_at(WHITE, &Command::ClaimForfeit, late).expect("a claim");
}

#[test]
fn nobody_forfeits_while_there_are_days_for_a_move() {
    let mut table = linked(Some(ClockRule::Move { limit_ms: 24 * 60 * 60 * 1_000 }));
    let since = Some(table.now);
    table.after(10 * LIMIT_MS);
    let moment = Moment { black_away_since: since, ..Moment::at(table.now) };
    assert_eq!(
        table.send_at(WHITE, &Command::ClaimForfeit, moment).expect_err("days").to_string(),
        "Black need not stay at the board: there are days for a move."
    );
}

#[test]
fn a_move_made_in_time_counts_though_it_arrives_late() {
    let clock = Some(ClockRule::Game { initial_ms: 60_000, increment_ms: 0 });
    let mut table = linked(clock);
    table.after(60_100).send(Who::House, &Command::Tick).expect("a tick");
    assert_eq!(table.game.outcome(), None, "it may still be under way");
    let moment = Moment { lag_ms: 200, ..Moment::at(table.now) };
    table.send_at(BLACK, &mv("11-15"), moment).expect("a move");
    assert_eq!(table.view().players.black.clock.expect("a clock").left_ms, 100);

    let mut table = linked(clock);
    let moment = Moment { lag_ms: 50, ..Moment::at(table.after(60_100).now) };
    table.send_at(BLACK, &mv("11-15"), moment).expect("the end");
    assert_eq!(table.view().status, "Red wins: Black ran out of time.");
}

#[test]
fn the_computer_does_not_play_over_a_link() {
    let start = Start { place: Place::Link { away_limit_ms: LIMIT_MS }, ..against(3) };
    let refusal = Game::start(start, Time(0)).expect_err("people only");
    assert_eq!(refusal.to_string(), "The computer does not play over a link; both players are people there.");
}

#[test]
fn there_are_no_hints_over_a_link() {
    let mut table = linked(None);
    assert_eq!(refusal(&mut table, BLACK, &Command::Hint), "There are no hints in a game over a link.");
}

#[test]
fn each_player_sits_at_the_bottom_of_their_own_screen() {
    let table = linked(None);
    let moment = Moment::at(table.now);
    assert_eq!(table.game.view(WHITE, moment).bottom, Side::White);
    assert_eq!(table.game.view(BLACK, moment).status, "Your move.");
    assert_eq!(table.game.view(WHITE, moment).status, "Waiting for Black.");
    assert_eq!(table.game.view(Who::Watcher, moment).status, "Black to move.");
}

#[test]
fn who_asks_again_for_a_game_that_is_not_wanted_is_not_told_to_move() {
    let mut table = linked(None);
    table.send(WHITE, &Command::Resign).expect("the end");
    table.send(BLACK, &Command::Rematch).expect("a wish");
    table.send(WHITE, &Command::AnswerRematch { accept: false }).expect("an answer");
    let told = refusal(&mut table, BLACK, &Command::Rematch);
    assert_eq!(told, "You have asked already, and the answer was no.");
}

#[test]
fn a_preview_shows_what_waits_for_the_server_and_changes_nothing() {
    let mut table = linked(None);
    table.send(BLACK, &mv("11-15")).expect("a move");
    let (game, moment) = (table.game.clone(), Moment::at(table.now));
    let (ahead, refusal) = game.preview(WHITE, &[mv("22-18"), Command::OfferDraw], moment);
    assert_eq!((ahead.history().moves().len(), refusal), (2, None));
    let view = ahead.view(WHITE, moment);
    assert_eq!((view.offers.len(), view.your_turn), (1, false));
    assert_eq!(game, table.game);
}

#[test]
fn a_preview_leaves_out_what_is_refused_and_says_why_the_last_command_is() {
    let table = linked(None);
    let moment = Moment::at(table.now);
    let (ahead, refusal) = table.game.preview(BLACK, &[mv("11-8"), mv("11-15")], moment);
    assert_eq!((ahead.history().moves().len(), refusal), (1, None));
    let (ahead, refusal) = table.game.preview(BLACK, &[mv("11-15"), mv("10-14")], moment);
    assert_eq!(ahead.history().moves().len(), 1);
    assert_eq!(refusal.map(|refusal| refusal.to_string()).as_deref(), Some("It is Red's turn."));
}
