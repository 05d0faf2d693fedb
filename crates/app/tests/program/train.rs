//! `crownhead train` as a user runs it.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crownhead_engine::Evaluation;
use crownhead_rules::OPENINGS;
use crownhead_tablebase::{Tablebase, Wdl};
use crownhead_training::{DataWriter, Recipe, Sample};

use crate::{crownhead, failure, stdout};

/// So many positions, and each phase has enough to learn from.
const ENOUGH: &str = "60000";

/// A folder for files, with an empty one for tables, so that it does not matter which ones the user has.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        fs::create_dir(desk.file("tables")).unwrap();
        desk
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn play(&self, positions: &str) -> Vec<String> {
        let arguments = ["--positions", positions, "--nodes", "10", "--tablebase"];
        let mut all = vec!["train".to_owned(), "play".to_owned(), self.file("games")];
        all.extend(arguments.map(str::to_owned));
        all.push(self.file("tables"));
        all
    }

    fn fit(&self, out: &str) -> Vec<String> {
        let [games, out, tables] = ["games", out, "tables"].map(|name| self.file(name));
        let arguments = ["train", "fit", &games, "--out", &out, "--passes", "1", "--tablebase", &tables];
        arguments.map(str::to_owned).to_vec()
    }
}

/// What a successful run tells on its way.
fn told(arguments: &[String]) -> String {
    let output = crownhead(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    told
}

/// What a run complains about that fails for its input.
fn complaint(arguments: &[String]) -> String {
    let (code, complaint) = failure(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, Some(1), "{complaint}");
    complaint
}

#[test]
fn weights_are_learnt_from_games() {
    let desk = Desk::new();
    told(&desk.play("500"));
    let played = told(&desk.play(ENOUGH));
    assert!(played.contains("seed 1, 10 nodes a move, weights "), "{played}");
    assert!(played.contains(", tables of 4 pieces, scale 86)"), "{played}");
    let told = told(&desk.fit("weights"));
    assert!(told.contains("epoch  1: training loss") && told.contains("69678 bytes"), "{told}");
    assert!(told.contains("corrected by tables of 4 pieces"), "{told}");
    assert_eq!(fs::read(desk.file("weights")).unwrap().len(), 69_678);
}

#[test]
fn both_commands_report_one_json_object() {
    let desk = Desk::new();
    let report = |mut arguments: Vec<String>| -> serde_json::Value {
        arguments.push("--json".to_owned());
        let printed = stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(printed.lines().count(), 1, "{printed}");
        serde_json::from_str(&printed).unwrap()
    };
    let played = report(desk.play(ENOUGH));
    assert_eq!(played["file"], desk.file("games"));
    assert!(
        played["games"].as_u64() > Some(50) && played["positions"].as_u64() >= ENOUGH.parse().ok(),
        "{played}"
    );
    assert!(played["seconds"].as_f64() > Some(0.0), "{played}");
    let fitted = report(desk.fit("weights"));
    assert_eq!(fitted["weights"], desk.file("weights"));
    assert_eq!(fitted["checksum"].as_str().map(str::len), Some(8), "{fitted}");
    assert_eq!(fitted["passes"].as_array().map(Vec::len), Some(1), "{fitted}");
    let [learnt, held_out] = ["learnt", "held_out"].map(|loss| fitted["passes"][0][loss].as_f64().unwrap());
    assert!(learnt > 0.0 && held_out > 0.0, "{fitted}");
    let [learnt, held_out] = ["positions", "held_out"].map(|count| fitted[count].as_u64().unwrap());
    assert!(learnt > held_out && held_out > 0 && Some(learnt) < played["positions"].as_u64(), "{fitted}");
}

#[test]
fn games_that_leave_a_phase_out_are_refused() {
    let desk = Desk::new();
    let recipe = Recipe::new(1, 10, &Evaluation::Handcrafted, &Tablebase::embedded());
    let (mut store, _) = DataWriter::open(Path::new(&desk.file("games")), recipe).unwrap();
    // With this many openings the training set is not empty.
    for opening in &OPENINGS {
        let position = *opening.history().position();
        store.add(&[Sample { position, score: 0, result: Wdl::Draw }]).unwrap();
    }
    drop(store);
    fs::write(desk.file("weights"), "old").unwrap();
    let complaint = complaint(&desk.fit("weights"));
    assert!(
        complaint.contains("too few training positions have 2 to 6 pieces: 0, and 257 are needed"),
        "{complaint}"
    );
    assert_eq!(fs::read_to_string(desk.file("weights")).unwrap(), "old");
}

#[test]
fn weights_that_cannot_be_written_are_told_before_the_games_are_read() {
    let desk = Desk::new();
    let complaint = complaint(&desk.fit("no/such/weights"));
    assert!(complaint.contains("cannot write") && complaint.contains("no/such/weights"), "{complaint}");
}

#[test]
fn nothing_is_written_over_games_and_no_two_things_into_one_file() {
    let desk = Desk::new();
    fs::write(desk.file("games"), "games").unwrap();
    let complaint = |out: &str, plot: &str| {
        complaint(&[desk.fit(out), vec!["--plot".to_owned(), desk.file(plot)]].concat())
    };
    let told = complaint("tables/../games", "losses");
    assert!(told.contains("--out ") && told.contains("games is another file of this command"), "{told}");
    for (out, plot) in [("weights", "games"), ("weights", "tables/../weights")] {
        let told = complaint(out, plot);
        assert!(told.contains("--plot ") && told.contains("another file of this command"), "{told}");
    }
    assert_eq!(fs::read_to_string(desk.file("games")).unwrap(), "games");
    assert!(!fs::exists(desk.file("weights")).unwrap());
}

#[test]
fn a_rate_that_nothing_can_be_learnt_with_is_wrong_usage() {
    for rate in ["nan", "inf", "1e30", "1.01", "0", "-1", "1e-50", "fast"] {
        let (code, told) = failure(&["train", "fit", "games", "--out", "weights", &format!("--rate={rate}")]);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("--rate <STEP>"), "{told}");
    }
}

#[test]
fn more_threads_than_any_machine_has_are_wrong_usage() {
    for threads in ["0", "257", "300", "99999999999999999999"] {
        let (code, told) = failure(&["train", "play", "games", "--threads", threads]);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("--threads <N>"), "{told}");
    }
}

#[test]
fn a_move_without_a_thought_is_wrong_usage() {
    let (code, told) = failure(&["train", "play", "games", "--nodes", "0"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("--nodes <N>") && told.contains("from 1 to"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_told() {
    let desk = Desk::new();
    // No address space has room for such a stack.
    let stack = (1_u64 << 60).to_string();
    let program = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(desk.play("100"))
        .args(["--threads", "2"])
        .env("RUST_MIN_STACK", stack)
        .output()
        .unwrap();
    let told = String::from_utf8(program.stderr).unwrap();
    assert_eq!(program.status.code(), Some(1), "{told}");
    assert!(told.contains("cannot start 2 threads") && told.contains("ask for fewer"), "{told}");
}

#[test]
fn a_file_of_games_that_is_in_use_or_damaged_is_left_alone() {
    let desk = Desk::new();
    told(&desk.play("100"));
    let games = desk.file("games");
    let mut bytes = fs::read(&games).unwrap();
    {
        let other = File::open(&games).unwrap();
        other.lock().unwrap();
        let complaint = complaint(&desk.play("200"));
        assert!(complaint.contains("games is in use by another `train play`; wait"), "{complaint}");
    }
    bytes[50] ^= 1;
    fs::write(&games, &bytes).unwrap();
    for arguments in [desk.play("200"), desk.fit("weights")] {
        let complaint = complaint(&arguments);
        assert!(complaint.contains("games is damaged at byte 40 (whole games before: 0)"), "{complaint}");
    }
    assert_eq!(fs::read(&games).unwrap(), bytes);
}
