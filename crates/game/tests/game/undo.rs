//! Taking back and making again.

use crownhead_game::{Command, Effect, Who, Work};

use crate::table::{Table, against, from_fen, mv, two};

#[test]
fn undo_takes_back_the_move_and_its_answer() {
    let mut table = Table::new(against(3));
    table.play(&["11-15", "23-18"]);
    table.screen(&Command::Undo);
    assert_eq!(table.fen(), "B:W21-32:B1-12");
    table.screen(&Command::Redo);
    assert_eq!(table.game.history().moves().len(), 2);
}

#[test]
fn undo_while_the_computer_thinks_takes_back_one_move_and_its_answer_is_ignored() {
    let mut table = Table::new(against(3));
    table.play(&["11-15"]);
    let request = table.request().expect("the computer thinks");
    let step = table.screen(&Command::Undo);
    assert_eq!(step.effects, [Effect::Stop { work: Work::Think, request }]);
    let late = table.computer(request, "23-18");
    assert!(late.records.is_empty());
    assert_eq!(table.fen(), "B:W21-32:B1-12");

    // The same position again is another request.
    table.play(&["11-15"]);
    assert_ne!(table.request(), Some(request));
    assert!(table.computer(request, "23-18").records.is_empty());
}

#[test]
fn undo_is_off_at_the_hardest_level() {
    let mut table = Table::new(against(8));
    table.play(&["11-15", "23-18"]);
    assert_eq!(table.refused(&Command::Undo), "Undo is off at the hardest level.");
    assert_eq!(table.view().buttons.undo.why_not.as_deref(), Some("Undo is off at the hardest level."));
}

#[test]
fn two_players_take_back_one_move_at_a_time() {
    let mut table = Table::new(two());
    table.play(&["11-15", "23-18"]);
    table.screen(&Command::Undo);
    assert_eq!(table.game.history().moves().len(), 1);
    table.screen(&Command::Undo);
    assert_eq!(table.refused(&Command::Undo), "There is no move of yours to take back.");
    table.screen(&Command::Redo);
    table.screen(&Command::Redo);
    assert_eq!(table.refused(&Command::Redo), "There is no move to make again.");
    assert_eq!(table.game.history().moves().len(), 2);
}

#[test]
fn a_new_move_forgets_what_was_taken_back() {
    let mut table = Table::new(two());
    table.play(&["11-15"]);
    table.screen(&Command::Undo);
    table.play(&["9-13"]);
    assert_eq!(table.refused(&Command::Redo), "There is no move to make again.");
}

#[test]
fn undo_after_the_end_reopens_the_game_and_redo_ends_it_again() {
    let mut table = Table::new(from_fen("B:W18:B15", against(3)));
    table.play(&["15x22"]);
    assert!(table.game.outcome().is_some());
    table.screen(&Command::Undo);
    assert_eq!(table.game.outcome(), None);
    assert_eq!(table.view().status, "You must jump: 15.");
    table.screen(&Command::Redo);
    assert_eq!(table.view().status, "Black wins: Red has no piece left.");
}

#[test]
fn undo_takes_repetition_back() {
    let mut table = Table::new(from_fen("B:WK32:BK1", two()));
    table.play(&["1-6", "32-27", "6-1", "27-32", "1-6", "32-27", "6-1"]);
    table.screen(&Command::Undo);
    table.play(&["6-1", "27-32"]);
    assert_eq!(table.view().status, "Draw: the same position for the third time.");
    table.screen(&Command::Undo);
    assert_eq!(table.view().status, "Red to move.");
}

#[test]
fn the_opening_is_not_taken_back() {
    let mut start = against(3);
    start.opening = Some(crownhead_game::OpeningChoice::Number(5));
    start.colour = Some(crownhead_game::ColourChoice::Side(crownhead_rules::Side::White));
    let mut table = Table::new(start);
    assert_eq!(table.view().opening.map(|opening| opening.name).as_deref(), Some("Dreaded Edinburgh"));
    assert_eq!(table.refused(&Command::Undo), "There is no move of yours to take back.");
    table.play(&["24-19"]);
    table.screen(&Command::Undo);
    assert_eq!(table.game.history().moves().len(), 3);
}

#[test]
fn the_computer_that_moves_first_has_nothing_of_yours_to_take_back() {
    let mut start = against(3);
    start.colour = Some(crownhead_game::ColourChoice::Side(crownhead_rules::Side::White));
    let mut table = Table::new(start);
    table.play(&["11-15"]);
    assert_eq!(table.refused(&Command::Undo), "There is no move of yours to take back.");
}

#[test]
fn nobody_moves_for_the_computer() {
    let mut table = Table::new(against(3));
    table.play(&["11-15"]);
    assert_eq!(table.refused(&mv("23-18")), "The computer is thinking; wait for its move.");
    assert_eq!(
        table.send(Who::Screen, &Command::Tick).expect_err("a report").to_string(),
        "Only the program that runs the game can do that."
    );
}
