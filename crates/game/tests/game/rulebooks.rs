//! What differs from one rule book to another in a live game.

use crownhead_game::{Command, Effect, Game, OpeningChoice, Start, Time};
use crownhead_rules::{Colour, History, Move, Progress, RulebookId, SquareColour};

use crate::table::{Table, against, by, from_fen, two};

#[test]
fn yellow_moves_first_in_win_only_and_nothing_is_drawn_by_itself() {
    let mut table = Table::new(by(RulebookId::WinOnly, from_fen("B:WK32:BK1", two())));
    assert_eq!(table.view().status, "Yellow to move.");
    for _ in 0..60 {
        table.play(&["1-6", "32-27", "6-1", "27-32"]);
    }
    assert_eq!(table.game.outcome(), None);
}

#[test]
fn quick_draw_ends_after_fifty_moves_each_without_a_capture() {
    let mut table = Table::new(by(RulebookId::Quick, from_fen("B:WK32,K31,29:BK1,K2,4", two())));
    for ply in 0..100 {
        assert_eq!(table.game.outcome(), None, "after {ply} moves");
        let text = wander(table.game.history());
        table.play(&[&text]);
    }
    assert_eq!(table.view().status, "Draw: 50 moves each without a capture.");
}

/// A quiet move to the position that has come up least often and offers no capture.
fn wander(history: &History) -> String {
    let after = |mv: Move| {
        let mut after = history.clone();
        after.push_unchecked(mv);
        after
    };
    let moves = history.position().moves().into_iter();
    let quiet = moves.filter(|&mv| !after(mv).position().is_capture_due());
    let rare = quiet.min_by_key(|&mv| after(mv).occurrences(Progress::Capture));
    rare.expect("kings can step aside").to_string()
}

#[test]
fn quick_draw_ends_with_the_third_occurrence() {
    let mut table = Table::new(by(RulebookId::Quick, from_fen("B:WK32:BK1", two())));
    table.play(&["1-6", "32-27", "6-1", "27-32", "1-6", "32-27", "6-1", "27-32"]);
    assert_eq!(table.view().status, "Draw: the same position for the third time.");
}

#[test]
fn light_squares_and_numbers_are_told_to_the_screen() {
    let light = Table::new(by(RulebookId::Light, two())).view().rulebook;
    assert_eq!((light.playing_squares, light.shows_numbers), (SquareColour::Light, false));
    let numbered = Table::new(by(RulebookId::Numbered, two())).view().rulebook;
    assert_eq!((numbered.black, numbered.white, numbered.shows_numbers), (Colour::Red, Colour::White, true));
}

#[test]
fn jumps_are_written_as_the_rule_book_writes_them() {
    let mut table = Table::new(by(RulebookId::Numbered, two()));
    table.play(&["11-15", "22-18", "15x22"]);
    assert_eq!(table.view().list[2].text, "15-22");
    assert_eq!(table.view().status, "White must jump: 25 or 26.");
    assert_eq!(table.refused(&crate::table::mv("21-17")), "You must jump: 25-18 or 26-17.");
}

#[test]
fn the_computer_is_told_the_rules_the_moves_and_a_seed() {
    let mut table = Table::new(by(RulebookId::Quick, against(5)));
    table.play(&["11-15"]);
    let [Effect::Think { task }] = &table.effects[..] else { panic!("{:?}", table.effects) };
    assert_eq!((task.level.number(), task.moves.as_slice()), (5, ["11-15".to_owned()].as_slice()));
    assert_eq!(task.rulebook.id, RulebookId::Quick);
    let first = task.seed;
    table.play(&["23-18", "8-11"]);
    let [Effect::Think { task }] = &table.effects[..] else { panic!("{:?}", table.effects) };
    assert_ne!(task.seed, first);
    assert_eq!(task.history().as_ref(), Ok(table.game.history()));
}

#[test]
fn a_hint_stays_until_the_next_move() {
    let mut table = Table::new(against(5));
    table.screen(&Command::Hint);
    let [Effect::FindHint { task }] = &table.effects[..] else { panic!("{:?}", table.effects) };
    let found = Command::HintFound { request: task.request, text: "11-15".to_owned() };
    table.send(crownhead_game::Who::House, &found).expect("a hint");
    assert_eq!(table.view().hint.map(|hint| hint.path), Some(vec![11, 15]));
    assert_eq!(table.view().notice.as_deref(), Some("Hint: 11-15."));
    table.play(&["9-13"]);
    assert_eq!(table.view().hint, None);
    assert_eq!(table.view().notice, None);
    let late = table.send(crownhead_game::Who::House, &found).expect("ignored");
    assert!(late.records.is_empty());
}

#[test]
fn impossible_starts_are_refused_in_words() {
    let refused = |start: Start| Game::start(start, Time(0)).expect_err("no such game").to_string();
    assert_eq!(
        refused(from_fen("B:W1:B", two())),
        "That position cannot be played: White has a man on 1, where it would have become a king."
    );
    assert_eq!(
        refused(from_fen("B:W5:B", two())),
        "That position cannot be played: Black is to move and has no move."
    );
    let opening = |number| Start { opening: Some(OpeningChoice::Number(number)), ..two() };
    assert_eq!(refused(opening(175)), "There is no opening 175; they are numbered 1 to 174.");
    assert_eq!(
        refused(from_fen("B:W21-32:B1-12", opening(3))),
        "An opening begins from the usual position; leave out one of the two."
    );
}
