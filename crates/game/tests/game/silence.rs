//! "Still there?": an opponent who is connected and silent, in a game without a clock.

use crownhead_game::{ClockRule, Command, Event, Game, Moment, Place, Record, Start, Who};
use crownhead_rules::Side;

use crate::table::{Table, mv, two};

const BLACK: Who = Who::Seat(Side::Black);
const WHITE: Who = Who::Seat(Side::White);
const MINUTE_MS: u64 = 60_000;

fn linked(clock: Option<ClockRule>) -> Table {
    Table::new(Start { place: Place::Link { away_limit_ms: MINUTE_MS }, clock, ..two() })
}

fn refusal(table: &mut Table, who: Who, command: &Command) -> String {
    table.send(who, command).expect_err("a refusal").to_string()
}

/// A game in which White has just asked Black.
fn asked() -> Table {
    let mut table = linked(None);
    table.after(10 * MINUTE_MS).send(WHITE, &Command::AskStillThere).expect("a question");
    table
}

#[test]
fn a_silent_opponent_is_asked_after_ten_minutes_and_forfeits_after_two_more() {
    let mut table = linked(None);
    table.after(10 * MINUTE_MS - 1);
    assert_eq!(
        refusal(&mut table, WHITE, &Command::AskStillThere),
        "You can ask once Black has been silent for 10 minutes."
    );
    assert_eq!(refusal(&mut table, WHITE, &Command::ClaimForfeit), "Black is here.");
    table.after(1).send(WHITE, &Command::AskStillThere).expect("a question");
    assert_eq!(refusal(&mut table, WHITE, &Command::AskStillThere), "You have asked; wait for the answer.");
    table.after(2 * MINUTE_MS - 1);
    assert_eq!(
        refusal(&mut table, WHITE, &Command::ClaimForfeit),
        "Black has 1 s left to answer; after that you can claim the game."
    );
    table.after(1).send(WHITE, &Command::ClaimForfeit).expect("a claim");
    assert_eq!(table.view().status, "Red wins: Black forfeited the game.");
}

#[test]
fn any_sign_of_life_answers_the_question() {
    for answer in [Command::StillHere, Command::OfferDraw, mv("11-15")] {
        let mut table = asked();
        table.after(2 * MINUTE_MS).send(BLACK, &answer).expect("an answer");
        assert_eq!(refusal(&mut table, WHITE, &Command::ClaimForfeit), "Black is here.", "{answer:?}");
        assert_eq!(table.game.view(BLACK, Moment::at(table.now)).still_there, None);
    }
}

#[test]
fn an_answer_begins_another_ten_minutes() {
    let mut table = asked();
    table.send(BLACK, &Command::StillHere).expect("an answer");
    table.after(10 * MINUTE_MS - 1);
    refusal(&mut table, WHITE, &Command::AskStillThere);
    table.after(1).send(WHITE, &Command::AskStillThere).expect("a question");
}

#[test]
fn what_the_asker_says_is_no_sign_of_life() {
    let mut table = linked(None);
    table.after(9 * MINUTE_MS).send(WHITE, &Command::OfferDraw).expect("an offer");
    table.after(MINUTE_MS).send(WHITE, &Command::AskStillThere).expect("a question");
}

#[test]
fn a_question_needs_an_opponent_to_wait_for() {
    let mut table = linked(None);
    table.after(20 * MINUTE_MS);
    assert_eq!(refusal(&mut table, BLACK, &Command::AskStillThere), "It is your turn.");
    assert_eq!(
        refusal(&mut table, Who::Watcher, &Command::AskStillThere),
        "You are watching; only the players can do that."
    );
    assert_eq!(
        refusal(&mut table, BLACK, &Command::StillHere),
        "Your opponent has not asked whether you are still there."
    );
    table.send(WHITE, &Command::AskStillThere).expect("a question");
    assert_eq!(
        refusal(&mut table, WHITE, &Command::StillHere),
        "Your opponent has not asked whether you are still there."
    );
    let mut table = linked(Some(ClockRule::Game { initial_ms: 60 * MINUTE_MS, increment_ms: 0 }));
    table.after(20 * MINUTE_MS);
    assert_eq!(
        refusal(&mut table, WHITE, &Command::AskStillThere),
        "The clock decides here: you win if Black runs out of time."
    );
    let mut table = Table::new(two());
    table.after(20 * MINUTE_MS);
    assert_eq!(table.refused(&Command::AskStillThere), "On one screen, neither player can be away.");
}

#[test]
fn whoever_leaves_after_the_question_can_be_claimed_against_by_either_rule() {
    let mut table = asked();
    let moment = Moment { black_away_since: Some(table.now), ..Moment::at(table.after(MINUTE_MS).now) };
    table.send_at(WHITE, &Command::ClaimForfeit, moment).expect("a minute away is enough");
    let mut table = asked();
    let moment = Moment::at(table.after(2 * MINUTE_MS).now);
    let just_gone = Moment { black_away_since: Some(table.now), ..moment };
    table
        .send_at(WHITE, &Command::ClaimForfeit, just_gone)
        .expect("two minutes without an answer are enough");
}

#[test]
fn both_players_see_the_question_and_one_can_answer_it() {
    let mut table = linked(None);
    table.after(10 * MINUTE_MS);
    assert!(table.game.view(WHITE, Moment::at(table.now)).buttons.ask_still_there.enabled);
    table.send(WHITE, &Command::AskStillThere).expect("a question");
    let seen = |who| table.game.view(who, Moment::at(table.now)).still_there;
    let black = seen(BLACK).expect("the question");
    assert!(black.answerable);
    assert_eq!(
        black.sentence,
        "Are you still there? Make a move or say so; otherwise your opponent can claim the game in 2 minutes."
    );
    let white = seen(WHITE).expect("the question");
    assert!(!white.answerable);
    assert_eq!(
        white.sentence,
        "You asked whether Black is still there. Without an answer you can claim the game in 2 minutes."
    );
    assert_eq!(seen(Who::Watcher), None);
}

#[test]
fn a_log_with_questions_that_cannot_have_been_is_refused() {
    let table = linked(None);
    let problem = |event: Event| {
        let record = Record { event, ..table.log[0].clone() };
        Game::replay(&[table.log[0].clone(), record]).expect_err("a damaged log").to_string()
    };
    assert_eq!(
        problem(Event::StillThereAsked { by: Side::Black }),
        "record 1 of the log is damaged: players ask only while their opponent is to move"
    );
    assert_eq!(
        problem(Event::StillHere { by: Side::Black }),
        "record 1 of the log is damaged: nothing like that was asked"
    );
}
