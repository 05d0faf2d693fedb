//! `crownhead hub` as another program talks to it.

mod refusals;

use std::fs;
use std::io::{self, BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::stdout;

struct Hub {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

const START: &str = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

impl Hub {
    fn start() -> Hub {
        Hub::run(Command::new(env!("CARGO_BIN_EXE_crownhead")).arg("hub"))
    }

    fn run(command: &mut Command) -> Hub {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        Hub { child, input, output }
    }

    /// One that has been through the greeting.
    fn ready() -> Hub {
        let mut hub = Hub::start();
        hub.greet();
        hub
    }

    fn greet(&mut self) {
        self.send("hub");
        self.until("wait");
        self.send("set-param name=hash value=4\nset-param name=book value=false\ninit");
        self.until("ready");
    }

    fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("the pipe is open");
        writeln!(input, "{lines}").expect("the program listens");
    }

    /// The lines up to the one that begins with this word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in self.output.by_ref() {
            lines.push(line.expect("the program writes text"));
            if lines.last().is_some_and(|line| line.split(' ').next() == Some(word)) {
                return lines;
            }
        }
        panic!("the program ended before it said {word}: {lines:?}");
    }

    fn last(&mut self, word: &str) -> String {
        self.until(word).pop().expect("there is a last line")
    }

    fn ends_well(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("the program ends").success());
    }
}

#[test]
fn the_greeting_and_the_help_name_the_parameters() {
    let mut hub = Hub::start();
    hub.send("hub");
    let lines = hub.until("wait");
    assert!(lines[0].starts_with("id name=Crownhead version="), "{lines:?}");
    for name in ["variant", "hash", "threads", "tablebase", "book", "level", "seed"] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("param name={name} "))),
            "{name}: {lines:?}"
        );
    }
    let help = stdout(&["hub", "--help"]);
    for name in lines.iter().filter_map(|line| line.strip_prefix("param name=")?.split(' ').next()) {
        assert!(help.contains(&format!("\n  {name} ")), "{name}: {help}");
    }
    hub.ends_well();
}

#[test]
fn every_kind_of_limit_ends_in_a_move() {
    let mut hub = Hub::ready();
    for level in [
        "depth=6",
        "nodes=5000",
        "move-time=0.02",
        "time=1.0 inc=0.01",
        "moves=2 time=0.1",
        "time=-0.01 inc=0.02",
    ] {
        hub.send(&format!("pos pos={START}\nlevel {level}\ngo think"));
        let lines = hub.until("done");
        let done = lines.last().unwrap();
        let mv = done.strip_prefix("done move=").and_then(|rest| rest.split(' ').next());
        assert!(
            ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"].contains(&mv.unwrap()),
            "{done}"
        );
        assert!(level.starts_with("time=-") || lines[0].starts_with("info depth=1 "), "{lines:?}");
    }
    hub.ends_well();
}

#[test]
fn the_longest_clock_is_no_trouble() {
    let mut hub = Hub::ready();
    for level in ["time=0 inc=1e19", "moves=1 time=1e19", "time=1e19 inc=1e19"] {
        hub.send(&format!("pos pos={START}\nlevel {level}\ngo think"));
        hub.until("info");
        hub.send("stop");
        hub.until("done");
    }
    hub.ends_well();
}

#[test]
fn a_search_without_limits_answers_when_it_is_stopped() {
    let mut hub = Hub::ready();
    hub.send(&format!("pos pos={START}\nlevel infinite\ngo analyze\nping"));
    hub.until("pong");
    hub.send("go think");
    assert!(hub.last("error").contains("under way"));
    hub.send("stop");
    hub.until("done");
    // Stopping what has stopped is no mistake.
    hub.send("stop\nlevel nodes=100\ngo think");
    hub.until("done");
    hub.ends_well();
}

#[test]
fn an_analysis_keeps_its_limits_and_is_at_full_strength() {
    let mut hub = Hub::ready();
    hub.send("set-param name=book value=true\nset-param name=level value=1");
    hub.send(&format!("pos pos={START}\nlevel depth=4 move-time=60\ngo analyze"));
    let lines = hub.until("done");
    assert!(lines[3].starts_with("info depth=4 ") && lines.len() == 5, "{lines:?}");
    hub.ends_well();
}

#[test]
fn a_search_without_limits_waits_for_the_stop_even_if_nothing_is_left_to_find() {
    let mut hub = Hub::ready();
    // Black wins at once.
    hub.send("pos pos=Bbeeeeeeebbeeeweeeeeeeeeeeeeeeeee\nlevel infinite\ngo think");
    hub.until("info");
    hub.send("level depth=1\nstop");
    let lines = hub.until("done");
    assert!(lines.iter().any(|line| line.starts_with("error") && line.contains("under way")), "{lines:?}");
    hub.ends_well();
}

#[test]
fn what_is_unknown_is_ignored_even_during_a_search() {
    let mut hub = Hub::ready();
    let nonsense = "nonsense that nobody knows\nnonsense =3\nnonsense a=\"\n\n \u{fffd}\nping";
    hub.send(nonsense);
    assert_eq!(hub.until("pong").len(), 1);
    hub.send(&format!("pos pos={START}\nlevel infinite\ngo analyze\n{nonsense}\nstop"));
    let lines = hub.until("done");
    assert!(!lines.iter().any(|line| line.starts_with("error")), "{lines:?}");
    hub.ends_well();
}

#[test]
fn pondering_becomes_thinking() {
    let mut hub = Hub::ready();
    hub.send(&format!("pos pos={START}\nlevel nodes=3000\ngo ponder\nponder-hit"));
    hub.until("done");
    hub.send("ponder-hit");
    assert!(hub.last("error").contains("ponder"));
    hub.ends_well();
}

#[test]
fn moves_before_are_played_first() {
    let mut hub = Hub::ready();
    hub.send("pos pos=WeeeeeeeWeeeeeeeeeeeeeeeeeeeeeeeB moves=\"8-3 32-28\"\nlevel depth=2\ngo think");
    let done = hub.last("done");
    assert!(done.starts_with("done move=3-"), "{done}");
    hub.ends_well();
}

#[test]
fn a_capture_may_be_written_without_what_it_takes() {
    let mut hub = Hub::ready();
    hub.send("pos moves=\"11-15 22-18 15x22\"\nlevel depth=2\ngo think");
    let done = hub.last("done");
    assert!(done.starts_with("done move=25x18x22") || done.starts_with("done move=26x17x22"), "{done}");
    hub.ends_well();
}

#[test]
fn a_level_below_the_highest_tells_its_thoughts() {
    let mut hub = Hub::ready();
    hub.send(&format!("set-param name=level value=3\npos pos={START}\nlevel move-time=1\ngo think"));
    let lines = hub.until("done");
    assert!(lines[0].starts_with("info depth=1 "), "{lines:?}");
    hub.ends_well();
}

#[test]
fn the_book_answers_without_a_thought_and_not_always_the_same() {
    let mut hub = Hub::ready();
    hub.send("set-param name=book value=true");
    let mut answers: Vec<String> = (1..20)
        .flat_map(|seed| {
            hub.send(&format!(
                "set-param name=seed value={seed}\npos pos={START}\nlevel move-time=9\ngo think"
            ));
            let lines = hub.until("done");
            assert_eq!(lines.len(), 1, "no search is reported: {lines:?}");
            lines
        })
        .collect();
    answers.sort();
    answers.dedup();
    assert!(answers.len() > 1, "{answers:?}");
    hub.ends_well();
}

#[test]
fn a_parameter_changes_only_what_it_concerns() {
    let mut hub = Hub::ready();
    let mut nodes_after = |parameter: &str| -> u64 {
        hub.send(&format!("{parameter}\npos pos={START}\nlevel depth=12\ngo analyze"));
        let lines = hub.until("done");
        let last = lines.iter().rev().find(|line| line.starts_with("info ")).expect("a depth is reported");
        let nodes = last.split(' ').find_map(|field| field.strip_prefix("nodes="));
        nodes.and_then(|nodes| nodes.parse().ok()).expect("the nodes are told")
    };
    let afresh = nodes_after("new-game");
    // What has been learnt stays, so that other nodes are visited.
    for (name, value) in [("seed", "1"), ("book", "true"), ("level", "1"), ("threads", "1"), ("hash", "4")] {
        assert_ne!(nodes_after(&format!("set-param name={name} value={value}")), afresh, "{name}");
    }
    // Another hash table is empty, and other tables find for themselves.
    let empty = nodes_after("set-param name=hash value=5");
    assert_eq!(nodes_after("set-param name=tablebase value=."), empty);
    assert_eq!(nodes_after("new-game"), empty);
    hub.ends_well();
}

#[test]
fn what_is_wrong_with_a_table_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("5-pieces.wdl"), "no table").unwrap();
    let tables = format!("set-param name=tablebase value={}", folder.path().display());
    let quiet = "set-param name=book value=false";
    let later = "set-param name=hash value=4\nset-param name=seed value=7\nset-param name=threads value=2";
    for lines in [format!("{tables}\ninit\n{later}\ninit"), format!("init\n{tables}\n{later}")] {
        let mut hub =
            Hub::run(Command::new(env!("CARGO_BIN_EXE_crownhead")).arg("hub").stderr(Stdio::piped()));
        hub.send(&format!("{quiet}\n{lines}\nquit"));
        let told = io::read_to_string(hub.child.stderr.take().unwrap()).unwrap();
        assert!(told.lines().count() == 1 && told.contains("5-pieces.wdl"), "{lines}: {told}");
        hub.ends_well();
    }
}

#[test]
fn a_seed_that_begins_to_matter_is_told() {
    let mut hub = Hub::run(Command::new(env!("CARGO_BIN_EXE_crownhead")).arg("hub").stderr(Stdio::piped()));
    hub.send("set-param name=book value=false\ninit\nset-param name=threads value=1");
    hub.send("set-param name=level value=3\nset-param name=book value=true\nquit");
    let told = io::read_to_string(hub.child.stderr.take().unwrap()).unwrap();
    assert!(told.lines().count() == 1 && told.starts_with("crownhead: seed "), "{told}");
    hub.ends_well();
}

#[test]
fn a_level_plays_by_its_seed() {
    let mut hub = Hub::ready();
    hub.send("set-param name=level value=2\nset-param name=seed value=5");
    let mut answer = || {
        hub.send(&format!("pos pos={START}\nlevel move-time=0.1\ngo think"));
        hub.last("done")
    };
    assert_eq!(answer(), answer());
}

#[test]
fn a_search_that_nobody_hears_ends_with_the_program() {
    let mut hub = Hub::ready();
    hub.send(&format!("pos pos={START}\nlevel infinite"));
    let Hub { mut child, input, output } = hub;
    drop(output);
    let mut input = input.expect("the pipe is open");
    writeln!(input, "go think").expect("the program listens");
    assert!(child.wait().expect("the program ends").success());
    drop(input);
}

#[test]
fn a_seed_that_was_drawn_is_told_and_repeats_the_game() {
    let mut drawn = Hub::run(Command::new(env!("CARGO_BIN_EXE_crownhead")).arg("hub").stderr(Stdio::piped()));
    let game = format!("set-param name=level value=1\ninit\npos pos={START}\nlevel depth=1\ngo think");
    drawn.send(&game);
    let played = drawn.last("done");
    let mut told = String::new();
    BufReader::new(drawn.child.stderr.take().unwrap()).read_line(&mut told).unwrap();
    let seed = told.strip_prefix("crownhead: seed ").unwrap();
    let mut given = Hub::start();
    given.send(&format!("set-param name=seed value={}\n{game}", seed.trim()));
    assert_eq!(given.last("done"), played);
    drawn.ends_well();
    given.ends_well();
}

#[test]
fn a_closed_pipe_ends_the_program_even_in_thought() {
    let mut hub = Hub::ready();
    hub.send(&format!("pos pos={START}\nlevel infinite\ngo think"));
    hub.ends_well();
}
