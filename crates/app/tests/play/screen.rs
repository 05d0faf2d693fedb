//! On the screen of a real pseudo-terminal.

use std::path::Path;
use std::process::Command;

use crownhead_rules::{Outcome, Side};

use crate::terminal::{Mouse, TRUE_COLOUR, Terminal};
use crate::{kept_game, program};

const ENTER: &str = "\r";
const ESC: &str = "\x1b";
const UP: &str = "\x1b[A";
const TAB: &str = "\t";

/// Opens the program in a window of 80×24 with all colours.
fn open(data: &Path, arguments: &[&str]) -> Terminal {
    let data = data.to_str().expect("a path of the test");
    let arguments = [&["play", "--data", data], arguments].concat();
    Terminal::open((80, 24), &program(), &arguments, &TRUE_COLOUR)
}

/// Waits until the game on disk is as it should be.
fn wait_for_game(
    terminal: &Terminal,
    data: &Path,
    what: &str,
    is_so: impl Fn(&crownhead_game::Game) -> bool,
) {
    terminal.wait(what, |_| kept_game(data).is_some_and(|game| is_so(&game)));
}

#[test]
fn a_whole_game_is_typed_against_the_computer() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = open(folder.path(), &["--level", "1", "--seed", "7", "--no-animation"]);
    terminal.wait_for("Your move.");
    terminal.send(&format!("11-15{ENTER}"));
    loop {
        wait_for_game(&terminal, folder.path(), "the computer's move", |game| {
            game.outcome().is_some() || game.side_to_move() == Side::Black
        });
        let game = kept_game(folder.path()).expect("it is kept");
        if game.outcome().is_some() {
            break;
        }
        let position = game.history().position();
        // The middle of the list: neither side has a plan, and the game comes to an end.
        let moves = position.distinct_moves();
        let text = position.move_text(moves[moves.len() / 2]);
        let made = game.history().moves().len();
        terminal.send(&format!("{text}{ENTER}"));
        wait_for_game(&terminal, folder.path(), &text, |game| game.history().moves().len() > made);
    }
    let game = kept_game(folder.path()).expect("it is kept until the table is left");
    let outcome = game.outcome().expect("it is over");
    terminal.wait_for(match outcome {
        Outcome::Win { winner: Side::Black, .. } => "You win.",
        Outcome::Win { .. } => "You lose.",
        Outcome::Draw(_) | Outcome::Abandoned => "A draw.",
    });
    terminal.wait_for("New game");
    terminal.send("q");
    assert!(terminal.wait_for_end().success());
    assert!(kept_game(folder.path()).is_none(), "a game that is over is not kept");
}

#[test]
fn a_game_is_played_with_arrows_and_enter() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = open(folder.path(), &["--players", "2"]);
    terminal.wait_for("Black to move.");
    // The first piece that can move, then where it can go.
    terminal.send(&format!("{TAB}{ENTER}{TAB}{ENTER}"));
    wait_for_game(&terminal, folder.path(), "a move", |game| game.history().moves().len() == 1);
    terminal.wait_for("Red to move.");
    terminal.send("u");
    terminal.wait_for("One move was taken back.");
    terminal.send(&format!("{UP}{UP}?"));
    terminal.wait_for("pick a piece up, drop it");
}

#[test]
fn pieces_are_clicked_and_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = open(folder.path(), &["--players", "2"]);
    terminal.wait_for("Black to move.");
    let place = |terminal: &Terminal, number: &str| terminal.find(number).expect("the square has its number");
    // Nine to twelve are the numbers that are on the screen only once.
    let (from, to) = (place(&terminal, "12"), place(&terminal, "16"));
    terminal.click(from);
    terminal.click(to);
    terminal.wait_for("1. 12-16");
    let (from, to) = (place(&terminal, "24"), place(&terminal, "20"));
    terminal.mouse(Mouse::Down, from);
    terminal.mouse(Mouse::Drag, (to.0 + 1, to.1));
    terminal.mouse(Mouse::Drag, to);
    terminal.mouse(Mouse::Up, to);
    terminal.wait_for("24-20");
    terminal.mouse(Mouse::WheelUp, to);
    terminal.wait_for("After move 1 of 2.");
    terminal.send(ESC);
    terminal.wait_for("Black to move.");
    let undo = place(&terminal, "u undo");
    terminal.click(undo);
    terminal.wait_for("One move was taken back.");
}

#[test]
fn a_window_may_change_its_size_in_the_middle_of_a_jump() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = open(folder.path(), &["--players", "2", "--fen", "B:W15,23,32:B10"]);
    terminal.wait_for("Black must jump: 10.");
    terminal.send(&format!("{TAB}{ENTER}{TAB}"));
    // One landing is chosen; the jump has to go on.
    let (column, row) = terminal.find("19").expect("the landing has its number");
    terminal.click((column, row));
    // A change of size overtakes keys and clicks, so this one has to be answered first.
    terminal.send(ESC);
    terminal.wait_for("The jump goes on: 26.");
    for (width, height) in [(120, 40), (9, 3), (1, 1), (40, 15)] {
        terminal.resize(width, height);
    }
    terminal.wait_for("Black must jump: 10.");
    terminal.resize(20, 5);
    terminal.wait_for("Crownhead needs");
    terminal.resize(80, 24);
    terminal.wait_for("Black must jump: 10.");
    let (column, row) = terminal.find("26").expect("the end of the jump has its number");
    terminal.click((column, row));
    wait_for_game(&terminal, folder.path(), "the whole jump", |game| {
        game.history().moves().first().is_some_and(|mv| mv.to_string() == "10x19x26")
    });
}

#[test]
fn a_killed_game_is_offered_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = open(folder.path(), &["--level", "2", "--seed", "3", "--no-animation"]);
    terminal.wait_for("Your move.");
    terminal.send(&format!("11-15{ENTER}"));
    wait_for_game(&terminal, folder.path(), "an answer", |game| game.history().moves().len() == 2);
    let before = kept_game(folder.path()).expect("it is kept");
    terminal.kill();

    let mut again = open(folder.path(), &[]);
    again.wait_for("There is an unfinished game");
    again.send(ENTER);
    let answer =
        before.view(crownhead_game::Who::Screen, crownhead_game::Moment::default()).list[1].text.clone();
    again.wait_for(&answer);
    let now = kept_game(folder.path()).expect("it is still kept");
    assert_eq!(now.history(), before.history());
    again.send("q");
    assert!(again.wait_for_end().success());
}

/// Runs a script in which `$PLAY` plays at level 2.
fn shell(data: &Path, script: &str) -> Terminal {
    let play = format!("{} play --level 2 --data {}", program().display(), data.display());
    let environment = [&TRUE_COLOUR[..], &[("PATH", "/bin:/usr/bin"), ("PLAY", &play)]].concat();
    let terminal = Terminal::open((100, 30), Path::new("/bin/sh"), &["-c", script], &environment);
    terminal.wait_for("Your move.");
    assert!(terminal.screen().alternate_screen(), "the game has a page of its own");
    terminal
}

#[test]
fn a_suspended_game_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = shell(folder.path(), "set -m; $PLAY; echo stopped; read line; fg; echo all done");
    terminal.send("\x1a");
    terminal.wait_for("stopped");
    terminal.wait("the shell's page", |screen| !screen.alternate_screen());
    terminal.send("\n");
    terminal.wait_for("Your move.");
    let redraw = "\x0c";
    terminal.send(&format!("{redraw}?"));
    terminal.wait_for("pick a piece up, drop it");
    terminal.send("qq");
    terminal.wait_for("all done");
}

#[test]
fn the_terminal_is_given_back_however_the_program_ends() {
    for way in ["q", "\x03", "TERM", "HUP", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let process = folder.path().join("process");
        let script = format!(
            "sh -c 'echo $$ >{}; exec $PLAY'; echo status $?; stty -a; echo all done",
            process.display()
        );
        let mut terminal = shell(folder.path(), &script);
        if way.len() == 1 {
            terminal.send(way);
        } else {
            let process = std::fs::read_to_string(process).expect("it has begun");
            let kill = format!("kill -{way} {process}");
            assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
        }
        terminal.wait_for("all done");
        let (screen, text) = (terminal.screen(), terminal.text());
        assert!(text.contains("status 0"), "{way}: {text}");
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste(), "{way}");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "{way}");
        assert!(text.contains(" icanon ") && text.contains(" echo "), "{way}: {text}");
    }
}

#[test]
fn keys_are_answered_while_the_computer_thinks() {
    let folder = tempfile::tempdir().unwrap();
    let fen = "B:W21-24,27,30-32:B1,4,7,9,11,12,14,16";
    let mut terminal = open(folder.path(), &["--level", "8", "--side", "second", "--fen", fen]);
    terminal.wait_for("The computer is thinking.");
    terminal.send("t");
    terminal.wait_for("depth ");
    terminal.send("?");
    terminal.wait_for("quit; an unfinished game is kept");
    terminal.send(ESC);
    terminal.wait_for("Your move.");
}

#[test]
fn a_clock_runs_out_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let terminal = open(folder.path(), &["--players", "2", "--clock", "0.03"]);
    terminal.wait_for("Red wins: Black ran out of time.");
}

#[test]
fn the_start_screen_leads_to_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = open(folder.path(), &[]);
    terminal.wait_for("Enter starts the game.");
    // Up from Play: Position, Opening, Clock, Rules.
    terminal.send(&format!("{UP}{UP}{UP}{UP}\x1b[C"));
    terminal.wait_for("Yellow moves first");
    terminal.send(ENTER);
    terminal.wait_for("Win only");
    terminal.send("q");
    assert!(terminal.wait_for_end().success());
    let again = open(folder.path(), &[]);
    again.wait_for("Win only");
}

#[test]
fn a_file_is_stepped_through_and_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    std::fs::write(
        &path,
        "[Event \"Cup\"] [Black \"Ann\"] [White \"Bob\"] 1. 11-15 {the old way} 22-18 2. 15x22 1-0",
    )
    .unwrap();
    let mut terminal = open(folder.path(), &[path.to_str().unwrap()]);
    terminal.wait_for("Move 0 of 3.");
    terminal.send("\x1b[C");
    terminal.wait_for("the old way");
    terminal.send("\x1b[F");
    terminal.wait_for("Result: 1-0.");
    terminal.send("p");
    terminal.wait_for("Enter starts the game.");
}

#[test]
fn without_a_terminal_the_way_out_is_told() {
    let output = Command::new(program()).arg("play").output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "crownhead: the board needs a terminal; `crownhead play --plain` does without one\n"
    );
}
