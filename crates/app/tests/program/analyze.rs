//! `crownhead analyze` as a user runs it.

use std::fs;
use std::io;
use std::process::Command;

use serde_json::Value;

use crate::{failure, stdout};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("it prints one object")
}

#[test]
fn the_best_lines_of_a_position_are_printed_as_json() {
    let fen = "W:W32,27,24,22:B20,15,10,7";
    let report = json(&["analyze", fen, "--nodes", "50000", "--lines", "2", "--json"]);
    assert_eq!(report["fen"], "W:W22,24,27,32:B7,10,15,20");
    assert!(report["nodes"].as_u64() <= Some(50_000) && report["depth"].as_u64() > Some(8), "{report}");
    assert!(report["seconds"].is_f64() && report["table_hits"].as_u64() > Some(0), "{report}");
    let lines = report["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["move"], &lines[0]["pv"][0]), (&"27-23".into(), &"27-23".into()));
    assert!(lines[0]["score"].as_f64() > lines[1]["score"].as_f64());
}

/// What is printed on a terminal of so many columns.
#[cfg(unix)]
fn screen(cols: u16, arguments: &[&str]) -> String {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    let pty = native_pty_system().openpty(PtySize { cols, ..PtySize::default() }).expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_crownhead"));
    command.args(arguments);
    let mut child = pty.slave.spawn_command(command).expect("the program starts");
    drop(pty.slave);
    let mut text = String::new();
    let mut output = pty.master.try_clone_reader().expect("what the program writes");
    output.read_to_string(&mut text).expect("the program prints text");
    assert!(child.wait().expect("the program ends").success(), "{arguments:?}: {text}");
    text
}

/// Every line fits.
#[cfg(unix)]
const WIDE: u16 = 1000;

#[test]
#[cfg(unix)]
fn on_a_terminal_lines_break_between_moves_and_nothing_new_is_not_said() {
    // The tables know the way to the end, 109 plies, from the first depth on.
    let text = screen(60, &["analyze", "B:W29,30:B4,24", "--depth", "12", "--lines", "1"]);
    let thoughts: Vec<&str> = text.split("depth ").skip(1).collect();
    assert!(thoughts.len() < 6 && thoughts.last().unwrap().starts_with("12/"), "{text}");
    let rows: Vec<&str> = thoughts[0].lines().skip(1).map(str::trim_end).collect();
    assert!(rows.len() > 10 && rows.iter().all(|row| row.len() <= 60), "{text}");
    assert!(rows[1..].iter().all(|row| row.starts_with(&" ".repeat(14))), "{text}");
    let moves: Vec<&str> = rows.iter().flat_map(|row| row[14..].split(' ')).collect();
    let piped = json(&["analyze", "B:W29,30:B4,24", "--depth", "1", "--lines", "1", "--json"]);
    assert_eq!(Value::from(moves), piped["lines"][0]["pv"], "{text}");
}

#[test]
#[cfg(unix)]
fn the_last_thought_stands_last_on_a_terminal() {
    // Some of these find something else in the depth that is broken off.
    let middle_game = "W:W19,21,22,24,26,27,28,30,32:B1,3,5,8,10,11,12,14,15";
    let mut afterthoughts = 0;
    for nodes in ["13000", "20000", "22000", "24000", "26000", "28000", "30000", "32000"] {
        let arguments = ["analyze", middle_game, "--lines", "1", "--nodes", nodes];
        let (text, piped) = (screen(WIDE, &arguments), stdout(&arguments));
        assert_eq!(text.lines().last(), piped.lines().last(), "{text}");
        let depth = piped.split(['/', ' ']).nth(1).unwrap();
        afterthoughts += usize::from(text.matches(&format!("depth {depth}/")).count() > 1);
    }
    assert!(afterthoughts > 0);
    // There was no time for a whole depth.
    let none_whole = screen(WIDE, &["analyze", "start", "--nodes", "1"]);
    assert!(none_whole.starts_with("depth 0/"), "{none_whole}");
    // Nothing is said twice.
    let whole = screen(WIDE, &["analyze", "start", "--depth", "3"]);
    assert_eq!(whole.matches("depth ").count(), 3, "{whole}");
}

#[test]
fn what_the_tables_prove_is_told() {
    let report = json(&["analyze", "B:W29,30:B4,24", "--depth", "3", "--lines", "9", "--json"]);
    assert_eq!((&report["lines"][0]["value"], &report["lines"][0]["plies"]), (&"win".into(), &109.into()));
    assert_eq!(report["lines"][0]["pv"].as_array().map(Vec::len), Some(109), "the line goes to the end");
    let drawn = json(&["analyze", "B:WK32:BK1", "--depth", "3", "--json"]);
    assert_eq!((&drawn["lines"][0]["value"], &drawn["lines"][0]["score"]), (&"draw".into(), &0.0.into()));
    assert!(drawn["lines"][0]["plies"].is_null());
    assert!(stdout(&["analyze", "B:WK32:BK1", "--depth", "3"]).contains(" draw  "));
    // The search sees a draw here, but the position is beyond the tables of the program.
    let seen = stdout(&["analyze", "B:W14,K18,K2:B10,K19,K26", "--depth", "9"]);
    assert!(seen.contains("+0.00  10x17") && !seen.contains("draw"), "{seen}");
}

#[test]
fn a_game_is_annotated_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let (game, out) = (folder.path().join("game.pdn"), folder.path().join("out.pdn"));
    fs::write(&game, "[Black \"A\"]\n[FEN \"W:W32,27,24,22:B20,15,10,7\"]\n1. 22-17 7-11 2. 17-13 0-1")
        .unwrap();
    let (game, out) = (game.to_str().unwrap(), out.to_str().unwrap());
    stdout(&["analyze", game, "--nodes", "5000", "--out", out]);
    let text = fs::read_to_string(out).unwrap();
    assert!(text.contains("22-17??") && text.contains("(1... 27-23"), "{text}");
    let check = stdout(&["pdn", "check", out]);
    assert!(check.contains("1 game, 1 replay"), "{check}");
    let report = json(&["analyze", game, "--nodes", "5000", "--json"]);
    assert_eq!(report["games"][0]["moves"].as_array().unwrap().len(), 3);
    assert_eq!(report["games"][0]["worst"][0], 0);
}

#[test]
fn what_is_proven_of_a_game_is_told_as_of_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.pdn");
    fs::write(&game, "[FEN \"B:WK32:BK1\"]\n1. 1-5 *\n\n[FEN \"W:WK1,K2:BK32\"]\n1... 1-5 *\n\n1. 11-15 *")
        .unwrap();
    let name = game.to_str().unwrap();
    let report = json(&["analyze", name, "--nodes", "2000", "--json"]);
    let first = |game: usize| &report["games"][game]["moves"][0];
    assert_eq!((&first(0)["value"], &first(0)["plies"]), (&"draw".into(), &Value::Null), "{report}");
    let won = json(&["analyze", "W:WK1,K2:BK32", "--nodes", "2000", "--lines", "9", "--json"]);
    let line = won["lines"].as_array().unwrap().iter().find(|line| line["move"] == "1-5").unwrap();
    assert_eq!((&first(1)["value"], &first(1)["plies"]), (&line["value"], &line["plies"]), "{report}");
    assert_eq!(first(1)["value"], "win", "{report}");
    assert_eq!((&first(2)["value"], &first(2)["plies"]), (&Value::Null, &Value::Null), "{report}");
    let text = stdout(&["analyze", name, "--nodes", "2000"]);
    assert_eq!((text.matches("{draw}").count(), text.matches("{wins in").count()), (1, 1), "{text}");
}

/// A game in which White blunders a man.
const FAULTY: &str =
    "11-15 23-18 8-11 18-14 9x18 24-19 15x24 28x19 4-8 22x15 11x18 32-28 10-14 19-16 12x19 27-24";

#[test]
fn the_page_and_the_program_name_the_same_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pdn");
    fs::write(&file, format!("{FAULTY} *")).unwrap();
    // The hash table of the page.
    let megabytes = (crownhead_engine::Engine::PAGE_HASH_BYTES >> 20).to_string();
    let arguments = ["analyze", file.to_str().unwrap(), "--nodes", "20000", "--hash", &megabytes, "--json"];
    let program = &json(&arguments)["games"][0];

    let mut thinker = crownhead_wasm::thinker::Thinker::new().unwrap();
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tablebase/data");
    for table in fs::read_dir(data).unwrap() {
        let answer = thinker.load_table(fs::read(table.unwrap().path()).unwrap());
        assert!(answer.contains("pieces"), "{answer}");
    }
    let moves: Vec<&str> = FAULTY.split(' ').collect();
    let request = serde_json::json!({"method": "review", "position": "B:W21-32:B1-12", "moves": moves, "nodes": 20_000});
    let answer = thinker.call(&request.to_string(), &crownhead_engine::Timeless, &mut |_| {});
    let page: Value = serde_json::from_str(&answer).unwrap();

    assert_eq!(page["moves"], program["moves"]);
    assert_eq!(page["accuracy"], program["accuracy"]);
    let plies =
        |worst: &Value| worst.as_array().unwrap().iter().map(|it| it["ply"].as_u64()).collect::<Vec<_>>();
    let places = program["worst"].as_array().unwrap().iter().map(|it| it.as_u64().map(|place| place + 1));
    assert_eq!(plies(&page["worst"]), places.collect::<Vec<_>>());
    assert_eq!(plies(&page["worst"]).first(), Some(&Some(8)), "{page}");
}

/// A game of another kind, and one from a position that cannot be.
const UNREADABLE: &str = "[GameType \"20\"]\n1. 32-28 19-23 *\n\n[FEN \"B:W1:B2\"]\n1. 2-6 *\n";

#[test]
fn a_game_that_cannot_be_read_is_not_signed() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    fs::write(&games, format!("{UNREADABLE}\n[Black \"A\"]\n1. 11-15 23-19 *\n")).unwrap();
    let games = games.to_str().unwrap();
    let text = stdout(&["analyze", games, "--nodes", "100"]);
    assert_eq!(text.matches("Annotator").count(), 1, "{text}");
    assert!(text.contains("32-28 19-23") && text.contains("2-6"), "{text}");
    let report = json(&["analyze", games, "--nodes", "100", "--json"]);
    let message = |game: usize| report["games"][game]["warnings"][0]["message"].as_str();
    assert!(message(0).unwrap().contains("is not checkers"), "{report}");
    assert!(message(1).unwrap().contains("would have become a king"), "{report}");
    assert_eq!((message(2), &report["games"][0]["warnings"][0]["line"]), (None, &1.into()), "{report}");
    assert_eq!(report["games"][0]["moves"].as_array().unwrap().len(), 0, "{report}");
    assert_eq!(report["games"][2]["moves"].as_array().unwrap().len(), 2, "{report}");
}

#[test]
fn a_game_of_another_kind_stays_as_it_was_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    // Ten by ten squares, points for a draw, and a letter that is no UTF-8.
    let other = b"[GameType \"20\"]\r\n[White  \"J\xfcrgen\"]\r\n[Result \"1-1\"]\r\n\r\n1. 32-28   19-23 2. 28x19 14x23 1-1";
    let ours = b"[Black \"A\"]\n1. 11-15 23-19 *";
    fs::write(&games, [&b"\xef\xbb\xbf"[..], other, b"\r\n\r\n", ours, b"\n\n", other].concat()).unwrap();
    let name = games.to_str().unwrap();
    stdout(&["analyze", name, "--nodes", "100", "--out", name]);
    let text = fs::read(&games).unwrap();
    assert!(text.starts_with(&[other, &b"\n\n["[..]].concat()), "{}", String::from_utf8_lossy(&text));
    assert!(text.ends_with(&[&b"\n\n"[..], other, b"\n"].concat()), "{}", String::from_utf8_lossy(&text));
    let once = String::from_utf8_lossy(&text).into_owned();
    assert_eq!(once.matches("[Annotator \"Crownhead\"]").count(), 1, "{once}");
    stdout(&["analyze", name, "--nodes", "100", "--out", name]);
    assert_eq!(fs::read(&games).unwrap(), text);
}

#[test]
fn a_file_without_a_game_that_can_be_read_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    fs::write(&games, UNREADABLE).unwrap();
    let name = games.to_str().unwrap();
    let (code, message) = failure(&["analyze", name, "--nodes", "100", "--out", name]);
    assert_eq!(code, Some(1));
    assert!(message.contains("crownhead: nothing in ") && message.contains("game 2: "), "{message}");
    assert_eq!(fs::read_to_string(&games).unwrap(), UNREADABLE);
}

#[test]
fn a_file_to_write_stays_as_it_was_if_the_analysis_ends_before() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.pdn");
    let text = "1. 11-15 23-19 *";
    fs::write(&game, text).unwrap();
    // Nobody reads the report, so the program ends when it comes to print it.
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let game_name = game.to_str().unwrap();
    let arguments = ["analyze", game_name, "--nodes", "100", "--json", "--out", game_name];
    let mut program = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    let output = program.args(arguments).stdout(writer).output().unwrap();
    // A reader who has gone is no failure, so any would be another.
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(fs::read_to_string(&game).unwrap(), text);
}

#[test]
fn a_reader_who_has_gone_is_no_failure_however_much_there_was_to_say() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    // More than standard output keeps before it writes.
    fs::write(&games, "1. 11-15 23-19 *\n".repeat(40)).unwrap();
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let arguments = ["analyze", games.to_str().unwrap(), "--nodes", "10", "--json"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    let output = program.args(arguments).stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_message_that_nobody_hears_changes_nothing() {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut program = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    let status = program.args(["analyze", "no-such-file.pdn"]).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn bad_input_is_named() {
    for (arguments, complaint) in [
        (&["analyze", "no-such-file.pdn"][..], "there is no file"),
        (&["analyze", "B:W1:B2"], "would have become a king"),
        (&["analyze", "W:W:B2"], "has no move here"),
        (&["analyze", "start", "--tablebase", "/no/such/folder"], "no folder"),
    ] {
        let (code, message) = failure(arguments);
        assert_eq!(code, Some(1), "{message}");
        assert!(message.contains(complaint) && message.lines().count() == 1, "{arguments:?}: {message}");
    }
    assert_eq!(failure(&["analyze", "start", "--rules", "chess"]).0, Some(2));
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.pdn");
    fs::write(&game, "1. 11-15 23-19 *").unwrap();
    for (arguments, complaint) in [
        (["analyze", "start", "--out", "x.pdn"], "--out is for games"),
        (["analyze", game.to_str().unwrap(), "--lines", "2"], "--lines is for a position"),
    ] {
        let (code, message) = failure(&arguments);
        assert_eq!((code, message.contains(complaint)), (Some(2), true), "{message}");
    }
    for (option, wrong, range) in [
        ("--depth", "0", "from 1 to 4294967295"),
        ("--nodes", "0", "from 1 to 18446744073709551615"),
        ("--lines", "0", "from 1 to "),
        ("--hash", "0", "from 1 to 65536"),
        ("--hash", "65537", "from 1 to 65536"),
        ("--hash", "abc", "from 1 to 65536"),
        ("--threads", "100000", "from 1 to 256"),
    ] {
        let (code, message) = failure(&["analyze", "start", option, wrong]);
        let range = format!("write a whole number {range}");
        assert_eq!((code, message.contains(&range)), (Some(2), true), "{message}");
    }
}
