//! `crownhead hub`: the engine over the Hub protocol on standard input and output.
//!
//! Lines are read on the main thread, so that `stop` and `ping` are heard while a search is under way on another.
//! Whatever is wrong with a line is answered by an `error` line, and the engine stays usable.

mod parameters;
mod thinking;

use std::io::{self, Write};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;
use crownhead_engine::{ClockState, Engine, Limits, TimeLimit};
use crownhead_lab::hub::{Line, Lines, MOST_LINE_BYTES, parse_move, parse_position};
use crownhead_rules::{Excerpt, History};

use parameters::Parameters;
use thinking::{Errand, Task, Thinking};

/// Let another program use the engine: the Hub protocol on stdin and stdout.
#[derive(Args)]
#[command(after_long_help = PARAMETERS)]
pub(crate) struct Hub {}

const PARAMETERS: &str = "\
Parameters (set-param name=NAME value=VALUE):
  variant    the game: english
  hash       megabytes for the hash table (64)
  threads    threads to search with (1)
  tablebase  the folder of larger endgame tables; empty for that of the user
  book       play opening moves from the book: true or false (true)
  level      how strong to play, 1 to 8 (8); analysis is always at full strength
  seed       what chance is drawn from, to repeat a game; 0 for another one in every game (0)

A score is in men; a certain win is 100 less a hundredth for each ply that it takes: 99.67 is a win in 33 plies.
Where nobody knows how many it is 90.";

impl Hub {
    #[expect(clippy::unused_self, reason = "every command runs by itself")]
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut session = Session::default();
        for text in Lines::of(io::stdin().lock()) {
            let obeyed = match text? {
                Some(text) => session.obey(&text),
                None => session.refuse_unread(),
            };
            match obeyed {
                Ok(Next::Goes) => {}
                Ok(Next::Quits) => break,
                Err(error) => say(&Line::new("error").with("message", format!("{error:#}")))?,
            }
        }
        session.stop();
        Ok(())
    }
}

/// Writes a line at once.
fn say(line: &Line) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Does the session go on?
enum Next {
    Goes,
    Quits,
}

struct Session {
    parameters: Parameters,
    /// There from `init` on, and lent to the thread that thinks.
    engine: Option<Engine>,
    thinking: Option<Thinking>,
    /// Unknown after a `pos` that was refused: an answer for an older position would be taken for one to the new.
    game: Option<History>,
    /// Unknown after a `level` that was refused: a search by an older one might never end.
    limits: Option<Limits>,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            parameters: Parameters::default(),
            engine: None,
            thinking: None,
            game: Some(History::default()),
            limits: Some(Limits::default()),
        }
    }
}

/// What can be obeyed only where no search is under way.
const AT_REST: [&str; 7] = ["hub", "set-param", "init", "new-game", "pos", "level", "go"];

impl Session {
    fn obey(&mut self, text: &str) -> anyhow::Result<Next> {
        match Line::command_of(text) {
            "ping" => say(&Line::new("pong"))?,
            "stop" => self.stop(),
            "quit" => return Ok(Next::Quits),
            "ponder-hit" => self.ponder_hit()?,
            command if AT_REST.contains(&command) => {
                self.obey_at_rest(text).inspect_err(|_| self.forget(command))?;
            }
            // The protocol asks to ignore what is unknown, whatever comes behind it; empty lines are nothing at all.
            _ => {}
        }
        Ok(Next::Goes)
    }

    /// A line that is too long to be read may have been about anything.
    fn refuse_unread(&mut self) -> anyhow::Result<Next> {
        (self.game, self.limits) = (None, None);
        bail!("a line of more than {MOST_LINE_BYTES} bytes")
    }

    fn obey_at_rest(&mut self, text: &str) -> anyhow::Result<()> {
        let line = &Line::parse(text)?;
        self.come_to_rest()?;
        match line.command() {
            "hub" => self.introduce()?,
            "set-param" => self.set(line)?,
            "init" => {
                match &mut self.engine {
                    // It has all settings already; with another one there would be two hash tables for a while.
                    Some(engine) => engine.clear(),
                    None => self.engine = Some(self.parameters.engine()?),
                }
                self.parameters.begin_game();
                say(&Line::new("ready"))?;
            }
            "new-game" => {
                self.engine.as_mut().context("send init first")?.clear();
                self.parameters.begin_game();
            }
            "pos" => self.game = Some(read_game(line)?),
            "level" => self.limits = Some(read_limits(line)?),
            "go" => self.go(line)?,
            other => unreachable!("{other} can be obeyed at any time"),
        }
        Ok(())
    }

    /// What a command that was refused would have replaced does not hold any more.
    fn forget(&mut self, command: &str) {
        match command {
            "pos" => self.game = None,
            "level" => self.limits = None,
            _ => {}
        }
    }

    fn introduce(&self) -> io::Result<()> {
        let id = Line::new("id")
            .with("name", "Crownhead")
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("author", "the Crownhead authors")
            .with("country", "");
        say(&id)?;
        self.parameters.lines().iter().try_for_each(say)?;
        say(&Line::new("wait"))
    }

    fn set(&mut self, line: &Line) -> anyhow::Result<()> {
        let name = line.get("name").context("set-param needs name= and value=")?;
        let value = line.get("value").context("set-param needs value=")?;
        self.parameters.set(name, value, &mut self.engine)
    }

    fn go(&mut self, line: &Line) -> anyhow::Result<()> {
        ensure!(self.game()?.position().has_move(), "the side to move has no move: the game is over");
        let errand = match () {
            () if line.has("ponder") => Errand::Ponder,
            () if line.has("analyze") => Errand::Analyze,
            () => Errand::Think,
        };
        let task = Task { errand, game: self.game()?.clone(), limits: self.limits()? };
        let engine = self.engine.take().context("send init first")?;
        self.thinking = Some(Thinking::start(engine, task, self.parameters.clone()));
        Ok(())
    }

    fn ponder_hit(&mut self) -> anyhow::Result<()> {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.task.errand == Errand::Ponder) else {
            bail!("ponder-hit without go ponder");
        };
        let task = Task { errand: Errand::Think, ..thinking.task.clone() };
        // What was found out meanwhile is in the hash table.
        self.thinking = Some(Thinking::start(thinking.abandon(), task, self.parameters.clone()));
        Ok(())
    }

    fn game(&self) -> anyhow::Result<&History> {
        self.game.as_ref().context("send a position first: the last one was refused")
    }

    fn limits(&self) -> anyhow::Result<Limits> {
        self.limits.context("send a level first: the last one was refused")
    }

    /// Gets the engine back from a search that has answered; one that has not may not be disturbed.
    fn come_to_rest(&mut self) -> anyhow::Result<()> {
        if let Some(thinking) = &self.thinking {
            ensure!(thinking.has_answered(), "a search is under way: send stop first");
        }
        if let Some(thinking) = self.thinking.take() {
            self.engine = Some(thinking.wait());
        }
        Ok(())
    }

    /// Ends the search if there is one; its answer is still given.
    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop();
            self.engine = Some(thinking.wait());
        }
    }
}

/// Reads `pos=… moves="…"`.
fn read_game(line: &Line) -> anyhow::Result<History> {
    let mut game = match line.get("pos") {
        Some(text) => History::new(parse_position(text)?),
        None => History::default(),
    };
    for (before, text) in line.get("moves").unwrap_or_default().split_whitespace().enumerate() {
        let mv = parse_move(game.position(), text);
        game.push_unchecked(mv.with_context(|| format!("move {} of the list", before + 1))?);
    }
    Ok(game)
}

/// Reads the limits of a `level` line. If it is empty or says `infinite`, a search ends only by `stop`.
fn read_limits(line: &Line) -> anyhow::Result<Limits> {
    let clock = match seconds(line, "time")? {
        None => None,
        Some(time) => {
            let increment = allowance(line, "inc")?.unwrap_or_default();
            // The engine is to add the increment itself, so less than nothing may be on the clock before.
            let remaining = duration(time + increment);
            Some(TimeLimit::Clock(ClockState {
                remaining,
                increment: duration(increment),
                moves: number(line, "moves")?,
            }))
        }
    };
    let move_time = allowance(line, "move-time")?.map(|time| TimeLimit::Move(duration(time)));
    let time = move_time.or(clock);
    let limits =
        Limits { depth: number(line, "depth")?, nodes: number(line, "nodes")?, time, ..Limits::default() };
    ensure!(
        limits != Limits::default() || line.is_bare() || line.has("infinite"),
        "this level has no limit; write depth=, nodes=, move-time=, time= or infinite"
    );
    Ok(limits)
}

/// A time that is given, and not what is left of one.
fn allowance(line: &Line, name: &str) -> anyhow::Result<Option<f64>> {
    let time = seconds(line, name)?;
    if let Some(time) = time {
        ensure!(time >= 0.0, "{name}={time} is less than no time; write seconds, as in {name}=0.5");
    }
    Ok(time)
}

/// Less than nothing is allowed, for a clock may have run out; more than a [`Duration`] holds is not.
fn seconds(line: &Line, name: &str) -> anyhow::Result<Option<f64>> {
    let Some(text) = line.get(name) else { return Ok(None) };
    let fits = |seconds: &f64| Duration::try_from_secs_f64(seconds.abs()).is_ok();
    let seconds = text.parse().ok().filter(fits);
    Ok(Some(seconds.with_context(|| format!("{name}={} is no time in seconds", Excerpt::from(text)))?))
}

/// No time if it is less than nothing. Two times together may be longer than the longest.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

/// Nothing can be done within a limit of 0.
fn number<T: FromStr + Default + PartialOrd>(line: &Line, name: &str) -> anyhow::Result<Option<T>> {
    let Some(text) = line.get(name) else { return Ok(None) };
    let number = text.parse::<T>().ok().filter(|number| *number > T::default());
    let excerpt = Excerpt::from(text);
    let complaint = || format!("{name}={excerpt} is no whole number from 1 on; write {name}=20, say");
    Ok(Some(number.with_context(complaint)?))
}
