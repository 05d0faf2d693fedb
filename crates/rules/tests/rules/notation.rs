//! Move text: what is read, what is written, and what is said about the rest.

use crownhead_rules::{Position, Square};

use crate::position;

fn read(fen: &str, text: &str) -> String {
    match position(fen).parse_move(text) {
        Ok(mv) => mv.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn moves_are_read_in_every_usual_form() {
    for (fen, text, path) in [
        ("B:W21-32:B1-12", "11-15", "11-15"),
        ("B:W21-32:B1-12", " 09-13 ", "9-13"),
        ("B:W21-32:B1-12", "11x15", "11-15"),
        ("W:W22:B18", "22x15", "22x15"),
        ("W:W22:B18", "22-15", "22x15"),
        ("W:W22:B18", "22X15", "22x15"),
        ("W:W22:B18", "22:15", "22x15"),
        ("W:W22:B18", "22 × 15", "22x15"),
        ("W:W22:B18,11", "22x15x8", "22x15x8"),
        ("W:W22:B18,11", "22-8", "22x15x8"),
    ] {
        assert_eq!(read(fen, text), path, "{text} in {fen}");
    }
}

#[test]
fn the_short_form_is_written_unless_it_is_ambiguous() {
    let text = |fen: &str| {
        let position = position(fen);
        let mut texts: Vec<String> = position.moves().iter().map(|&mv| position.move_text(mv)).collect();
        texts.sort();
        texts
    };
    assert_eq!(text("W:W22:B18,11"), ["22x8"]);
    assert_eq!(text("B:W17,18,25,26:B14"), ["14x21x30", "14x23x30"]);
}

#[test]
fn an_ambiguous_capture_lists_its_candidates() {
    assert_eq!(read("B:W17,18,25,26:B14", "14x30"), "“14x30” can mean several moves: 14x21x30 or 14x23x30");
    assert_eq!(read("B:W17,18,25,26:B14", "14x23x30"), "14x23x30");
}

#[test]
fn squares_in_the_middle_may_be_left_out_while_one_move_remains() {
    let fen = "B:W17,25,27,18,26,19:BK14";
    for mv in position(fen).moves() {
        let squares: Vec<Square> = [mv.from()].into_iter().chain(mv.landings()).collect();
        let text = format!("{}x{}x{}", squares[0], squares[1], mv.to());
        assert!(position(fen).parse_move(&text).is_ok_and(|found| found.same_effect(mv)), "{text}");
    }
}

#[test]
fn an_illegal_move_says_why() {
    let start = Position::start().to_string();
    for (fen, text, sentence) in [
        (&*start, "", "an empty text is not a move; moves are written 11-15, 22x15 or 22x15x8"),
        (&start, "11", "“11” is not a move; moves are written 11-15, 22x15 or 22x15x8"),
        (&start, "11-", "“11-” is not a move; moves are written 11-15, 22x15 or 22x15x8"),
        (&start, "a3-b4", "“a3-b4” is not a move; moves are written 11-15, 22x15 or 22x15x8"),
        (&start, "11-33", "there is no square “33”; squares are numbered 1 to 32"),
        (&start, "0-4", "there is no square “0”; squares are numbered 1 to 32"),
        (&start, "15-18", "there is no piece on 15"),
        (&start, "22-18", "it is the other side's turn: White stands on 22 and Black is to move"),
        (&start, "8-11", "square 11 is occupied"),
        (&start, "11-18", "a man moves one square diagonally forward; 11 does not reach 18"),
        (&start, "11-11", "a man moves one square diagonally forward; 11 does not reach 11"),
        ("B:W32:B10", "10-7", "that man may not move backwards: 10 is not a king"),
        ("B:W32:BK10", "10-19", "a king moves one square diagonally; 10 does not reach 19"),
        ("B:W22,23,32:B18,1", "1-5", "a capture is compulsory: 18x25 or 18x27"),
        ("W:W22:B18,11", "22x15", "the jump has to be carried through: 22x8"),
        ("B:W26,27:B22", "22x31x24", "a man that reaches the king-row stops there: on 31"),
        (&start, "11-16-15", "there is nothing to capture, so the piece on 11 moves one square only"),
        (&start, "11-15-15", "there is nothing to capture, so the piece on 11 moves one square only"),
        ("W:W22:B18,11", "22x8x8", "a capture is compulsory: 22x8"),
        ("B:W10,11,17,18,19,25:BK30", "30x21", "the jump has to be carried through: 30x14"),
        ("B:W8,11:B4", "4-8", "Black has no move left"),
    ] {
        assert_eq!(read(fen, text), sentence, "{text} in {fen}");
    }
}

#[test]
fn long_and_strange_texts_are_refused_in_a_short_sentence() {
    for text in ["1-".repeat(50_000), "9".repeat(50_000), "x".repeat(9), "1-2-3-4-5-6-7-8-9-10-11-12".into()]
    {
        let error = Position::start().parse_move(&text).unwrap_err();
        assert!(error.to_string().len() < 200);
    }
}
