//! Another program that speaks the protocol, started and asked for moves.

mod error;

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crownhead_engine::{ClockState, Limits, TimeLimit};
use crownhead_rules::{History, Move, Progress};

use crate::StopButton;

pub use error::ClientError;

use super::line::Line;
use super::lines::Lines;
use super::notation::{move_text, parse_move, position_text};
use super::seed::{SEED, Seeds};

/// A program at the other end of two pipes.
pub struct Client {
    name: String,
    child: Child,
    input: ChildStdin,
    output: Receiver<io::Result<Option<String>>>,
    /// If it needs longer to start or to answer than allowed plus this, it is taken for dead.
    patience: Duration,
    stop: StopButton,
    /// What it takes for a seed, if it has one that is left to us.
    seeds: Option<Seeds>,
}

/// A program's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// What it thinks of its position, in men.
    pub score: Option<f64>,
}

/// Long enough for any program on any machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// A search by depth or nodes may take its time.
const LONGEST_SEARCH: Duration = Duration::from_secs(3600);
/// Who waits for an answer looks at the stop button so often.
const LOOK_AT_THE_BUTTON: Duration = Duration::from_millis(50);
/// The parameter of programs that play more than one game.
const VARIANT: &str = "variant";
/// So many lines wait to be read before the program has to wait itself.
const LINES_KEPT: usize = 256;
/// So much of a complaint is passed on.
const COMPLAINT_CHARS: usize = 200;
/// A program that was told to quit is looked at so often, with a pause after each look, before it is made to.
const LOOKS_AT_THE_END: u32 = 50;
const PAUSE_AT_THE_END: Duration = Duration::from_millis(10);

/// Until when an answer is waited for, however many lines come before it. Nothing is for ever.
#[derive(Clone, Copy)]
struct Deadline(Option<Instant>);

impl Deadline {
    fn after(patience: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(patience))
    }

    fn left(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}

impl Client {
    /// Starts a program and brings it to where it is ready to play English draughts with these parameters, each a name
    /// and a value. Once the button is pressed it is not waited for any more.
    ///
    /// # Errors
    /// If it does not start, does not answer as the protocol says, or has no such parameter.
    pub fn start(
        command: &str,
        parameters: &[(String, String)],
        stop: &StopButton,
    ) -> Result<Client, ClientError> {
        Client::start_with(command, parameters, PATIENCE, stop.clone())
    }

    fn start_with(
        command: &str,
        parameters: &[(String, String)],
        patience: Duration,
        stop: StopButton,
    ) -> Result<Client, ClientError> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(ClientError::NoCommand)?;
        let mut command_line = Command::new(program);
        command_line.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C in a terminal is for the match, which tells its players.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command_line, 0);
        let mut child = command_line
            .spawn()
            .map_err(|error| ClientError::Start { command: command.to_owned(), error })?;
        let input = child.stdin.take().expect("stdin is piped");
        let mut lines = Lines::of(BufReader::new(child.stdout.take().expect("stdout is piped")));
        let (sender, output) = mpsc::sync_channel(LINES_KEPT);
        thread::spawn(move || lines.try_for_each(|line| sender.send(line)));
        let name = program.to_owned();
        let mut client = Client { name, child, input, output, patience, stop, seeds: None };
        let offered = client.greet().map_err(|error| match error {
            ClientError::Silent { .. } | ClientError::Gone { .. } => {
                ClientError::NoGreeting { error: error.into() }
            }
            other => other,
        })?;
        client.set_up(&offered, parameters)?;
        client.send(&Line::new("init"))?;
        let deadline = Deadline::after(patience);
        while client.receive(deadline)?.command() != "ready" {}
        Ok(client)
    }

    /// Asks for its name and for the parameters that it offers.
    fn greet(&mut self) -> Result<Vec<String>, ClientError> {
        self.send(&Line::new("hub"))?;
        let mut offered = Vec::new();
        let deadline = Deadline::after(self.patience);
        loop {
            let line = self.receive(deadline)?;
            match (line.command(), line.get("name")) {
                ("id", Some(name)) => name.clone_into(&mut self.name),
                ("param", Some(name)) => {
                    offered.push(name.to_owned());
                    self.seeds = self.seeds.or_else(|| Seeds::offered(&line));
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
        // Whoever gives one means it.
        self.seeds.take_if(|_| parameters.iter().any(|(name, _)| name == SEED));
        // With one from the beginning it need not draw its own.
        self.set_seed(0)
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells it that another game begins, and what to draw its chances from if it lets itself be told.
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
    /// If it has gone, does not answer, complains, or plays a move that is not legal.
    pub fn play(&mut self, game: &History, limits: &Limits) -> Result<Reply, ClientError> {
        self.send(&position_line(game))?;
        self.send(&level_line(limits))?;
        self.send(&Line::new("go").flag("think"))?;
        let allowed = match limits.time {
            Some(TimeLimit::Move(time)) => time,
            Some(TimeLimit::Clock(clock)) => clock.remaining,
            None => LONGEST_SEARCH,
        };
        let deadline = Deadline::after(self.patience.saturating_add(allowed));
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
        writeln!(self.input, "{line}").map_err(|error| self.gone(error))
    }

    /// The next line that can be read. A complaint is an error.
    fn receive(&mut self, deadline: Deadline) -> Result<Line, ClientError> {
        loop {
            if self.stop.is_pressed() {
                return Err(ClientError::Stopped { name: self.name.clone() });
            }
            let left = deadline.left();
            if left.is_zero() {
                return Err(ClientError::Silent { name: self.name.clone() });
            }
            match self.output.recv_timeout(left.min(LOOK_AT_THE_BUTTON)) {
                Ok(Ok(text)) => {
                    let Some(Ok(line)) = text.map(|text| Line::parse(&text)) else { continue };
                    if line.command() == "error" {
                        let message = line.get("message").unwrap_or_default();
                        let message = message.chars().take(COMPLAINT_CHARS).collect();
                        return Err(ClientError::Complains { name: self.name.clone(), message });
                    }
                    return Ok(line);
                }
                Ok(Err(error)) => return Err(self.gone(error)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.gone(io::ErrorKind::UnexpectedEof.into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn gone(&self, error: io::Error) -> ClientError {
        ClientError::Gone { name: self.name.clone(), error }
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

/// The position after the last capture or move of a man, and the king moves since: what repetition can reach.
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
        // It is asked to leave, and made to if it does not.
        let _ = self.send(&Line::new("quit"));
        for _ in 0..LOOKS_AT_THE_END {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            thread::sleep(PAUSE_AT_THE_END);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    /// A shell script that speaks the protocol as far as it goes.
    fn program(script: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.sh");
        fs::write(&file, script).unwrap();
        let command = format!("sh {}", file.display());
        (folder, command)
    }

    fn start(command: &str, parameters: &[(String, String)]) -> Result<Client, ClientError> {
        Client::start(command, parameters, &StopButton::default())
    }

    const READY: &str = "read hub; echo id name=Script; echo wait; read init; echo ready\n";

    #[test]
    fn a_complaint_ends_the_wait_for_a_move_at_once() {
        let (_folder, command) =
            program(&format!("{READY}read pos; echo error message=\\\"no such thing\\\"; cat"));
        let mut client = start(&command, &[]).unwrap();
        let error = client.play(&History::default(), &Limits::depth(1)).unwrap_err();
        assert_eq!(error.to_string(), "Script complains: no such thing");
    }

    #[test]
    fn only_what_is_offered_can_be_set() {
        let (_folder, command) =
            program("echo id name=Script; echo param name=hash; echo wait; cat > /dev/null");
        let parameters = [("book".to_owned(), "false".to_owned())];
        let Err(error) = start(&command, &parameters) else { panic!("nobody noticed") };
        assert_eq!(error.to_string(), "Script has no parameter \"book\"; it has hash");
    }

    #[test]
    fn every_game_has_its_seed_unless_one_is_given() {
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
    fn who_talks_and_does_not_answer_is_silent() {
        for command in ["yes", "cat /dev/zero"] {
            let Err(error) =
                Client::start_with(command, &[], Duration::from_millis(100), StopButton::default())
            else {
                panic!()
            };
            let name = command.split(' ').next().unwrap();
            let told = format!("{name} does not answer; a program is started by its whole command, as in ");
            assert!(error.to_string().starts_with(&told), "{command}: {error}");
        }
    }
}
