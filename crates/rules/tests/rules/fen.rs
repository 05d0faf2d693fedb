//! FEN: what is read, what is written, and what is said about the rest.

use crownhead_rules::{FenError, Position, Setup, SetupError, Side, Square, Squares};

use crate::position;

fn error(fen: &str) -> String {
    fen.parse::<Position>().expect_err(fen).to_string()
}

#[test]
fn all_ways_of_writing_the_start_are_read() {
    for fen in [
        "B:W21-32:B1-12",
        "B:B1-12:W21-32",
        "b:w21-32:b1-12",
        "B:W21-32:B1-12.",
        "B:W21-32:B1-12:",
        "  B : W 21 - 32 : B 1-4, 5 ,6-12 . ",
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B01,02,03,4,5,6,7,8,9,10,11,12",
    ] {
        assert_eq!(fen.parse(), Ok(Position::start()), "{fen}");
    }
    assert_eq!(Position::start().to_string(), "B:W21-32:B1-12");
}

#[test]
fn kings_and_ranges_of_kings_are_read_and_written() {
    let fen = "W:W4,K5:BK1-3,12,K13,K14,16-18";
    assert_eq!("W:BK1-3,k14,K13,12,16,17,18:Wk5,4".parse::<Setup>().unwrap().to_string(), fen);
    assert_eq!(position("W:WK5:BK1-3").kings(Side::Black).len(), 3);
}

#[test]
fn a_side_may_have_no_piece_left() {
    let position = position("W:W5-7:B");
    assert!(position.pieces(Side::Black).is_empty());
    assert_eq!(position.to_string(), "W:W5-7:B");
}

#[test]
fn a_wrong_fen_is_refused_with_a_sentence_that_names_the_culprit() {
    let cases = [
        ("", "an empty text is not a side: expected B or W, as in B:W21-32:B1-12"),
        ("X:W21:B1", "“X” is not a side: expected B or W, as in B:W21-32:B1-12"),
        ("?:W21:B1", "“?” is not a side: expected B or W, as in B:W21-32:B1-12"),
        ("B", "the pieces are missing: expected both sides, as in B:W21-32:B1-12"),
        ("B:W21", "Black's pieces are missing: expected :B and squares"),
        ("B:B1", "White's pieces are missing: expected :W and squares"),
        ("B:W21:W22", "White's pieces are given twice and Black's are missing"),
        ("B:W33:B1", "there is no square “33”; squares are numbered 1 to 32"),
        ("B:W0:B1", "there is no square “0”; squares are numbered 1 to 32"),
        (
            "B:W21:B999999999999999999999",
            "there is no square “999999999999999999999”; squares are numbered 1 to 32",
        ),
        ("B:W21,21:B1", "square 21 is named twice"),
        ("B:W20-22,21:B1", "square 21 is named twice"),
        ("B:W21:B21", "square 21 is named twice"),
        ("B:W32-21:B1", "the range 32-21 runs backwards; write 21-32"),
        ("B:W21,:B1", "expected a square from 1 to 32 and found an empty text"),
        ("B:WQ21:B1", "expected a square from 1 to 32 and found “Q21”"),
        ("B:W21:B1:H0", "“H0” is left over after the pieces of both sides"),
        ("B:W21:B1 white resigned", "expected a square from 1 to 32 and found “1 white resigned”"),
        ("B:W4:B29", "Black has a man on 29, where it would have become a king"),
        ("B:W4:B12", "White has a man on 4, where it would have become a king"),
        ("B:W20-32:B1", "White has 13 pieces; a side has 12 at most"),
        ("B:W:B", "there is no piece on the board"),
    ];
    for (fen, sentence) in cases {
        assert_eq!(error(fen), sentence, "{fen}");
    }
}

#[test]
fn kilobytes_of_garbage_give_a_short_sentence() {
    let garbage = ["x".repeat(100_000), "B:W".to_owned() + &"9".repeat(100_000), "B:W1:B2:".repeat(9_999)];
    for text in garbage {
        assert!(error(&text).len() < 200);
    }
    for text in ["B:W１:B2", "🙂", "B:🙂1:B2", "\u{0}", "B:W1:B\u{7f}"] {
        assert!(error(text).len() < 200);
    }
}

#[test]
fn a_setup_says_what_is_impossible() {
    let mut setup = Setup::from(&Position::start());
    setup.pieces[28] = setup.pieces[0];
    let square = Square::new(29).unwrap();
    assert_eq!(setup.to_position(), Err(SetupError::ManOnKingRow { side: Side::Black, square }));
    assert_eq!("B:W:B".parse::<Position>(), Err(FenError::Impossible(SetupError::NoPieces)));
}

#[test]
fn sets_that_share_a_square_are_no_position() {
    let [nine, ten] = [9, 10].map(|number| Squares::one(Square::new(number).unwrap()));
    let none = Squares::EMPTY;
    let square = Square::new(9).unwrap();
    for (men, kings) in [([nine, none], [nine, none]), ([nine, nine], [none; 2]), ([nine, ten], [none, nine])]
    {
        assert_eq!(
            Position::from_squares(Side::Black, men, kings),
            Err(SetupError::SharedSquare { square }),
            "{men:?} {kings:?}"
        );
    }
    let position = Position::from_squares(Side::Black, [nine, ten], [none; 2]).unwrap();
    assert_eq!(position.to_string(), "B:W10:B9");
}
