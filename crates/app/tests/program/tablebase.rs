//! `crownhead tablebase`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{crownhead, failure, stdout};

const EMBEDDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebase/data");

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

#[test]
fn probe_tells_the_value_the_distance_and_every_move_best_first() {
    let reports = lines(&stdout(&["tablebase", "probe", "--json", "W:WK14,K19:BK1", "B:WK22:B17"]));
    assert_eq!(reports[0]["fen"], "W:WK14,K19:BK1");
    assert_eq!((&reports[0]["value"], &reports[0]["plies"]), (&json!("win"), &json!(19)));
    let moves = reports[0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    assert_eq!((&moves[0]["value"], &moves[0]["plies"]), (&json!("win"), &json!(19)));
    assert_eq!(reports[1]["moves"], json!([{"move": "17x26", "value": "win", "plies": 1}]));
    let text = stdout(&["tablebase", "probe", "W:WK14,K19:BK1"]);
    assert!(text.starts_with("W:WK14,K19:BK1: win in 19\n  "), "{text}");
}

#[test]
fn probe_without_moves_has_none() {
    let report = lines(&stdout(&["tablebase", "probe", "--json", "--no-moves", "B:W21-32:B1-12"]));
    assert_eq!(report, [json!({"fen": "B:W21-32:B1-12", "value": null, "plies": null})]);
    let text = stdout(&["tablebase", "probe", "--no-moves", "B:W21-32:B1-12"]);
    assert_eq!(text, "B:W21-32:B1-12: not in the tables\n");
}

#[test]
fn a_bad_position_is_answered_in_its_place_and_fails_the_command() {
    let output = crownhead(&["tablebase", "probe", "--json", "--no-moves", "B:W33:B1", "B:WK32:BK1"]);
    let reports = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(reports[0]["fen"], "B:W33:B1");
    assert!(reports[0]["error"].as_str().unwrap().contains("no square"));
    assert_eq!(reports[1]["value"], "draw");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "crownhead: one position could not be read\n");
}

#[test]
fn probe_answers_each_line_before_the_next_is_asked() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(["tablebase", "probe", "-", "--no-moves"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (fen, value) in [("B:WK32:BK1", "draw"), ("W:W:B1", "loss in 0"), ("B:WK22:BK18", "win in 1")] {
        writeln!(questions, "{fen}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), format!("{fen}: {value}"));
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn many_positions_are_answered_in_their_order() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(["tablebase", "probe", "-", "--no-moves", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let square = |number: usize| number % 32 + 1;
    let fens: Vec<_> =
        (0..20_000).map(|n| format!("B:WK{}:BK{}", square(n), square(n + 1 + n / 700))).collect();
    let mut questions = child.stdin.take().unwrap();
    let asked = fens.join("\n");
    let asker = thread::spawn(move || questions.write_all(asked.as_bytes()).unwrap());
    let answers = lines(&std::io::read_to_string(child.stdout.take().unwrap()).unwrap());
    asker.join().unwrap();
    assert_eq!(answers.len(), fens.len());
    assert!(answers.iter().zip(&fens).all(|(answer, fen)| answer["fen"] == fen.as_str()));
    assert!(child.wait().unwrap().success());
}

#[test]
fn stats_have_the_promised_keys() {
    let stats = &lines(&stdout(&["tablebase", "stats", "--pieces", "2", "--json"]))[0];
    assert_eq!(stats["classes"].as_array().unwrap().len(), 8);
    let expected = json!({
        "bm": 1, "bk": 0, "wm": 1, "wk": 0, "side": "white", "positions": 760, "wins": 102, "losses": 47,
        "draws": 611, "longest_win": 13, "longest_loss": 6, "example_win": "W:W8:B3"
    });
    assert!(stats["classes"].as_array().unwrap().contains(&expected), "{stats}");
    assert_eq!(stats["totals"]["positions"], 2 * 3488);
    assert_eq!(stats["totals"]["longest_win"], 13);
    let text = stdout(&["tablebase", "stats", "--pieces", "2"]);
    assert!(text.lines().last().unwrap().starts_with("all "), "{text}");
    let (code, message) = failure(&["tablebase", "stats", "--pieces", "7"]);
    assert!(code == Some(1) && message.contains("tables of 2 to "), "{message}");
}

#[test]
fn verify_finds_what_is_right_and_what_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let at = ["--tablebase", folder.path().to_str().unwrap()];
    let sampled = crownhead(&[&["tablebase", "verify", "--sample", "1000"], &at[..]].concat());
    let told = String::from_utf8(sampled.stderr).unwrap();
    assert!(sampled.status.success() && told.starts_with("1000 positions by chance"), "{told}");
    let path = folder.path().join("3-pieces.wdl");
    let mut bytes = fs::read(Path::new(EMBEDDED).join("3-pieces.wdl")).unwrap();
    bytes[500] ^= 4;
    fs::write(&path, bytes).unwrap();
    let (code, message) = failure(&[&["tablebase", "verify", "--sample", "10"], &at[..]].concat());
    assert_eq!(code, Some(1));
    assert!(message.contains(&format!("{} is damaged", path.display())), "{message}");
    // Whoever only asks is warned and served from what is left.
    let output = crownhead(&[&["tablebase", "probe", "W:WK14,K19:BK1"], &at[..]].concat());
    assert!(output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("is damaged"));
}

#[test]
fn build_says_what_it_has_built_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder");
    let output = crownhead(&["tablebase", "build", "--pieces", "3", "--tablebase", path.to_str().unwrap()]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.starts_with("tables of up to 3 pieces, with distances up to 3, are in "), "{told}");
    assert!(
        fs::read(path.join("3-pieces.wdl")).unwrap()
            == fs::read(Path::new(EMBEDDED).join("3-pieces.wdl")).unwrap()
    );
}

#[test]
fn wrong_usage_has_exit_code_2() {
    for arguments in [
        &["tablebase"][..],
        &["tablebase", "probe"],
        &["tablebase", "build"],
        &["tablebase", "build", "--pieces", "9"],
        &["tablebase", "build", "--pieces", "3", "--memory", "much"],
        &["tablebase", "build", "--pieces", "3", "--distances", "6"],
    ] {
        assert_eq!(failure(arguments).0, Some(2), "{arguments:?}");
    }
    for command in ["stats", "verify"] {
        let (code, message) = failure(&["tablebase", command, "--tablebase", "/nowhere/at/all"]);
        assert_eq!((code, message.as_str()), (Some(1), "crownhead: there is no folder /nowhere/at/all\n"));
    }
}

/// A limit to the size of files does what a full disk does: writing fails half-way.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_nothing_half_written_stays() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"trap "" XFSZ; ulimit -f 8; exec "$0" tablebase build --pieces 3 --tablebase "$1""#;
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_crownhead"), folder.path().to_str().unwrap()])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("crownhead: cannot write ") && message.contains(".plies"), "{message}");
    let half_written: Vec<_> = files(folder.path())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "tmp"))
        .collect();
    assert_eq!(half_written, [] as [PathBuf; 0]);
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A number from the environment, for the long form of a proof.
fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Every file below a folder, with its content.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| (path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
    let mut contents: Vec<_> = files(folder).into_iter().map(read).collect();
    contents.sort();
    contents
}

/// Tables that are there under their name must be right, however the build ended.
fn assert_nothing_half_done(folder: &Path) {
    for (name, bytes) in contents(folder) {
        if let Ok(known) = fs::read(Path::new(EMBEDDED).join(&name)) {
            assert!(bytes == known, "{} looks complete but is not", name.display());
        }
    }
}

#[test]
fn a_build_that_is_killed_again_and_again_makes_the_same_tables() {
    let kills = from_environment("CROWNHEAD_KILLS", 5);
    let pieces = from_environment("CROWNHEAD_KILL_PIECES", 4).to_string();
    let longest_wait = from_environment("CROWNHEAD_KILL_MILLISECONDS", 400);
    let mut state = from_environment("CROWNHEAD_SEED", 1);
    println!("seed {state}");
    let start = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
        command.args(["tablebase", "build", "--pieces", &pieces, "--tablebase"]).arg(folder);
        command.stderr(Stdio::null()).spawn().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let mut killed = 0;
    while killed < kills {
        let mut build = start(folder.path());
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_millis((state >> 33) % longest_wait));
        build.kill().unwrap();
        if build.wait().unwrap().success() {
            // It was faster than the kill: from nothing again.
            fs::remove_dir_all(folder.path()).unwrap();
            fs::create_dir(folder.path()).unwrap();
        } else {
            killed += 1;
        }
        assert_nothing_half_done(folder.path());
    }
    assert!(start(folder.path()).wait().unwrap().success());
    let fresh = tempfile::tempdir().unwrap();
    assert!(start(fresh.path()).wait().unwrap().success());
    assert!(contents(folder.path()) == contents(fresh.path()), "the killed build made other files");
}
