//! `crownhead perft`.

use serde_json::{Value, json};

use crate::{failure, stdout};

fn report(arguments: &[&str]) -> Value {
    let text = stdout(&[&["perft", "--json"], arguments].concat());
    assert_eq!(text.lines().count(), 1, "one object on one line");
    serde_json::from_str(&text).expect("the report is JSON")
}

#[test]
fn counts_the_start_and_tells_the_speed() {
    let report = report(&["7"]);
    assert_eq!(report["fen"], "B:W21-32:B1-12");
    assert_eq!(report["depth"], 7);
    assert_eq!(report["nodes"], 179_740);
    assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(report["nps"].as_u64().is_some_and(|speed| speed > 0));
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["depth", "fen", "nodes", "nps", "seconds"]);
}

#[test]
fn divides_by_first_moves() {
    let expected = json!({
        "9-13": 48, "9-14": 40, "10-14": 40, "10-15": 40, "11-15": 40, "11-16": 47, "12-16": 47
    });
    assert_eq!(report(&["3", "--divide"])["divide"], expected);
    assert!(stdout(&["perft", "3", "--divide"]).contains("11-16 47\n"));
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let one = report(&["8", "--no-bulk", "--threads", "1"]);
    let many = report(&["8", "--no-bulk", "--threads", "100000"]);
    assert_eq!(one["nodes"], 845_931);
    assert_eq!((&one["nodes"], &one["checksum"]), (&many["nodes"], &many["checksum"]));
    assert!(one["checksum"].as_str().is_some_and(|sum| sum.len() == 16));
}

#[test]
fn small_depths_and_finished_games_are_counted_too() {
    assert_eq!(report(&["0"])["nodes"], 1);
    assert_eq!(report(&["1"])["nodes"], 7);
    assert_eq!(report(&["0", "--no-bulk", "--divide"])["divide"], json!({}));
    assert_eq!(report(&["5", "--fen", "W:W:B21"])["nodes"], 0);
}

#[test]
fn a_wrong_fen_is_told_in_one_line_with_exit_code_1() {
    let (code, message) = failure(&["perft", "3", "--fen", "B:W33:B1"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        message,
        "crownhead: cannot read the FEN: there is no square “33”; squares are numbered 1 to 32\n"
    );
    let (_, message) = failure(&["perft", "3", "--fen", "B:W20-32:B1"]);
    assert_eq!(message, "crownhead: cannot read the FEN: White has 13 pieces; a side has 12 at most\n");
}

#[test]
fn wrong_usage_has_exit_code_2() {
    for arguments in
        [&["perft"][..], &["perft", "x"], &["perft", "99"], &["perft", "3", "--threads", "0"], &["dance"]]
    {
        assert_eq!(failure(arguments).0, Some(2), "{arguments:?}");
    }
}
