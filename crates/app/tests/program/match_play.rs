//! `crownhead match` as a user runs it.

use std::fs;
#[cfg(unix)]
use std::path::Path;

use serde_json::Value;

use crate::{failure, stdout};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("it prints one object")
}

#[test]
fn a_match_is_told_as_json() {
    let report = json(&["match", "novice", "random", "--games", "20", "--json"]);
    assert_eq!(
        (&report["games"], &report["illegal"], &report["timeouts"]),
        (&20.into(), &0.into(), &0.into())
    );
    let sum = ["wins", "draws", "losses"].map(|key| report[key].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!(sum, 20);
    assert!(report["score"].as_f64() > Some(0.7) && report["elo"].as_f64() > Some(100.0), "{report}");
    assert!(report["elo_error"].is_f64() && report["overshoot"].is_f64());
    assert_eq!((&report["seed"], &report["sprt"]), (&1.into(), &Value::Null));
    let test = ["--games", "2", "--seed", "7", "--sprt", "0", "5"];
    let tested = json(&[&["match", "random", "random", "--json"], &test[..]].concat());
    assert_eq!((&tested["seed"], &tested["sprt"]["elo1"]), (&7.into(), &5.0.into()), "{tested}");
    assert_eq!(tested["sprt"]["decision"], "open", "{tested}");
    let words = stdout(&[&["match", "random", "random"], &test[..]].concat());
    assert!(words.starts_with("random against random, seed 7\n"), "{words}");
}

#[test]
fn another_program_plays_over_its_pipes() {
    let other = format!("hub,book=false,hash=16:{} hub", env!("CARGO_BIN_EXE_crownhead"));
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    let games = games.to_str().unwrap();
    let report =
        json(&["match", &other, "random", "--games", "4", "--nodes", "500", "--json", "--pdn", games]);
    assert_eq!((&report["wins"], &report["illegal"]), (&4.into(), &0.into()), "{report}");
    let check = stdout(&["pdn", "check", games]);
    assert!(check.contains("4 games, 4 replay"), "{check}");
    assert!(fs::read_to_string(games).unwrap().contains("[Black \"random\"]"));
}

#[test]
fn the_seed_of_a_match_reaches_another_program() {
    let weak = format!("hub,level=1:{} hub", env!("CARGO_BIN_EXE_crownhead"));
    let folder = tempfile::tempdir().unwrap();
    let played = |name: &str| {
        let games = folder.path().join(name);
        stdout(&["match", &weak, "random", "--games", "2", "--seed", "3", "--pdn", games.to_str().unwrap()]);
        fs::read_to_string(games).unwrap()
    };
    assert_eq!(played("once.pdn"), played("again.pdn"));
}

/// A program that goes through the greeting and answers the first `go` by going away. The file beside it counts how often
/// it was started; after so many times it does not start any more.
#[cfg(unix)]
fn quitter(folder: &Path, starts: u32) -> String {
    let program = folder.join("quitter.sh");
    let script = format!(
        "echo >> $0.starts; test $(wc -l < $0.starts) -le {starts} || exit\n\
         echo id name=Quitter; echo wait; echo ready; while read line; do test \"$line\" = 'go think' && exit; done"
    );
    fs::write(&program, script).unwrap();
    format!("hub:sh {}", program.display())
}

#[test]
#[cfg(unix)]
fn a_program_that_goes_away_loses_the_game_and_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let quitter = quitter(folder.path(), 8);
    let arguments = ["match", "random", &quitter, "--games", "4", "--json"];
    let report = json(&arguments);
    assert_eq!((&report["wins"], &report["failures"]), (&4.into(), &4.into()), "{report}");
    let (code, message) = failure(&[&arguments[..], &["--no-forfeits"]].concat());
    assert_eq!(code, Some(1));
    assert!(message.contains(&format!("forfeited by {quitter}: Quitter has exited")), "{message}");
    assert!(message.contains("4 games were lost"), "{message}");
}

#[test]
#[cfg(unix)]
fn a_move_that_is_not_legal_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("dreamer.sh");
    let script = "echo id name=Dreamer; echo wait; echo ready\n\
                  while read line; do test \"$line\" = 'go think' && echo done move=1-32; done";
    fs::write(&program, script).unwrap();
    let dreamer = format!("hub:sh {}", program.display());
    let (code, message) = failure(&["match", "random", &dreamer, "--games", "2", "--no-forfeits"]);
    assert_eq!(code, Some(1));
    let told = format!("game 1 is forfeited by {dreamer}: Dreamer played “1-32”, which is not legal in ");
    assert!(message.contains(&told) && message.contains("2 games were lost"), "{message}");
}

#[test]
#[cfg(unix)]
fn games_that_were_played_are_kept_if_a_player_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let (quitter, games) = (quitter(folder.path(), 3), folder.path().join("games.pdn"));
    let games = games.to_str().unwrap();
    let (code, message) = failure(&["match", "random", &quitter, "--games", "8", "--pdn", games]);
    assert_eq!(code, Some(1));
    assert!(message.contains("so far 2 games: +2 =0 -0"), "{message}");
    assert!(message.contains(&format!("crownhead: {quitter}: ")), "{message}");
    let check = stdout(&["pdn", "check", games]);
    assert!(check.contains("3 games, 3 replay"), "{check}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_match_whose_games_cannot_be_written_ends_at_once() {
    let arguments = ["match", "random", "random", "--games", "1000000", "--pdn", "/dev/full"];
    let (code, message) = failure(&arguments);
    assert_eq!(code, Some(1));
    assert!(message.contains("crownhead: cannot write the games: "), "{message}");
}

/// A program that is ready, says so in a file beside it when it is to move, and thinks for ever. If Ctrl-C reaches it, it
/// says that, too.
#[cfg(unix)]
fn dawdler(folder: &Path) -> String {
    let program = folder.join("dawdler.sh");
    let script = "trap 'echo > $0.hurt; exit' INT; echo id name=Dawdler; echo wait; echo ready\n\
                  while read line; do test \"$line\" = 'go think' && echo > $0.thinks; done";
    fs::write(&program, script).unwrap();
    format!("hub:sh {}", program.display())
}

/// Starts a match in a group of its own, waits for a file to be there and presses Ctrl-C.
#[cfg(unix)]
fn interrupted(arguments: &[&str], sign: &Path) -> std::process::Output {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.args(arguments).process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let waited = Instant::now();
    while fs::metadata(sign).map_or(0, |file| file.len()) == 0 {
        assert!(waited.elapsed() < Duration::from_secs(60), "{arguments:?}: nothing happens");
        thread::sleep(Duration::from_millis(10));
    }
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let pressed = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(pressed.elapsed() < Duration::from_secs(10), "it takes its time");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    output
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_tells_its_result_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    let players = ["match", "random", "novice", "--games", "1000000", "--pdn", games.to_str().unwrap()];
    let output = interrupted(&players, &games);
    let words = String::from_utf8(output.stdout).unwrap();
    assert!(words.contains(" games: +") && output.stderr.is_empty(), "{words}");
    fs::remove_file(&games).unwrap();
    let output = interrupted(&[&players[..], &["--json"]].concat(), &games);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["games"].as_u64() < Some(1_000_000) && report["failures"] == 0, "{report}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_waits_for_nobody_and_counts_no_game_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let dawdler = dawdler(folder.path());
    let thinks = folder.path().join("dawdler.sh.thinks");
    let output = interrupted(&["match", &dawdler, &dawdler, "--move-time", "600"], &thinks);
    let words = String::from_utf8(output.stdout).unwrap();
    assert!(words.contains("0 games: +0 =0 -0") && words.contains("Elo unknown yet"), "{words}");
    assert!(words.contains("programs that failed 0"), "{words}");
    assert!(!folder.path().join("dawdler.sh.hurt").exists(), "Ctrl-C is not for the players");
}

#[test]
fn one_sided_results_tell_no_elo() {
    let words = stdout(&["match", "self", "random", "--games", "2", "--nodes", "500"]);
    assert!(words.contains("2 games: +2 =0 -0, 100.0 %, Elo unknown yet\n"), "{words}");
}

#[test]
fn the_longest_increment_is_no_trouble() {
    let report = json(&["match", "random", "random", "--games", "2", "--clock", "1+1e19", "--json"]);
    assert_eq!((&report["games"], &report["timeouts"]), (&2.into(), &0.into()), "{report}");
}

#[test]
fn levels_meet_in_a_round_robin() {
    let report = json(&["match", "--levels", "1-3", "--games", "4", "--games-of-others", "2", "--json"]);
    let table = report["table"].as_array().unwrap();
    assert_eq!(report["seed"], 1);
    let mut games = Vec::new();
    for row in table {
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| row[key].as_f64().unwrap());
        games.push(wins + draws + losses);
        assert_eq!(row["score"].as_f64(), Some((wins + draws / 2.0) / (wins + draws + losses)), "{row}");
    }
    assert_eq!(games, [4.0, 4.0, 4.0, 4.0, 2.0]);
    let pairs: Vec<_> =
        table.iter().map(|row| (row["a"].as_str().unwrap(), row["b"].as_str().unwrap())).collect();
    let level = |n: u8| format!("level {n}");
    let [one, two, three] = [level(1), level(2), level(3)];
    let [one, two, three] = [&*one, &*two, &*three];
    assert_eq!(pairs, [(one, "random"), (one, "novice"), (two, one), (three, two), (three, one)]);
}

#[test]
fn every_ballot_is_played_from_both_sides() {
    let report = json(&["match", "random", "random", "--ballots=mail-play,barred", "--json"]);
    assert_eq!(report["games"], 60);
}

#[test]
fn bad_input_is_named() {
    for (arguments, complaint) in [
        (&["match", "selfish"][..], "is not a player"),
        (&["match", "self,hash=999999999"], "from 1 to 65536"),
        (
            &["match", "level=9"],
            "is out of range or malformed; write level=N with a whole number from 1 to 8",
        ),
        (&["match", "hub:", "random"], "names no program"),
        (&["match", "--concurrency", "100000"], "from 1 to 256"),
        (&["match", "--games", "0"], "from 1 to 10000000"),
        (&["match", "--games", "18446744073709551615"], "from 1 to 10000000"),
        (&["match", "--depth", "0"], "from 1 to 4294967295"),
        (&["match", "--nodes", "0"], "from 1 to 18446744073709551615"),
        (&["match", "--levels", "3-1"], "FROM-TO"),
        (&["match", "--clock", "5"], "TIME+INCREMENT"),
        (&["match", "--ballots=chess"], "possible values"),
        (&["match", "--nodes", "5", "--depth", "4"], "cannot be used with"),
        (&["match", "--plot", "x.svg"], "--levels"),
        (&["match", "random", "random", "--plot", "x.svg"], "cannot be used with"),
        (&["match", "random", "--neighbours"], "cannot be used with"),
        (&["match", "random", "random", "--games-of-others", "2"], "cannot be used with"),
        (&["match", "--sprt", "0", "5", "--neighbours"], "cannot be used with"),
        (&["match", "--levels", "1-2", "--ballots", "--games-of-others", "2"], "cannot be used with"),
    ] {
        let (code, message) = failure(arguments);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(complaint), "{arguments:?}: {message}");
    }
    for elo in [["10", "0"], ["0", "0"], ["nan", "5"]] {
        let (code, message) = failure(&["match", "random", "random", "--sprt", elo[0], elo[1]]);
        assert_eq!((code, message.contains("the smaller one first")), (Some(2), true), "{message}");
    }
    let (code, message) = failure(&["match", "hub:/no/such/program", "random"]);
    assert_eq!((code, message.contains("cannot start")), (Some(1), true), "{message}");
    let (code, message) = failure(&["match", "random", "random", "--tablebase", "/no/such/folder"]);
    assert_eq!((code, message.contains("there is no folder")), (Some(1), true), "{message}");
    let other = format!("hub,colour=red:{} hub", env!("CARGO_BIN_EXE_crownhead"));
    let (code, message) = failure(&["match", &other, "random"]);
    assert_eq!((code, message.contains("no parameter \"colour\"")), (Some(1), true), "{message}");
}

#[test]
fn the_signature_is_the_same_every_time() {
    let nodes = || json(&["bench", "--json"])["nodes"].as_u64().unwrap();
    assert_eq!(nodes(), nodes());
}
