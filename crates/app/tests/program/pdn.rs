//! `crownhead pdn check` and `crownhead pdn convert`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{crownhead, failure, stdout};

const GOOD: &str = "[Event \"x\"]\n1. 11-15 23-18 {why} (23-19) 2. 8-11 1-0\n\n1. 9-14 *\n";
const ODD: &str = "1. 11-15 23-17 1-0\n\n1. 9-14 *\n{the end}\n\nfin\n";

/// A folder with these files, and their paths.
fn files<const N: usize>(contents: [&str; N]) -> (TempDir, [String; N]) {
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    let paths = contents.map(|content| {
        number += 1;
        let path = folder.path().join(format!("{number}.pdn"));
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    });
    (folder, paths)
}

#[test]
fn check_reports_games_and_oddities_in_json() {
    let (_folder, [good, odd]) = files([GOOD, ODD]);
    let report: Value = serde_json::from_str(&stdout(&["pdn", "check", "--json", &good, &odd])).unwrap();
    let illegal = "“23-17” cannot be played: a man moves one square diagonally forward; 23 does not reach 17; \
                   the line ends here and the rest of it is kept as a comment";
    let expected = json!({
        "files": [
            { "file": good, "games": 2, "replayed": 2, "warnings": [] },
            { "file": odd, "games": 2, "replayed": 1, "warnings": [
                { "game": 1, "line": 1, "column": 10, "message": illegal },
                { "game": 2, "line": 6, "column": 1, "message": "“fin” belongs to no game and is left out" },
            ] },
        ],
        "games": 4,
        "replayed": 3,
    });
    assert_eq!(report, expected);
}

#[test]
fn check_prints_places_as_compilers_do() {
    let (_folder, [good, odd]) = files([GOOD, ODD]);
    let text = stdout(&["pdn", "check", &good, &odd]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], format!("{good}: 2 games, 2 replay to the end"));
    assert!(lines[1].starts_with(&format!("{odd}:1:10: game 1: “23-17” cannot be played")));
    assert!(lines[2].starts_with(&format!("{odd}:6:1: game 2: “fin”")));
    assert_eq!(lines[3], format!("{odd}: 2 games, 1 replay to the end, 2 warnings"));
    assert_eq!(lines[4..], ["all together: 4 games, 3 replay to the end, 2 warnings"]);
}

#[test]
fn check_goes_on_after_a_file_that_cannot_be_read() {
    let (folder, [good]) = files([GOOD]);
    let missing = folder.path().join("missing.pdn");
    let folder = folder.path().to_str().unwrap();
    for json in [&[][..], &["--json"]] {
        let arguments = [&["pdn", "check"], json, &[missing.to_str().unwrap(), &good, folder]].concat();
        let output = crownhead(&arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stdout).contains(&good));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.lines().count(), 2, "{errors}");
        assert!(errors.contains("missing.pdn") && errors.contains(folder));
    }
}

#[test]
fn check_wants_a_file() {
    assert_eq!(failure(&["pdn", "check"]).0, Some(2));
    assert_eq!(failure(&["pdn"]).0, Some(2));
}

#[test]
fn convert_writes_what_reads_back_the_same() {
    let (folder, [good]) = files([GOOD]);
    let out = folder.path().join("out.pdn");
    let out = out.to_str().unwrap();
    stdout(&["pdn", "convert", &good, "--out", out]);
    let expected = "[Event \"x\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n\
                    1. 11-15 23-18 {why} (1... 23-19) 2. 8-11 *\n\n\
                    [Result \"*\"]\n[GameType \"21\"]\n\n1. 9-14 *\n";
    assert_eq!(fs::read_to_string(out).unwrap(), expected);
    stdout(&["pdn", "convert", out, "--out", out]);
    assert_eq!(fs::read_to_string(out).unwrap(), expected, "a file may be written in its own place");
}

#[test]
fn convert_keeps_what_cannot_be_played_and_says_so() {
    let (folder, [odd]) = files([ODD]);
    let out = folder.path().join("out.pdn");
    let output = crownhead(&["pdn", "convert", &odd, "--out", out.to_str().unwrap()]);
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(":1:10: game 1: “23-17” cannot be played"), "{told}");
    assert!(fs::read_to_string(out).unwrap().contains("1. 11-15 {23-17} *"));
}

#[test]
fn convert_touches_nothing_if_it_fails() {
    let utf16 = "\u{feff}1. 11-15".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let (folder, [prose, precious]) = files(["Once upon a time.", "precious"]);
    let wide = folder.path().join("wide.pdn");
    fs::write(&wide, utf16).unwrap();
    let content = |path: &str| fs::read_to_string(path).unwrap();
    for (file, message) in [
        (prose.as_str(), "there is no game in"),
        (wide.to_str().unwrap(), "UTF-16"),
        ("/nowhere/at/all.pdn", "cannot read /nowhere/at/all.pdn"),
    ] {
        let (code, error) = failure(&["pdn", "convert", file, "--out", &precious]);
        assert_eq!(code, Some(1));
        assert!(error.contains(message), "{error}");
        assert_eq!(content(&precious), "precious");
    }
    let in_place = failure(&["pdn", "convert", &prose, "--out", &prose]);
    assert_eq!(in_place.0, Some(1));
    assert_eq!(content(&prose), "Once upon a time.");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary file is left");
    let no_folder = Path::new(&prose).join("out.pdn");
    let (code, error) = failure(&["pdn", "convert", &prose, "--out", no_folder.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(error.contains("cannot write"), "{error}");
}
