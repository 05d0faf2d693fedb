//! Games with faults: each is told with its place, nothing of it is lost, and the games after it are read.

use std::io::{self, Read};

use crownhead_pdn::{Game, Place, Problem, ReadGame, Reader, read_str};

const NEXT: &str = "\n\n[Event \"next\"]\n1. 9-14 22-18 1/2-1/2\n";

/// A faulty game, after having checked that the one behind it is read.
fn fault(text: &str) -> ReadGame {
    let mut read: Vec<_> = read_str(&format!("{text}{NEXT}")).collect();
    assert_eq!(read.len(), 2, "{text}");
    let next = read.pop().unwrap();
    assert_eq!((next.game.tags.get("Event"), next.game.moves().len()), (Some("next"), 2));
    assert!(next.replayed && next.warnings.is_empty());
    read.remove(0)
}

fn only_warning(read: &ReadGame) -> (usize, usize, String) {
    assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
    let Place { line, column } = read.warnings[0].place;
    (line, column, read.warnings[0].problem.to_string())
}

fn last_comment(game: &Game) -> String {
    game.line.plies().last().map_or(game.line.comments(), |ply| ply.comments()).last().unwrap().to_string()
}

#[test]
fn an_impossible_move_ends_the_line_and_the_rest_is_a_comment() {
    let read = fault("[Event \"x\"]\n1. 11-15 23-18 2. 8-11\n  18-15 3. 4-8 {a remark} (9-14 1-0) 5-9 1-0");
    assert!(!read.replayed);
    assert_eq!(read.game.moves().len(), 3);
    assert_eq!(read.game.result.as_str(), "1-0");
    let told = "“18-15” cannot be played: square 15 is occupied; \
                the line ends here and the rest of it is kept as a comment";
    assert_eq!(only_warning(&read), (3, 3, told.to_owned()));
    assert_eq!(last_comment(&read.game), "18-15 3. 4-8 (a remark) (9-14 1-0) 5-9");
}

#[test]
fn squares_off_the_board_and_paths_too_long_are_no_moves() {
    for text in ["11-33", "0-11", "11-4000000000000", "1-2-3-4-5-6-7-8-9-10-11-12", "50x41"] {
        let read = fault(&format!("1. {text} 23-18 2. 8-11 *"));
        assert!(!read.replayed);
        assert_eq!(last_comment(&read.game), format!("{text} 23-18 2. 8-11"));
        let (line, column, told) = only_warning(&read);
        assert_eq!((line, column), (1, 4));
        assert!(told.starts_with(&format!("“{text}” cannot be played")), "{told}");
    }
}

#[test]
fn a_missing_move_ends_the_line() {
    let read = fault("1. 11-15 23-18 2. - - 3. 4-8 *");
    assert!(!read.replayed);
    assert_eq!(read.game.moves().len(), 2);
    assert_eq!(only_warning(&read).1, 19);
    assert_eq!(last_comment(&read.game), "- - 3. 4-8");
}

#[test]
fn a_fault_in_a_variation_does_not_touch_the_game() {
    let read = fault("1. 11-15 (11-16 23-18 (24-19 1-1 8-11) 16-20 18-9 5-14) 23-18 (11-15) *");
    assert!(read.replayed);
    assert_eq!(read.game.moves().len(), 2);
    let variation = &read.game.line.plies()[0].variations()[0];
    assert_eq!(variation.moves().len(), 3);
    assert_eq!(&*variation.plies()[2].comments()[0], "18-9 5-14");
    assert_eq!(read.warnings.len(), 2);
    assert_eq!(last_comment(&read.game), "11-15", "a variation without a legal move is a remark");
}

#[test]
fn a_start_without_sense_is_kept_with_its_moves() {
    for fen in ["W:W33:B1", "W::", "?:W32:B1", "startpos", "W:W4:B1"] {
        let read =
            fault(&format!("[Event \"x\"]\n[FEN \"{fen}\"]\n[White \"Ann\"]\n1. 1-6 27-31 2. 6-10 0-1"));
        assert!(!read.replayed, "{fen}");
        assert_eq!(only_warning(&read).0, 2);
        assert_eq!(read.game.moves().len(), 0);
        let said: Vec<_> = read.game.line.comments().iter().map(ToString::to_string).collect();
        assert_eq!(said, [format!("FEN \"{fen}\""), "1. 1-6 27-31 2. 6-10".to_owned()]);
        assert_eq!(read.game.tags.get("White"), Some("Ann"));
        assert_eq!(read.game.result.as_str(), "0-1");
    }
    let read = fault("1. 11-15 /FEN \"W:W33:B1\"/ 1-6 *");
    assert!(!read.replayed);
    assert_eq!(last_comment(&read.game), "/FEN \"W:W33:B1\"/ 1-6");
}

#[test]
fn another_game_than_checkers_is_not_played() {
    let read = fault("[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0");
    assert!(!read.replayed);
    assert_eq!(
        only_warning(&read).2,
        "game type “20” is not checkers, which is 21; the moves are kept as a comment"
    );
    assert_eq!(last_comment(&read.game), "1. 32-28 19-23 2. 28x19 14x23");
    for checkers in ["21", "21,B,8,8,N1,0", ""] {
        let read: Vec<_> = read_str(&format!("[GameType \"{checkers}\"] 1. 11-15 *")).collect();
        assert!(read[0].replayed && read[0].warnings.is_empty());
    }
}

#[test]
fn a_comment_that_is_not_closed_ends_at_the_next_header() {
    let read = fault("1. 11-15 {a remark\nand more 23-18");
    assert!(read.replayed);
    let told = "the comment “a remark\\nand more 23-18” is not closed with a brace";
    assert_eq!(only_warning(&read), (1, 10, told.to_owned()));
    assert_eq!(last_comment(&read.game), "a remark and more 23-18");
}

#[test]
fn a_variation_that_is_not_closed_ends_with_its_game() {
    let read = fault("1. 11-15 (11-16 (9-14 22-18 1-0");
    assert_eq!(only_warning(&read), (1, 10, "the variation is not closed with a parenthesis".to_owned()));
    assert_eq!(read.game.line.plies()[0].variations()[0].plies()[0].variations()[0].moves().len(), 2);
    let headless: Vec<_> = read_str("1. 11-15 (11-16 24-19 *\n1. 9-14 1-0").collect();
    assert_eq!(headless.len(), 2);
    assert_eq!(headless[1].game.moves().len(), 1);
}

#[test]
fn a_parenthesis_too_many_is_passed_over() {
    let read = fault("1. 11-15) 23-18 (23-19)) 2. 8-11 *");
    assert!(read.replayed);
    assert_eq!(read.game.moves().len(), 3);
    assert!(read.warnings.iter().all(|warning| warning.problem == Problem::StrayParenthesis));
    assert_eq!(read.warnings.len(), 2);
}

#[test]
fn odd_tags_are_read_as_far_as_they_go() {
    let read = fault(
        "[Event \"open\n[Site here]\n[Round \"1\"]\n[Round \"2\"]\n[White \"a\\b\\\\\"]\n[Result \"won\"]\n1. 11-15 *",
    );
    let tags: Vec<_> = read.game.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(tags, ["Event=open", "Site=here", "Round=1", "White=a\\b\\"]);
    let told: Vec<_> = read.warnings.iter().map(|w| (w.place.line, w.problem.to_string())).collect();
    assert_eq!(
        told,
        [
            (1, "the tag “[Event \\\"open” is not written [Name \"value\"]".to_owned()),
            (2, "the tag “[Site here]” is not written [Name \"value\"]".to_owned()),
            (4, "the tag “Round” is given twice; the first one counts".to_owned()),
            (6, "“won” is not a result; expected 1-0, 0-1, 1/2-1/2, 0-0 or *".to_owned()),
        ]
    );
}

#[test]
fn a_header_of_thousands_of_tags_is_cut() {
    let tags: Vec<_> = (0..100_000).map(|n| format!("[T{n} \"\"]\n")).collect();
    let read = fault(&format!("{} 1. 11-15 *", tags.concat()));
    assert_eq!(read.game.tags.len(), 200);
    assert_eq!(only_warning(&read).0, 201);
}

#[test]
fn annotations_without_a_number_or_a_move_are_told() {
    let read = fault("! $1 1. 11-15 $ $256 23-18 *");
    assert!(read.replayed);
    let told: Vec<_> = read.warnings.iter().map(|w| w.problem.to_string()).collect();
    assert_eq!(
        told,
        [
            "“!” marks no move; kept as a comment",
            "“$1” marks no move; kept as a comment",
            "“$” is not an annotation; expected $0 to $255; left out",
            "“$256” is not an annotation; expected $0 to $255; left out",
        ]
    );
}

#[test]
fn an_ambiguous_capture_is_what_the_rest_of_the_line_fits() {
    let start = "[FEN \"B:W14,15,22,23,32:B1,10\"]";
    let read = |rest: &str| fault(&format!("{start} 1. 10x26 {rest} 1-0"));
    let first = |read: &ReadGame| read.game.moves().next().unwrap().to_string();

    let by_15 = read("32-28 (32-27) 2. 1-6 {either way so far} 15-11");
    assert_eq!(first(&by_15), "10x17x26");
    let told = "“10x26” can mean 10x17x26 or 10x19x26; what follows fits 10x17x26";
    assert_eq!(only_warning(&by_15), (1, 36, told.to_owned()));
    assert!(by_15.replayed);

    let by_14 = read("32-28 2. 1-6 14-9");
    assert_eq!(first(&by_14), "10x19x26");
    assert_eq!(only_warning(&by_14).2, "“10x26” can mean 10x17x26 or 10x19x26; what follows fits 10x19x26");

    // The whole line goes on with one of them, though the last move is impossible with both.
    let furthest = read("32-28 2. 1-6 14-9 3. 6-1");
    assert_eq!(first(&furthest), "10x19x26");
    assert!(!furthest.replayed);

    for undecided in ["", "32-28 2. 1-6", "32-28 2. 9-9", "/FEN \"B:W14:B1\"/ 1-6 14-9"] {
        let read = read(undecided);
        assert_eq!(first(&read), "10x17x26", "{undecided}");
        let told =
            "“10x26” can mean 10x17x26 or 10x19x26; nothing after it tells which, so 10x17x26 was taken";
        assert_eq!(read.warnings[0].problem.to_string(), told);
    }
}

#[test]
fn ambiguous_captures_one_after_another_are_all_resolved() {
    let start = "[FEN \"B:WK4,7-9,15,16,18,22,K25,K26:B3,5\"]";
    for (rest, first, second) in [
        ("18-15", "3x10x19", "5x14x21x30"),
        ("17-14", "3x10x19", "5x14x23x30"),
        ("15-11", "3x12x19", "5x14x21x30"),
    ] {
        let read = fault(&format!("{start} 1. 3x19 22-17 2. 5x30 {rest} *"));
        let moves: Vec<_> = read.game.moves().map(|mv| mv.to_string()).collect();
        assert_eq!((&*moves[0], &*moves[2]), (first, second));
        assert_eq!(read.warnings.len(), 2);
    }
}

#[test]
fn text_outside_of_games_is_told_and_left_out() {
    let mut reader = Reader::new(&b"1. 11-15 1-0\n\nHere end the games of this book.\n"[..]);
    assert_eq!(reader.by_ref().count(), 1);
    let told: Vec<_> = reader.leftovers().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["line 3, column 1: “Here end the games of this book.” belongs to no game and is left out"]
    );
    let mut nothing = Reader::new(&b" \n* * 1-0\n"[..]);
    assert_eq!(nothing.by_ref().count(), 0);
    assert!(nothing.leftovers().is_empty());
}

/// Gives one byte at a time, now and then none because of an interruption.
struct Trickle<'a>(&'a [u8], bool);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.0.len().min(buffer.len()).min(1);
        buffer[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

#[test]
fn it_does_not_matter_how_the_bytes_come() {
    let game = "[Event \"é\"]\r\n1. 11-15 {x} (11-16 24-19) 23-18 $1 11-18 1/2-1/2 {é}\r\n\r\n";
    let file = game.repeat(3000);
    let at_once: Vec<_> = Reader::new(file.as_bytes()).map(Result::unwrap).collect();
    let trickled: Vec<_> = Reader::new(Trickle(file.as_bytes(), false)).map(Result::unwrap).collect();
    assert_eq!(at_once.len(), 3000);
    assert!(at_once == trickled);
    assert_eq!(at_once[2999].warnings[0].place.line, 2999 * 3 + 2);
}

#[test]
fn a_source_that_fails_is_an_error_after_the_games_before() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let good = format!("{}{}", "1. 11-15 1-0\n".repeat(6000), "1. 11-15");
    let mut reader = Reader::new(good.as_bytes().chain(Broken));
    assert_eq!(reader.by_ref().map_while(Result::ok).count(), 5041);
    assert!(reader.next().is_none(), "nothing is read after an error");
}

#[test]
fn a_game_without_end_is_cut_and_the_next_one_read() {
    let endless = "{a} ".repeat(3 << 20);
    let read = fault(&format!("1. 11-15 {endless}"));
    assert!(!read.replayed);
    assert!(matches!(read.warnings[0].problem, Problem::TooLong(4)));
}
