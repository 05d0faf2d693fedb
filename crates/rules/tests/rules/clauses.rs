//! The moves, clause by clause. `docs/RULES.md` tells which clause of which text each test proves.

use crownhead_rules::{
    History, MoveError, Outcome, Piece, Position, Rank, Rulebook, Side, Square, Squares, WinReason,
};

use crate::{moves, position};

fn square(number: u8) -> Square {
    Square::new(number).unwrap()
}

/// The position after a move that the test knows to be legal.
fn after(fen: &str, text: &str) -> Position {
    let position = position(fen);
    position
        .play_unchecked(position.parse_move(text).unwrap_or_else(|error| panic!("{text} in {fen}: {error}")))
}

fn outcome(fen: &str) -> Option<Outcome> {
    History::new(position(fen)).outcome(&Rulebook::default())
}

#[test]
fn each_side_starts_with_twelve_men_on_its_nearest_rows() {
    let start = Position::start();
    assert_eq!(start.men(Side::Black), Squares::row(0) | Squares::row(1) | Squares::row(2));
    assert_eq!(start.men(Side::White), Squares::row(5) | Squares::row(6) | Squares::row(7));
    assert!(start.all_kings().is_empty());
    assert_eq!(start.side_to_move(), Side::Black);
}

#[test]
fn the_board_has_32_playing_squares_and_one_at_each_near_left_corner() {
    assert_eq!((0..64).filter(|&i| Square::at(i / 8, i % 8).is_some()).count(), 32);
    // White sits at the bottom: its left corner is row 7, column 0; Black's is row 0, column 7.
    assert_eq!(Square::at(7, 0), Some(square(29)));
    assert_eq!(Square::at(0, 7), Some(square(4)));
    assert_eq!((Square::at(7, 7), Square::at(0, 0)), (None, None));
}

#[test]
fn turns_alternate() {
    let mut game = History::default();
    for (i, text) in ["11-15", "23-19", "8-11", "22-17"].into_iter().enumerate() {
        assert_eq!(game.position().side_to_move(), Side::BOTH[i % 2]);
        game.play(text).unwrap();
    }
}

#[test]
fn man_moves_one_square_diagonally_forward() {
    assert_eq!(moves("B:W32:B10"), ["10-14", "10-15"]);
    assert_eq!(moves("W:W22:B1"), ["22-17", "22-18"]);
    assert_eq!(moves("B:W23,24:B11,12"), ["11-15", "11-16", "12-16"]);
    assert_eq!(moves("W:W23,24:B11,12,14,18"), ["23-19", "24-19", "24-20"]);
}

#[test]
fn man_may_not_move_backwards() {
    let error = position("B:W32:B10").parse_move("10-6").unwrap_err();
    assert_eq!(error, MoveError::Backwards { square: square(10) });
}

#[test]
fn occupied_squares_are_no_goal() {
    assert_eq!(moves("B:W32:B10,14"), ["10-15", "14-17", "14-18"]);
    let error = position("B:W32:B10,14").parse_move("10-14").unwrap_err();
    assert_eq!(error, MoveError::Occupied { square: square(14) });
}

#[test]
fn king_moves_one_square_in_all_four_directions() {
    assert_eq!(moves("B:W32:BK15"), ["15-10", "15-11", "15-18", "15-19"]);
    assert_eq!(moves("W:WK18:B1"), ["18-14", "18-15", "18-22", "18-23"]);
}

#[test]
fn man_captures_forward_over_an_adjacent_piece_onto_the_square_behind() {
    assert_eq!(moves("B:W17:B14"), ["14x21"]);
    assert_eq!(moves("W:W17:B14"), ["17x10"]);
    assert_eq!(after("B:W17:B14", "14x21").to_string(), "W:W:B21");
    assert_eq!(moves("B:WK17:B14"), ["14x21"], "kings are captured like men");
}

#[test]
fn man_does_not_capture_backwards() {
    assert_eq!(moves("B:W10,32:B14"), ["14-17", "14-18"]);
}

#[test]
fn a_piece_with_an_occupied_square_behind_it_is_safe() {
    assert_eq!(moves("B:W18,23:B14"), ["14-17"]);
    assert_eq!(moves("B:W21:B17"), ["17-22"], "nothing lies behind the edge");
}

#[test]
fn king_captures_forward_and_backward() {
    assert_eq!(moves("B:W10,11,18,19,32:BK15"), ["15x22", "15x24", "15x6", "15x8"]);
}

#[test]
fn capture_is_compulsory() {
    assert_eq!(moves("B:W17:B1,5,14"), ["14x21"]);
    let error = position("B:W17:B1,14").parse_move("1-5").unwrap_err();
    assert_eq!(error, MoveError::CaptureDue { captures: vec!["14x21".into()] });
}

#[test]
fn any_capture_may_be_chosen_not_only_the_largest() {
    assert_eq!(moves("B:W9,10,18:B6"), ["6x13", "6x15x22"]);
}

#[test]
fn a_multiple_jump_is_carried_through() {
    assert_eq!(moves("B:W10,18:B6"), ["6x15x22"]);
    let error = position("B:W10,18:B6").parse_move("6x15").unwrap_err();
    assert_eq!(error, MoveError::Unfinished { continuations: vec!["6x22".into()] });
}

#[test]
fn man_changes_direction_within_one_multiple_jump() {
    assert_eq!(moves("B:W6,14:B2"), ["2x9x18"]);
}

#[test]
fn each_jump_takes_one_piece_and_all_leave_the_board() {
    let mv = position("B:W6,14,23:B2").parse_move("2x27").unwrap();
    assert_eq!(mv.captured(), Squares::numbered(&[6, 14, 23]));
    assert_eq!(mv.capture_count(), 3);
    assert_eq!(after("B:W6,14,23,32:B2", "2x27").to_string(), "W:W32:B27");
}

#[test]
fn a_piece_is_jumped_once_only() {
    // After the first round nothing is left to jump, though all four pieces still stand.
    assert_eq!(moves("B:W10,11,18,19:BK7"), ["7x14x23x16x7", "7x16x23x14x7"]);
}

#[test]
fn king_captures_in_a_circle_back_to_its_starting_square() {
    let board = after("B:W10,11,18,19,32:BK7", "7x16x23x14x7");
    assert_eq!(board.to_string(), "W:W32:BK7");
    assert_eq!(board.zobrist_hash(), position("W:W32:BK7").zobrist_hash());
}

#[test]
fn two_paths_over_the_same_captures_are_one_entry_in_lists() {
    let position = position("B:W10,11,18,19:BK7");
    assert_eq!(position.moves().len(), 2);
    assert_eq!(position.distinct_moves().len(), 1);
    assert_eq!(position.move_text(position.moves()[0]), "7x7");
    // A player may follow either path.
    for path in ["7x16x23x14x7", "7x14x23x16x7"] {
        assert_eq!(position.parse_move(path).unwrap().to_string(), path);
    }
}

#[test]
fn king_that_lands_on_the_far_row_goes_on_capturing() {
    assert_eq!(moves("B:W26,27:BK22"), ["22x31x24"]);
    assert_eq!(moves("W:WK11:B6,7"), ["11x2x9"]);
}

#[test]
fn man_that_lands_on_the_king_row_stops_there() {
    assert_eq!(moves("B:W26,27:B22"), ["22x31"]);
    assert_eq!(after("B:W26,27:B22", "22x31").to_string(), "W:W27:BK31");
}

#[test]
fn man_becomes_a_king_on_the_far_row_and_the_turn_ends() {
    for (fen, text, to) in [("B:W32:B25", "25-29", 29), ("W:W6:B3", "6-1", 1)] {
        let board = after(fen, text);
        let mover = position(fen).side_to_move();
        assert_eq!(board.piece_at(square(to)), Some(Piece::king(mover)));
        assert_eq!(board.side_to_move(), !mover);
    }
}

#[test]
fn king_stays_a_king_wherever_it_goes() {
    let board = after("B:W32:BK29", "29-25");
    assert_eq!(board.piece_at(square(25)).map(|piece| piece.rank), Some(Rank::King));
}

#[test]
fn a_captured_king_is_gone_with_its_crown() {
    let board = after("B:WK17,32:B14", "14x21");
    assert!(board.all_kings().is_empty());
}

#[test]
fn side_without_pieces_has_lost() {
    let expected = Outcome::Win { winner: Side::Black, reason: WinReason::NoPieces };
    assert_eq!(outcome("W:W:B21"), Some(expected));
}

#[test]
fn side_whose_pieces_are_all_blocked_has_lost() {
    let expected = Outcome::Win { winner: Side::White, reason: WinReason::Blocked };
    assert_eq!(moves("B:W8,11:B4"), Vec::<String>::new());
    assert_eq!(outcome("B:W8,11:B4"), Some(expected));
}

#[test]
fn side_that_can_move_has_not_lost() {
    assert_eq!(outcome("B:W8:B4"), None, "4x11 is there");
    assert_eq!(outcome("B:W32:B1"), None);
}

#[test]
fn offered_pieces_must_be_taken_whoever_offers_them() {
    // Actively: a man steps up to White's. Passively: it stood there before, and the man behind it moves away.
    for (fen, offer) in [("B:W22:B14,1", "14-18"), ("B:W22,25:B15,18", "15-19")] {
        let offered = after(fen, offer);
        assert!(offered.is_capture_due(), "{offer} in {fen}");
        assert!(offered.moves().iter().all(|mv| mv.is_capture()), "{offer} in {fen}");
    }
}

#[test]
fn a_captured_square_is_left_empty() {
    assert!(after("B:W17:B14", "14x21").empty().contains(square(17)));
    assert!(after("W:W17:B14", "17x10").empty().contains(square(14)));
}
