//! Line by line.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crownhead_rules::{History, Rulebook};

use crate::program;

/// What is said to these lines.
fn talk(data: &Path, arguments: &[&str], lines: &str) -> Output {
    let mut child = Command::new(program())
        .args(["play", "--plain", "--data"])
        .arg(data)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the program prints text")
}

#[test]
fn a_whole_game_is_played_by_pipe() {
    let folder = tempfile::tempdir().unwrap();
    // Two players, each making the first move there is, come to an end soon.
    let (mut game, mut lines) = (History::default(), Vec::new());
    while game.outcome(&Rulebook::default()).is_none() {
        let mv = game.position().moves()[0];
        lines.push(game.position().move_text(mv));
        game.push_unchecked(mv);
    }
    let output = talk(folder.path(), &["--players", "2"], &lines.join("\n"));
    let text = said(&output);
    let outcome = game.outcome(&Rulebook::default()).expect("it is over");
    assert!(text.contains(&outcome.sentence(&Rulebook::default())), "{text}");
    let moves = text.lines().filter(|line| line.contains(" from ") && line.contains(" to ")).count();
    assert_eq!(moves, lines.len(), "{text}");
    assert!(output.status.success());
    let left = std::fs::read_dir(folder.path().join("unfinished")).unwrap().count();
    assert_eq!(left, 0, "a game that is over is not kept");
}

#[test]
fn the_computer_answers_and_the_same_seed_plays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let game = |data: &str| {
        let output = talk(&folder.path().join(data), &["--level", "2", "--seed", "5"], "11-15\nlist\nfen\n");
        assert!(output.status.success());
        said(&output)
    };
    let text = game("one");
    assert!(text.contains("Black moves from 11 to 15.\nRed moves from "), "{text}");
    assert_eq!(text, game("two"));
}

#[test]
fn bad_lines_are_told_and_end_in_a_bad_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let output = talk(folder.path(), &["--players", "2"], "11-16\n\nhello\n11-8\n22x15\n");
    let text = said(&output);
    for sentence in ["“hello” is not understood.", "There is no piece on 11.", "22 does not reach 15."] {
        assert!(text.contains(sentence), "{sentence} is missing in\n{text}");
    }
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "crownhead: 3 lines could not be carried out\n");
}

#[test]
fn an_interrupted_game_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    talk(folder.path(), &["--players", "2"], "11-15\n23-19\n");
    let text = said(&talk(folder.path(), &["--players", "2"], "resume\nlist\n"));
    assert!(
        text.starts_with("There is an unfinished game for two players: 2 moves, left just now."),
        "{text}"
    );
    assert!(text.ends_with("1. 11-15 23-19\n"), "{text}");
    let text = said(&talk(folder.path(), &["--resume"], "list\n"));
    assert!(text.ends_with("1. 11-15 23-19\n"), "{text}");
}

#[test]
fn offers_resignations_and_new_games_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let text = said(&talk(
        folder.path(),
        &["--players", "2"],
        "11-15\ndraw\ndecline\n22-18\nundo\nredo\ndraw\naccept\nnew\nresign\nno\nresign\nyes\n",
    ));
    for sentence in [
        "Red offers a draw. Type accept or decline.",
        "Black declines the draw.",
        "One move was taken back.",
        "A draw. Draw: both players agreed. Type new for another game.",
        "Does Black resign? Red wins. Type yes or no.",
        "The game goes on.",
        "Red wins. Red wins: Black resigned.",
    ] {
        assert!(text.contains(sentence), "{sentence} is missing in\n{text}");
    }
}

#[test]
fn a_claim_is_granted_or_refused_by_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let claim = |fen: &str| {
        said(&talk(folder.path(), &["--rules", "numbered", "--players", "2", "--fen", fen], "claim\n"))
    };
    assert!(claim("B:WK32:BK1").contains("Draw: "), "{}", claim("B:WK32:BK1"));
    assert!(claim("B:W21-32:B1-12").contains("The claim is refused: there are too many pieces"));
    assert!(claim("B:WK32:BK14,K19").contains("The claim is refused: the tables show"));
}

#[test]
fn a_game_is_saved_and_looked_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.pdn");
    let path = path.to_str().unwrap();
    let text = said(&talk(folder.path(), &["--players", "2"], &format!("11-15\n22-18\nsave {path}\n")));
    assert!(text.contains("The game is saved as "), "{text}");
    let output =
        talk(folder.path(), &[path], "next\nnext\nnext\nback\nboard\nlist\nfirst\nlast\nfen\nquit\n");
    let text = said(&output);
    for sentence in [
        "Black moves from 11 to 15.",
        "Red moves from 22 to 18.",
        "That was the last move.",
        "1. 11-15 22-18",
        "B:W18,21,23-32:B1-10,12,15",
    ] {
        assert!(text.contains(sentence), "{sentence} is missing in\n{text}");
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn wrong_usage_has_exit_code_two_and_wrong_input_one() {
    let folder = tempfile::tempdir().unwrap();
    let code = |arguments: &[&str]| talk(folder.path(), arguments, "").status.code();
    for arguments in [
        &["--level", "9"][..],
        &["--side", "yellow"],
        &["--rules", "light", "--side", "red"],
        &["--rules", "chess"],
        &["--clock", "soon"],
        &["--opening", "175"],
        &["--opening", "3", "--fen", "B:W30:B1"],
        &["--players", "2", "--level", "3"],
        &["--resume", "--level", "3"],
    ] {
        assert_eq!(code(arguments), Some(2), "{arguments:?}");
    }
    for arguments in [&["--fen", "B:W1:B1"][..], &["--clock", "0+5"], &["/no/such.pdn"], &["--resume"]] {
        assert_eq!(code(arguments), Some(1), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(program())
        .args(["play", "--plain", "--players", "2", "--data"])
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    // The program may be gone before it has read everything.
    let _ = input.write_all("board\n".repeat(2_000).as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
