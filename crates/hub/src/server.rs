//! The Hub server: lets a graphical interface or a match program use this engine.
//!
//! The calling thread reads the lines, so that it can handle `stop` and `ping` while a search runs on another thread.
//! The server answers a rejected line with an `error` line and stays usable.

mod error;
mod parameters;
mod search;

use std::io::{self, BufRead};
use std::str::FromStr;
use std::time::Duration;

use crownhead_engine::{ClockState, Engine, Limits, TimeLimit};
use crownhead_rules::History;
use crownhead_tablebase::Tablebase;

pub use error::ServerError;
use parameters::Parameters;
use search::{RunningSearch, SearchKind, SearchRequest};

use crate::line::{Line, LineReader};
use crate::notation::{parse_move, parse_position};

/// The callbacks of the program that embeds a [`Server`]: all its input and output, except reading lines.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The version in the greeting.
    pub version: &'static str,
    /// Writes a line to the client and flushes it. Called from two threads.
    pub send: fn(&Line) -> io::Result<()>,
    /// Called by a search that can no longer send its lines.
    pub client_gone: fn(),
    /// Opens the endgame tables of a folder, or of the user's data folder if the text is empty.
    pub open_tables: fn(&str) -> Result<Tablebase, String>,
    /// Reports the seed of a game that was not set by the client.
    pub report_seed: fn(u64),
}

/// A session with one client.
pub struct Server {
    host: Host,
    parameters: Parameters,
    /// Created by `init`; a running search takes it.
    engine: Option<Engine>,
    search: Option<RunningSearch>,
    /// `None` after a rejected `pos`: the client would mistake a move for the old position for one in the new position.
    game: Option<History>,
    /// `None` after a rejected `level`: a search with the old limits might never end.
    limits: Option<Limits>,
}

/// Whether the session continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// Commands that need the engine to be idle.
const IDLE_COMMANDS: [&str; 7] = ["hub", "set-param", "init", "new-game", "pos", "level", "go"];

impl Server {
    /// A session in its initial state.
    pub fn new(host: Host) -> Server {
        Server {
            host,
            parameters: Parameters::new(host),
            engine: None,
            search: None,
            game: Some(History::default()),
            limits: Some(Limits::default()),
        }
    }

    /// Serves the client until `quit` or the end of its input.
    ///
    /// # Errors
    /// If the input cannot be read or an answer cannot be written.
    pub fn run(mut self, input: impl BufRead) -> io::Result<()> {
        for text in LineReader::new(input) {
            let handled = match text? {
                Some(text) => self.handle(&text),
                None => self.reject_long_line(),
            };
            match handled {
                Ok(Flow::Continue) => {}
                Ok(Flow::Quit) => break,
                Err(error) => self.send(&Line::new("error").with("message", error))?,
            }
        }
        self.stop();
        Ok(())
    }

    fn send(&self, line: &Line) -> io::Result<()> {
        (self.host.send)(line)
    }

    fn handle(&mut self, text: &str) -> Result<Flow, ServerError> {
        match Line::command_of(text) {
            "ping" => self.send(&Line::new("pong"))?,
            "stop" => self.stop(),
            "quit" => return Ok(Flow::Quit),
            "ponder-hit" => self.ponder_hit()?,
            command if IDLE_COMMANDS.contains(&command) => {
                self.handle_idle(text).inspect_err(|_| self.invalidate(command))?;
            }
            // The protocol requires unknown commands, with their arguments, and empty lines to be ignored.
            _ => {}
        }
        Ok(Flow::Continue)
    }

    /// Rejects a line that is too long to read. It may have held any command, so position and limits become unknown.
    fn reject_long_line(&mut self) -> Result<Flow, ServerError> {
        (self.game, self.limits) = (None, None);
        Err(ServerError::LineTooLong)
    }

    fn handle_idle(&mut self, text: &str) -> Result<(), ServerError> {
        let line = &Line::parse(text)?;
        self.finish_search()?;
        match line.command() {
            "hub" => self.greet()?,
            "set-param" => self.set_parameter(line)?,
            "init" => {
                match &mut self.engine {
                    // This engine already has all parameters, and a second one would briefly need a second hash table.
                    Some(engine) => engine.clear(),
                    None => self.engine = Some(self.parameters.engine()?),
                }
                self.parameters.new_game();
                self.send(&Line::new("ready"))?;
            }
            "new-game" => {
                self.engine.as_mut().ok_or(ServerError::NotInitialized)?.clear();
                self.parameters.new_game();
            }
            "pos" => self.game = Some(read_game(line)?),
            "level" => self.limits = Some(read_limits(line)?),
            "go" => self.go(line)?,
            other => unreachable!("{other} is not among the idle commands"),
        }
        Ok(())
    }

    /// Drops the state that a rejected command would have replaced.
    fn invalidate(&mut self, command: &str) {
        match command {
            "pos" => self.game = None,
            "level" => self.limits = None,
            _ => {}
        }
    }

    fn greet(&self) -> io::Result<()> {
        let id = Line::new("id")
            .with("name", "Crownhead")
            .with("version", self.host.version)
            .with("author", "the Crownhead authors")
            .with("country", "");
        self.send(&id)?;
        self.parameters.lines().iter().try_for_each(|line| self.send(line))?;
        self.send(&Line::new("wait"))
    }

    fn set_parameter(&mut self, line: &Line) -> Result<(), ServerError> {
        let arguments = line.get("name").zip(line.get("value"));
        let (name, value) = arguments.ok_or(ServerError::IncompleteParameter)?;
        self.parameters.set(name, value, &mut self.engine)
    }

    fn go(&mut self, line: &Line) -> Result<(), ServerError> {
        let game = self.game.clone().ok_or(ServerError::NoPosition)?;
        if !game.position().has_move() {
            return Err(ServerError::GameOver);
        }
        let kind = match () {
            () if line.has("ponder") => SearchKind::Ponder,
            () if line.has("analyze") => SearchKind::Analyze,
            () => SearchKind::Think,
        };
        let limits = self.limits.ok_or(ServerError::NoLevel)?;
        let engine = self.engine.take().ok_or(ServerError::NotInitialized)?;
        self.start(engine, SearchRequest { kind, game, limits });
        Ok(())
    }

    fn ponder_hit(&mut self) -> Result<(), ServerError> {
        let search = self.search.take_if(|search| search.request.kind == SearchKind::Ponder);
        let search = search.ok_or(ServerError::NotPondering)?;
        let request = SearchRequest { kind: SearchKind::Think, ..search.request.clone() };
        // The results of pondering are in the hash table.
        self.start(search.abandon(), request);
        Ok(())
    }

    fn start(&mut self, engine: Engine, request: SearchRequest) {
        self.search = Some(RunningSearch::start(engine, request, self.parameters.clone(), self.host));
    }

    /// Takes the engine back from a search that has answered.
    fn finish_search(&mut self) -> Result<(), ServerError> {
        if self.search.as_ref().is_some_and(|search| !search.has_answered()) {
            return Err(ServerError::Busy);
        }
        if let Some(search) = self.search.take() {
            self.engine = Some(search.wait());
        }
        Ok(())
    }

    /// Stops the search if there is one; it still sends `done`.
    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
            self.engine = Some(search.wait());
        }
    }
}

/// Reads `pos=… moves="…"`.
fn read_game(line: &Line) -> Result<History, ServerError> {
    let mut game = match line.get("pos") {
        Some(text) => History::new(parse_position(text)?),
        None => History::default(),
    };
    for (index, text) in line.get("moves").unwrap_or_default().split_whitespace().enumerate() {
        let mv = parse_move(game.position(), text);
        game.push_unchecked(mv.map_err(|error| ServerError::Move { number: index + 1, error })?);
    }
    Ok(game)
}

/// Reads the limits of a `level` line. If it is empty or says `infinite`, only `stop` ends a search.
fn read_limits(line: &Line) -> Result<Limits, ServerError> {
    let clock = match read_seconds(line, "time")? {
        None => None,
        Some(time) => {
            let increment = read_positive_seconds(line, "inc")?.unwrap_or_default();
            // The engine adds the increment itself, so the time before it may be negative.
            let remaining = duration(time + increment);
            let moves = read_count(line, "moves")?;
            Some(TimeLimit::Clock(ClockState { remaining, increment: duration(increment), moves }))
        }
    };
    let move_time = read_positive_seconds(line, "move-time")?.map(|time| TimeLimit::Move(duration(time)));
    let limits = Limits {
        depth: read_count(line, "depth")?,
        nodes: read_count(line, "nodes")?,
        time: move_time.or(clock),
        ..Limits::default()
    };
    if limits == Limits::default() && !line.is_bare() && !line.has("infinite") {
        return Err(ServerError::NoLimit);
    }
    Ok(limits)
}

fn read_positive_seconds(line: &Line, name: &'static str) -> Result<Option<f64>, ServerError> {
    match read_seconds(line, name)? {
        Some(seconds) if seconds < 0.0 => Err(ServerError::NegativeTime { name, seconds }),
        seconds => Ok(seconds),
    }
}

/// A negative time is allowed, since a clock may have run out; one that a [`Duration`] cannot hold is not.
fn read_seconds(line: &Line, name: &'static str) -> Result<Option<f64>, ServerError> {
    let Some(text) = line.get(name) else { return Ok(None) };
    let fits = |seconds: &f64| Duration::try_from_secs_f64(seconds.abs()).is_ok();
    let seconds = text.parse().ok().filter(fits);
    seconds.map(Some).ok_or_else(|| ServerError::Time { name, value: text.into() })
}

/// Clamped at both ends: a clock may have run out, and two times together may exceed the longest [`Duration`].
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

/// Reads a number above 0: no search fits into a limit of 0.
fn read_count<T: FromStr + Default + PartialOrd>(
    line: &Line,
    name: &'static str,
) -> Result<Option<T>, ServerError> {
    let Some(text) = line.get(name) else { return Ok(None) };
    let number = text.parse::<T>().ok().filter(|number| *number > T::default());
    number.map(Some).ok_or_else(|| ServerError::Count { name, value: text.into() })
}
