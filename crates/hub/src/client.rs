//! The Hub client: starts another engine as a child process and asks it for moves.

mod error;
mod seed;

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crownhead_engine::{ClockState, Limits, StopFlag, TimeLimit};
use crownhead_rules::{History, Move, Progress};

pub use error::ClientError;
use seed::{SEED, SeedRange};

use crate::line::{Line, LineReader};
use crate::notation::{move_text, parse_move, position_text};

/// A connection to another engine, over its standard input and output.
pub struct Client {
    name: String,
    child: Child,
    input: ChildStdin,
    output: Receiver<io::Result<Option<String>>>,
    /// How long beyond its limit it may take to start or to answer before it counts as dead.
    grace: Duration,
    stop: StopFlag,
    /// The seeds that it accepts, if it has such a parameter and the caller has not set it.
    seeds: Option<SeedRange>,
}

/// A program's answer to `go`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// The program's score for the position, in men.
    pub score: Option<f64>,
}

/// Long enough for any program on any machine.
const GRACE: Duration = Duration::from_secs(20);
/// The limit for a search by depth or nodes, which has no time of its own.
const MAX_SEARCH: Duration = Duration::from_secs(3600);
/// How often the stop flag is checked while waiting for an answer.
const STOP_POLL: Duration = Duration::from_millis(50);
/// The parameter that selects the game, in programs that play more than one.
const VARIANT: &str = "variant";
/// Lines that are buffered before the program has to wait.
const MAX_BUFFERED_LINES: usize = 256;
/// Longer error messages are truncated to this many characters.
const MAX_MESSAGE_CHARS: usize = 200;
/// After `quit` the program has this many polls, with a pause after each, to exit before it is killed.
const QUIT_POLLS: u32 = 50;
const QUIT_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The time by which an answer is due, however many lines come before it; `None` means never.
#[derive(Clone, Copy)]
struct Deadline(Option<Instant>);

impl Deadline {
    fn after(grace: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(grace))
    }

    fn left(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}

impl Client {
    /// Starts a program, sets these parameters (names and values) and waits until it is ready to play English draughts.
    /// Once `stop` is set, the client no longer waits for it.
    ///
    /// # Errors
    /// If it does not start, does not answer as the protocol says, or lacks one of the parameters.
    pub fn start(
        command: &str,
        parameters: &[(String, String)],
        stop: &StopFlag,
    ) -> Result<Client, ClientError> {
        Client::start_with(command, parameters, GRACE, stop.clone())
    }

    fn start_with(
        command: &str,
        parameters: &[(String, String)],
        grace: Duration,
        stop: StopFlag,
    ) -> Result<Client, ClientError> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(ClientError::NoCommand)?;
        let mut command_line = Command::new(program);
        command_line.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C in a terminal is meant for the match; the match then stops its players.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command_line, 0);
        let mut child = command_line
            .spawn()
            .map_err(|error| ClientError::Start { command: command.to_owned(), error })?;
        let input = child.stdin.take().expect("stdin is piped");
        let mut lines = LineReader::new(BufReader::new(child.stdout.take().expect("stdout is piped")));
        let (sender, output) = mpsc::sync_channel(MAX_BUFFERED_LINES);
        thread::spawn(move || lines.try_for_each(|line| sender.send(line)));
        let name = program.to_owned();
        let mut client = Client { name, child, input, output, grace, stop, seeds: None };
        let offered = client.greet().map_err(|error| match error {
            ClientError::Timeout { .. } | ClientError::Exited { .. } => {
                ClientError::NoGreeting { error: error.into() }
            }
            other => other,
        })?;
        client.set_up(&offered, parameters)?;
        client.send(&Line::new("init"))?;
        let deadline = Deadline::after(grace);
        while client.receive(deadline)?.command() != "ready" {}
        Ok(client)
    }

    /// Exchanges greetings: learns its name and the parameters that it offers.
    fn greet(&mut self) -> Result<Vec<String>, ClientError> {
        self.send(&Line::new("hub"))?;
        let mut offered = Vec::new();
        let deadline = Deadline::after(self.grace);
        loop {
            let line = self.receive(deadline)?;
            match (line.command(), line.get("name")) {
                ("id", Some(name)) => name.clone_into(&mut self.name),
                ("param", Some(name)) => {
                    offered.push(name.to_owned());
                    self.seeds = self.seeds.or_else(|| SeedRange::offered(&line));
                }
                ("wait", _) => return Ok(offered),
                _ => {}
            }
        }
    }

    fn set_up(&mut self, offered: &[String], parameters: &[(String, String)]) -> Result<(), ClientError> {
        if offered.iter().any(|name| name == VARIANT) {
            self.set(VARIANT, "english")?;
        }
        for (parameter, value) in parameters {
            if !offered.contains(parameter) {
                let (name, offered) = (self.name.clone(), offered.join(", "));
                return Err(ClientError::NoParameter { name, parameter: parameter.clone(), offered });
            }
            self.set(parameter, value)?;
        }
        // A seed that the caller has set stays.
        self.seeds.take_if(|_| parameters.iter().any(|(name, _)| name == SEED));
        // Otherwise the program would draw one of its own before the first game.
        self.set_seed(0)
    }

    /// The name by which it introduced itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts a new game, with this seed if the program accepts one.
    ///
    /// # Errors
    /// If the pipe is broken.
    pub fn new_game(&mut self, seed: u64) -> Result<(), ClientError> {
        self.set_seed(seed)?;
        self.send(&Line::new("new-game"))
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// If it has exited, does not answer, reports an error, or plays an illegal move.
    pub fn play(&mut self, game: &History, limits: &Limits) -> Result<Reply, ClientError> {
        self.send(&position_line(game))?;
        self.send(&level_line(limits))?;
        self.send(&Line::new("go").flag("think"))?;
        let allowed = match limits.time {
            Some(TimeLimit::Move(time)) => time,
            Some(TimeLimit::Clock(clock)) => clock.remaining,
            None => MAX_SEARCH,
        };
        let deadline = Deadline::after(self.grace.saturating_add(allowed));
        let mut score = None;
        loop {
            let line = self.receive(deadline)?;
            match line.command() {
                "info" => score = line.get("score").and_then(|text| text.parse().ok()).or(score),
                "done" => {
                    let text = line.get("move").unwrap_or_default();
                    let mv = parse_move(game.position(), text).map_err(|_| ClientError::Illegal {
                        name: self.name.clone(),
                        text: text.into(),
                        fen: game.position().to_string(),
                    })?;
                    return Ok(Reply { mv, score });
                }
                _ => {}
            }
        }
    }

    fn set_seed(&mut self, seed: u64) -> Result<(), ClientError> {
        let Some(seeds) = self.seeds else { return Ok(()) };
        self.set(SEED, &seeds.pick(seed).to_string())
    }

    fn set(&mut self, parameter: &str, value: &str) -> Result<(), ClientError> {
        self.send(&Line::new("set-param").with("name", parameter).with("value", value))
    }

    fn send(&mut self, line: &Line) -> Result<(), ClientError> {
        writeln!(self.input, "{line}").map_err(|error| self.exited(error))
    }

    /// The next line that can be parsed. An `error` line is an error.
    fn receive(&mut self, deadline: Deadline) -> Result<Line, ClientError> {
        loop {
            if self.stop.is_set() {
                return Err(ClientError::Stopped { name: self.name.clone() });
            }
            let left = deadline.left();
            if left.is_zero() {
                return Err(ClientError::Timeout { name: self.name.clone() });
            }
            match self.output.recv_timeout(left.min(STOP_POLL)) {
                Ok(Ok(text)) => {
                    let Some(Ok(line)) = text.map(|text| Line::parse(&text)) else { continue };
                    if line.command() == "error" {
                        let message = line.get("message").unwrap_or_default();
                        let message = message.chars().take(MAX_MESSAGE_CHARS).collect();
                        return Err(ClientError::Reported { name: self.name.clone(), message });
                    }
                    return Ok(line);
                }
                Ok(Err(error)) => return Err(self.exited(error)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.exited(io::ErrorKind::UnexpectedEof.into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn exited(&self, error: io::Error) -> ClientError {
        ClientError::Exited { name: self.name.clone(), error }
    }
}

fn level_line(limits: &Limits) -> Line {
    let mut line = Line::new("level");
    if let Some(depth) = limits.depth {
        line = line.with("depth", depth);
    }
    if let Some(nodes) = limits.nodes {
        line = line.with("nodes", nodes);
    }
    match limits.time {
        Some(TimeLimit::Move(time)) => line.with("move-time", time.as_secs_f64()),
        Some(TimeLimit::Clock(ClockState { remaining, increment, .. })) => {
            // The program adds the increment itself.
            let (remaining, increment) = (remaining.as_secs_f64(), increment.as_secs_f64());
            line.with("time", format_args!("{:.4}", remaining - increment)).with("inc", increment)
        }
        None => line,
    }
}

/// The position after the last capture or man move, and the king moves since: all that repetition depends on.
fn position_line(game: &History) -> Line {
    let since = game.plies_since(Progress::CaptureOrManMove);
    let first = game.moves().len() - since;
    let line = Line::new("pos").with("pos", position_text(&game.positions()[first]));
    if since == 0 {
        return line;
    }
    let moves: Vec<String> = game.moves()[first..].iter().map(|&mv| move_text(mv)).collect();
    line.with("moves", moves.join(" "))
}

impl Drop for Client {
    fn drop(&mut self) {
        // Ask it to quit, and kill it if it does not.
        let _ = self.send(&Line::new("quit"));
        for _ in 0..QUIT_POLLS {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            thread::sleep(QUIT_POLL_INTERVAL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    /// A shell script that speaks a part of the protocol.
    fn program(script: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.sh");
        fs::write(&file, script).unwrap();
        let command = format!("sh {}", file.display());
        (folder, command)
    }

    fn start(command: &str, parameters: &[(String, String)]) -> Result<Client, ClientError> {
        Client::start(command, parameters, &StopFlag::default())
    }

    const READY: &str = "read hub; echo id name=Script; echo wait; read init; echo ready\n";

    #[test]
    fn an_error_line_ends_the_wait_for_a_move_at_once() {
        let (_folder, command) =
            program(&format!("{READY}read pos; echo error message=\\\"no such thing\\\"; cat"));
        let mut client = start(&command, &[]).unwrap();
        let error = client.play(&History::default(), &Limits::depth(1)).unwrap_err();
        assert_eq!(error.to_string(), "Script reports an error: no such thing");
    }

    #[test]
    fn only_parameters_that_are_offered_can_be_set() {
        let (_folder, command) =
            program("echo id name=Script; echo param name=hash; echo wait; cat > /dev/null");
        let parameters = [("book".to_owned(), "false".to_owned())];
        let Err(error) = start(&command, &parameters) else { panic!("it was set") };
        assert_eq!(error.to_string(), "Script has no parameter \"book\"; it has hash");
    }

    #[test]
    fn every_game_has_its_own_seed_unless_one_is_given() {
        let script = "echo id name=Script; echo param name=seed min=0 max=9; echo wait; echo ready\n\
             while read line; do echo $line >> $0.heard; test \"$line\" = quit && exit; done";
        let given = [("seed".to_owned(), "5".to_owned())];
        let seed = |n| format!("set-param name=seed value={n}\n");
        for (parameters, first, later) in [(&[][..], seed(1), seed(4)), (&given, seed(5), String::new())] {
            let (folder, command) = program(script);
            let mut client = start(&command, parameters).unwrap();
            client.new_game(12).unwrap();
            drop(client);
            let heard = fs::read_to_string(folder.path().join("program.sh.heard")).unwrap();
            assert_eq!(heard, format!("hub\n{first}init\n{later}new-game\nquit\n"));
        }
    }

    #[test]
    fn a_program_that_talks_but_does_not_answer_times_out() {
        for command in ["yes", "cat /dev/zero"] {
            let Err(error) =
                Client::start_with(command, &[], Duration::from_millis(100), StopFlag::default())
            else {
                panic!()
            };
            let name = command.split(' ').next().unwrap();
            let told = format!("{name} does not answer; give the whole command, for example ");
            assert!(error.to_string().starts_with(&told), "{command}: {error}");
        }
    }
}
