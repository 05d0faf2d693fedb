//! What a screen is told.

use crownhead_game::{Moment, Place, Start, View, Who};
use crownhead_rules::{RulebookId, Side};

use crate::table::{Table, against, by, from_fen, mv, two};

#[test]
fn a_piece_that_may_not_move_says_why() {
    let mut table = Table::new(against(3));
    let why = |table: &Table, square: u8| {
        table.view().pieces.into_iter().find(|piece| piece.square == square).expect("a piece").why_not
    };
    assert_eq!(why(&table, 11), None);
    assert_eq!(why(&table, 1).as_deref(), Some("That man has nowhere to go."));
    assert_eq!(why(&table, 22).as_deref(), Some("That man is Red's; you play Black."));
    table.play(&["11-15", "22-18"]);
    assert_eq!(table.view().status, "You must jump: 15.");
    assert_eq!(why(&table, 9).as_deref(), Some("That man cannot move: another one has to jump."));
    table.play(&["15x22"]);
    assert_eq!(why(&table, 9).as_deref(), Some("The computer is thinking; wait for its move."));
}

#[test]
fn a_multiple_jump_shows_every_landing_and_every_captured_piece() {
    let table = Table::new(from_fen("W:W29:B25,18,19,K11", two()));
    let view = table.view();
    assert_eq!(view.must_jump, [29]);
    assert_eq!(view.moves.len(), 1);
    let jump = &view.moves[0].moves[0];
    assert_eq!(jump.path.first(), Some(&29));
    assert_eq!(jump.captured.len() + 1, jump.path.len());
    assert_eq!(jump.captured[0], 25);
}

#[test]
fn a_wrong_move_is_refused_in_words() {
    let mut table = Table::new(two());
    assert_eq!(
        table.refused(&mv("11-18")),
        "A man moves one square diagonally forward; 11 does not reach 18."
    );
    assert_eq!(table.refused(&mv("11-8")), "Square 8 is taken.");
    assert_eq!(table.refused(&mv("22-18")), "Red stands on 22, and it is Black's turn.");
    assert_eq!(
        table.refused(&mv("hello")),
        "“hello” is not a move; moves are written 11-15, 22x15 or 22x15x8."
    );
}

#[test]
fn looking_back_shows_the_board_and_no_moves() {
    let mut table = Table::new(two());
    table.play(&["11-15", "22-18", "15x22"]);
    let now = table.view();
    let back = table.game.view_at(Who::Screen, Moment::at(table.now), 1);
    assert_eq!((now.shown, back.shown), (3, 1));
    assert_eq!(back.fen, "W:W21-32:B1-10,12,15");
    assert!(back.moves.is_empty() && back.must_jump.is_empty());
    assert_eq!(back.list, now.list);
    assert_eq!((now.players.black.captured.men, back.players.black.captured.men), (1, 0));
}

#[test]
fn the_last_move_is_told_in_words() {
    let mut table = Table::new(from_fen("B:WK18,32:B15,10", two()));
    table.play(&["15x22"]);
    let last = table.view().last_move.expect("a move");
    assert_eq!(last.sentence, "Black jumps from 15 to 22 and takes a king.");
    assert_eq!(table.view().players.black.captured.kings, 1);
}

#[test]
fn a_game_that_white_begins_numbers_its_moves_from_one() {
    let mut table = Table::new(from_fen("W:WK32:BK1", two()));
    table.play(&["32-27", "1-6", "27-32"]);
    let numbers: Vec<_> = table.view().list.iter().map(|listed| listed.number).collect();
    assert_eq!(numbers, [1, 2, 2]);
    assert_eq!(table.view().list[0].side, Side::White);
}

#[test]
fn names_are_cut_and_cleaned() {
    let mut start = two();
    start.players[0] = crownhead_game::Player::human("  \u{7}Anna\nof the very long and very noble name  ");
    let view = Table::new(start).view();
    assert_eq!(view.players.black.name, "Annaof the very long and very no");
    assert_eq!(view.players.white.name, "Bert");
}

#[test]
fn the_view_is_json() {
    let mut table = Table::new(against(3));
    table.play(&["11-15", "22-18"]);
    let json = serde_json::to_value(table.view()).expect("a view is JSON");
    assert_eq!(json["turn"], "black");
    assert_eq!(json["rulebook"]["id"], "american");
    assert_eq!(json["moves"][0]["moves"][0]["move"], "15x22");
    assert_eq!(json["players"]["white"]["level"], 3);
    assert_eq!(json["buttons"]["undo"]["enabled"], true);
    assert_eq!(json["last_move"]["path"], serde_json::json!([22, 18]));
}

/// The names of the buttons that a game has, in alphabetical order.
fn existing(view: &View) -> Vec<String> {
    let buttons = serde_json::to_value(&view.buttons).expect("buttons are JSON");
    let buttons = buttons.as_object().expect("by name");
    let mut names: Vec<String> =
        buttons.iter().filter(|(_, button)| button["exists"] == true).map(|(name, _)| name.clone()).collect();
    names.sort();
    names
}

#[test]
fn only_a_rule_book_that_lets_games_be_left_has_the_button_for_it() {
    for id in RulebookId::ALL {
        let view = Table::new(by(id, two())).view();
        assert_eq!(view.buttons.abandon.exists, id == RulebookId::WinOnly, "{id}");
        assert_eq!(view.buttons.abandon.enabled, id == RulebookId::WinOnly, "{id}");
        assert_eq!(view.buttons.claim_draw.exists, id == RulebookId::Numbered, "{id}");
    }
}

#[test]
fn one_screen_and_a_link_have_different_buttons() {
    let at_screen = Table::new(two()).view();
    assert_eq!(existing(&at_screen), ["hint", "new_game", "offer_draw", "redo", "rematch", "resign", "undo"]);
    let start = Start { place: Place::Link { away_limit_ms: 60_000 }, ..two() };
    let over_link = Table::new(start);
    let seen = |who| over_link.game.view(who, Moment::at(over_link.now));
    assert_eq!(
        existing(&seen(Who::Seat(Side::Black))),
        ["ask_takeback", "claim_forfeit", "new_game", "offer_draw", "rematch", "resign"]
    );
    assert_eq!(existing(&seen(Who::Watcher)), ["new_game"]);
}
