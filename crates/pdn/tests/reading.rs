//! What the world writes into game files, and what is made of it. All samples are our own.

use crownhead_pdn::{
    Comment, Game, GameResult, Line, Nag, Place, Problem, ReadGame, Reader, Warning, read_str,
};
use crownhead_rules::Position;
use std::num::NonZero;

/// The games of a file that has nothing odd.
fn games(file: &[u8]) -> Vec<ReadGame> {
    let mut reader = Reader::new(file);
    let games: Vec<_> = reader.by_ref().map(|read| read.expect("bytes in memory can be read")).collect();
    for read in &games {
        assert_eq!(read.warnings, [], "game {}", read.number);
        assert!(read.replayed);
    }
    assert_eq!(reader.leftovers(), []);
    games
}

/// The only game of a text that has nothing odd.
fn game(text: &str) -> Game {
    let mut games = games(text.as_bytes());
    assert_eq!(games.len(), 1);
    games.remove(0).game
}

/// The moves of a line, with the full path of captures.
fn moves(line: &Line) -> String {
    line.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

fn said(comments: &[Comment]) -> Vec<String> {
    comments.iter().map(ToString::to_string).collect()
}

/// Line, column and message of each warning.
fn warnings(read: &ReadGame) -> Vec<(usize, usize, String)> {
    let told = |w: &Warning| (w.place.line, w.place.column, w.problem.to_string());
    read.warnings.iter().map(told).collect()
}

#[test]
fn header_moves_and_result_make_a_game() {
    let game = game(
        r#"[Event "Club \"Night\" 3"]
[Date ""]
[Black "Ann"]
[White "Bob "the Wall" Lee"]
[Result "1-0"]
1. 11-15 23-18 2. 8-11 27-23 1-0
"#,
    );
    assert_eq!(game.tags.get("Event"), Some(r#"Club "Night" 3"#));
    assert_eq!(game.tags.get("Date"), Some(""));
    assert_eq!(game.tags.get("white"), Some(r#"Bob "the Wall" Lee"#));
    assert_eq!(game.tags.get("Result"), None, "the result is not kept twice");
    assert_eq!(game.result, GameResult::BlackWins, "the first figure is that of the first side");
    assert_eq!(moves(&game.line), "11-15 23-18 8-11 27-23");
    assert_eq!(*game.start(), Position::start());
    assert_eq!(game.history().moves().len(), 4);
}

#[test]
fn move_numbers_come_in_every_style() {
    for text in [
        "1. 11-15 23-18 2. 8-11 27-23 *",
        "1.11-15 23-18 2.8-11 27-23 *",
        "1 11-15 23-18 2 8-11 27-23 *",
        "1) 11-15 23-18 2) 8-11 27-23 *",
        "1. 11-15 1... 23-18 2. 8-11 2... 27-23 *",
        "1. 11-15 1. ... 23-18 2. 8-11 2. ... 27-23 *",
        "1. 11-15 1...23-18 2.8-11 2...27-23 *",
        "11-15, 23-18, 8-11, 27-23 *",
        "1 . 11-15 23-18 2 . 8-11 27-23 *",
        "7. 11-15 23-18 8. \n8-11 27-23 *",
    ] {
        assert_eq!(moves(&game(text).line), "11-15 23-18 8-11 27-23", "{text}");
    }
}

#[test]
fn signs_between_squares_do_not_matter() {
    for text in [
        "11-15 22-18 15x22 25x18 8-11 *",
        "11x15 22x18 15-22 25-18 8x11 *",
        "11:15 22:18 15:22 25:18 08:11 *",
        "11-15 22-18 15X22 25X18 08-11 *",
        "11 - 15 22 - 18 15 x 22 25 x 18 8 - 11 *",
        "11–15 22–18 15×22 25×18 8–11 *",
        "1115 2218 1522 2518 811 *",
        "1115 2218 1522 2518 0811 *",
    ] {
        assert_eq!(moves(&game(text).line), "11-15 22-18 15x22 25x18 8-11", "{text}");
    }
    let latin = b"11\x9615 22\x9618 15\xd722 25\xd718 8\x9611 *";
    assert_eq!(moves(&games(latin)[0].game.line), "11-15 22-18 15x22 25x18 8-11");
}

#[test]
fn a_capture_may_name_all_its_squares_or_only_the_ends() {
    let start = r#"[FEN "B:W14,22,30:B9,1"]"#;
    for text in ["9x18x25 30x21", "9x25 30x21", "9-18-25 30-21", "9-25 30-21", "09x25 30x21"] {
        let game = game(&format!("{start} {text} 0-1"));
        assert_eq!(moves(&game.line), "9x18x25 30x21", "{text}");
        assert_eq!(game.result, GameResult::WhiteWins);
    }
}

#[test]
fn results_are_told_from_moves() {
    for (text, result) in [
        ("1-0", GameResult::BlackWins),
        ("2-0", GameResult::BlackWins),
        ("0-1", GameResult::WhiteWins),
        ("0-2", GameResult::WhiteWins),
        ("1/2-1/2", GameResult::Draw),
        ("1/2 - 1/2", GameResult::Draw),
        ("1/2", GameResult::Draw),
        ("½-½", GameResult::Draw),
        ("1-1", GameResult::Draw),
        ("0-0", GameResult::BothLose),
        ("*", GameResult::Unknown),
        ("", GameResult::Unknown),
    ] {
        let after_moves = game(&format!("1. 11-15 22-18 {text}"));
        assert_eq!((after_moves.moves().len(), after_moves.result), (2, result), "{text}");
        let without_moves = game(&format!("[Event \"x\"]\n1. {text}"));
        assert_eq!((without_moves.moves().len(), without_moves.result), (0, result), "{text}");
        let in_header = game(&format!("[Result \"{text}\"] 1. 11-15 *"));
        assert_eq!((in_header.moves().len(), in_header.result), (1, result), "{text}");
    }
    let kings = r#"[FEN "B:W32:BK1"] 1. 1-6 32-28 2. 6-1 28-24 3. 1-5 24-20 4. 5-1 20-16 1-0"#;
    assert_eq!(moves(&game(kings).line), "1-6 32-28 6-1 28-24 1-5 24-20 5-1 20-16");
}

#[test]
fn the_header_counts_if_results_differ() {
    let read: Vec<_> = read_str("[Black \"Ann\"]\n[Result \"0-1\"]\n1. 11-15 1-0\n").collect();
    assert_eq!(read[0].game.result, GameResult::WhiteWins);
    let told = "the header says 0-1 and the moves end with 1-0; the header counts";
    assert_eq!(warnings(&read[0]), [(2, 1, told.to_owned())]);
}

#[test]
fn comments_of_all_kinds_stay_with_their_move() {
    let game = game(
        "% made by hand\n[Event \"x\"]\n{before} ; and more\n1. 11-15 {a\n b} {c [%clk 0:01:02]} 23-18 ; to the end, 8-11\n\
         % a whole line\n2. 8-11 {} 27-23 *",
    );
    let plies = game.line.plies();
    assert_eq!(said(game.line.comments()), ["made by hand", "before", "and more"]);
    assert_eq!(said(plies[0].comments()), ["a b", "c [%clk 0:01:02]"]);
    assert_eq!(said(plies[1].comments()), ["to the end, 8-11", "a whole line"]);
    assert!(said(plies[2].comments()).is_empty());
    assert_eq!(plies.len(), 4);
}

#[test]
fn a_comment_behind_the_result_belongs_to_the_game() {
    let read = games(b"1. 11-15 1-0 {White left}\n\n{about the next} [Event \"2\"] 1. 11-16 *");
    assert_eq!(read.len(), 2);
    assert_eq!(&*read[0].game.line.plies()[0].comments()[0], "White left");
    assert_eq!(&*read[1].game.line.comments()[0], "about the next");
}

#[test]
fn marks_are_annotations_of_the_move_before() {
    let game = game(
        "1. 11-15! 23-18? 2. 8-11!! 27-23?? 3. 4-8!? 23-19?! 4. 10x14(?) 19x10* 5. 14x23 $9 $140 ( ! ) *",
    );
    let nags: Vec<Vec<u8>> =
        game.line.plies().iter().map(|ply| ply.nags().iter().map(|nag| nag.number()).collect()).collect();
    let expected: [&[u8]; 9] = [&[1], &[2], &[3], &[4], &[5], &[6], &[2], &[7], &[9, 140, 1]];
    assert_eq!(nags, expected);
    assert_eq!(game.line.plies()[7].nags(), [Nag::FORCED]);
}

#[test]
fn a_star_behind_the_last_move_separates_games() {
    let read = games(b"1. 11-15 23-18*\n\n1. 11-16* 24-19*\n[Event \"3\"] 1. 9-14*");
    let lines: Vec<_> = read.iter().map(|read| moves(&read.game.line)).collect();
    assert_eq!(lines, ["11-15 23-18", "11-16 24-19", "9-14"]);
    assert_eq!(read[1].game.line.plies()[0].nags(), [Nag::FORCED]);
    assert!(read.iter().all(|read| read.game.line.plies().last().unwrap().nags().is_empty()));
}

#[test]
fn variations_hang_on_the_move_they_replace() {
    let game = game("1. 11-15 (1. 11-16 24-19 (24-20 16-19 {Bristol}) 8-11) (9-14) 23-18 2. 8-11 *");
    let first = &game.line.plies()[0];
    let variations: Vec<_> = first.variations().iter().map(moves).collect();
    assert_eq!(variations, ["11-16 24-19 8-11", "9-14"]);
    let inner = &first.variations()[0].plies()[1].variations()[0];
    assert_eq!(moves(inner), "24-20 16-19");
    assert_eq!(&*inner.plies()[1].comments()[0], "Bristol");
    assert_eq!(moves(&game.line), "11-15 23-18 8-11");
}

#[test]
fn a_variation_before_the_first_move_replaces_it() {
    let game = game("(1. 11-16 24-19) 1. 11-15 1-0");
    assert_eq!(moves(&game.line.plies()[0].variations()[0]), "11-16 24-19");
}

#[test]
fn a_variation_without_moves_is_a_remark() {
    let game = game("1. 11-15 ({the usual one}) 23-18 (1/2-1/2) *");
    assert_eq!(&*game.line.plies()[0].comments()[0], "the usual one");
    assert_eq!(&*game.line.plies()[1].comments()[0], "1/2-1/2");
    assert!(game.line.plies().iter().all(|ply| ply.variations().is_empty()));
}

#[test]
fn variations_of_any_depth_are_read_without_running_out_of_stack() {
    let depth = 100_000;
    let text = format!(
        "1. 11-15 {}{} 23-18 1-0\n[Event \"next\"] 1. 9-14 *",
        "(11-16 ".repeat(depth),
        ")".repeat(depth)
    );
    let read: Vec<_> = read_str(&text).collect();
    assert_eq!(read.len(), 2);
    assert_eq!(moves(&read[0].game.line), "11-15 23-18");
    assert!(read[0].replayed);
    assert_eq!(read[0].warnings.len(), 1);
    assert_eq!(read[0].warnings[0].problem, Problem::TooDeep(100));
}

#[test]
fn a_game_may_start_from_any_position() {
    for fen in ["W:W32,27,24,22:B20,15,10,7", "W:W32,27,24,22:B20,15,10,7.", "w:b20,15,10,7:w32,27,24,22"] {
        let game = game(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n1. 27-23 20x27 2. 23-18 0-1"));
        assert_eq!(game.start().to_string(), "W:W22,24,27,32:B7,10,15,20");
        assert_eq!(moves(&game.line), "27-23 20x27 23-18");
        assert_eq!(game.tags.len(), 0);
    }
    let alone = game("[FEN \"W:WK1:B\"] 1. 1-6 *");
    assert_eq!(alone.start().to_string(), "W:WK1:B");
}

#[test]
fn the_board_can_be_set_up_between_moves() {
    let game = game(
        r#"1. 11-15 23-18 /FEN "B:W18:B15,1"/ 1. 15x22 /FEN "B::"/ 1-6 (1. 1-5 /FEN "W:W32:BK1"/ 32-28) *"#,
    );
    assert_eq!(moves(&game.line), "11-15 23-18 15x22 1-6");
    assert_eq!(game.line.plies()[2].before().to_string(), "B:W18:B1,15");
    assert_eq!(game.line.plies()[3].before().to_string(), "B:W:B1,22");
    assert_eq!(moves(&game.line.plies()[3].variations()[0]), "1-5 32-28");
    assert_eq!(game.history().moves().len(), 2, "a history has no leaps");
}

#[test]
fn a_set_up_before_the_first_move_is_the_start() {
    let game = game(r#"/FEN "W:W32:BK1"/ 1. 32-28 1-6 *"#);
    assert_eq!(game.start().to_string(), "W:W32:BK1");
    assert_eq!(game.moves().len(), 2);
}

#[test]
fn line_ends_encodings_and_marks_of_them_do_not_matter() {
    let utf8 = "\u{feff}[Event \"Öland\"]\r\n[Site \"Åre\"]\r\n1. 11-15\r\n23-18 {d’accord}\r\n*\r\n\u{1a}";
    let latin = b"[Event \"\xd6land\"]\r[Site \"\xc5re\"]\r1. 11-15\r23-18 {d\x92accord}\r*";
    let (utf8, latin) = (games(utf8.as_bytes()), games(latin));
    assert_eq!(utf8, latin);
    assert_eq!(utf8[0].game.tags.get("Site"), Some("Åre"));
}

#[test]
fn utf16_is_refused_with_advice() {
    for file in [&b"\xff\xfe1\0"[..], b"\xfe\xff\x001"] {
        let mut reader = Reader::new(file);
        assert_eq!(
            reader.next().unwrap().unwrap_err().to_string(),
            "this is UTF-16 text; save the file as UTF-8"
        );
        assert!(reader.next().is_none());
    }
}

#[test]
fn games_follow_each_other_in_every_way() {
    let file = b"[Event \"1\"]\n1. 11-15 1-0[Event \"2\"]\n1. 11-16 (11-15 ) 24-19\n[Event \"3\"]\n[Result \"*\"]\n\n\
        [Event \"4\"]\n[Result \"1-0\"]\n\n1. 9-14 1-0 *\n1. 9-13 * 1. 10-14 24-20 0-1 12-16 1-0\n*";
    let lines: Vec<_> = games(file).iter().map(|read| moves(&read.game.line)).collect();
    assert_eq!(lines, ["11-15", "11-16 24-19", "", "9-14", "9-13", "10-14 24-20", "12-16"]);
}

#[test]
fn number_one_begins_another_game() {
    let read: Vec<_> = read_str("1. 11-15 23-18 2. 8-11\n1. 11-16 24-19 (1. 9-14").collect();
    let lines: Vec<_> = read.iter().map(|read| moves(&read.game.line)).collect();
    assert_eq!(lines, ["11-15 23-18 8-11", "11-16 24-19"]);
    assert_eq!(read[0].warnings[0].problem, Problem::MissingEnd);
    assert_eq!(read[0].warnings[0].place, Place { line: 2, column: 1 });
}

#[test]
fn words_between_moves_become_comments() {
    let read: Vec<_> = read_str(
        "1. 11-15 23-18Redlosesontime. 2. 8-11 a strong move? 27-23 [!] 4-8 - best (see game 4 too) 1-0",
    )
    .collect();
    let game = &read[0].game;
    assert_eq!(moves(&game.line), "11-15 23-18 8-11 27-23 4-8");
    assert_eq!(game.result, GameResult::BlackWins);
    let remarks: Vec<_> = game.line.plies().iter().map(|ply| said(ply.comments()).join(" | ")).collect();
    assert_eq!(remarks, ["", "Redlosesontime.", "a strong move?", "[!]", "- best | see game 4 too"]);
    assert_eq!(
        warnings(&read[0])[1],
        (1, 39, "“a strong move?” is neither move nor comment; kept as a comment".to_owned())
    );
}

#[test]
fn the_text_of_a_game_is_there_until_the_next_one_is_read() {
    let games = ["[Black \"Ann\"]\n1. 11-15 23-18 0-1 {well played}", "[GameType \"20\"]\r\n1. 32-28  1-1"];
    let text = format!("\u{feff}{}\n\n{}\n", games[0], games[1]);
    for chunk in [1, 7, 1 << 16] {
        let mut reader = Reader::with_chunk(text.as_bytes(), NonZero::new(chunk).unwrap());
        assert_eq!(reader.source_text(), None);
        for game in games {
            reader.next().unwrap().unwrap();
            assert_eq!(reader.source_text().map(String::from_utf8_lossy).as_deref(), Some(game));
        }
        assert!(reader.next().is_none() && reader.source_text().is_none());
    }
}

#[test]
fn a_game_that_is_too_long_has_no_text() {
    let text = format!("[Black \"Ann\"]\n1. 11-15 {{{}}} *\n[Black \"Bob\"]\n*", "x".repeat(5 << 20));
    let mut reader = Reader::new(text.as_bytes());
    reader.next().unwrap().unwrap();
    assert_eq!(reader.source_text(), None);
    reader.next().unwrap().unwrap();
    assert_eq!(reader.source_text(), Some(&b"[Black \"Bob\"]\n*"[..]));
}
