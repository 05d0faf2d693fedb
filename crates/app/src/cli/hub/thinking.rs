//! A search on a thread of its own, which says `info` lines and at the end `done`.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crownhead_engine::{Control, Engine, Limits, MoveChoice, Opponent, SearchResult};
use crownhead_lab::Stopwatch;
use crownhead_lab::hub::{Line, move_text};
use crownhead_rules::{History, Move, Rulebook};

use super::parameters::Parameters;
use super::say;

/// What the search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errand {
    /// A move within the limits.
    Think,
    /// Whatever can be found within the limits, at full strength.
    Analyze,
    /// Thinking on the opponent's time, until somebody says stop.
    Ponder,
}

/// What to think about, what for and how long.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) errand: Errand,
    pub(super) game: History,
    pub(super) limits: Limits,
}

pub(super) struct Thinking {
    pub(super) task: Task,
    watch: Stopwatch,
    /// The search was called off: no answer is due.
    dropped: Arc<AtomicBool>,
    answered: Arc<AtomicBool>,
    thread: JoinHandle<Engine>,
}

impl Thinking {
    pub(super) fn start(mut engine: Engine, task: Task, parameters: Parameters) -> Thinking {
        let watch = Stopwatch::start();
        let (dropped, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let thread = thread::spawn({
            let (watch, dropped, answered) = (watch.clone(), Arc::clone(&dropped), Arc::clone(&answered));
            let Task { errand, game, limits } = task.clone();
            move || {
                let limits = if errand == Errand::Ponder { Limits::default() } else { limits };
                let best = match errand {
                    Errand::Analyze => analyze(&mut engine, &game, &limits, &watch),
                    Errand::Think | Errand::Ponder => think(&mut engine, &game, &limits, &parameters, &watch),
                };
                // Without limits the answer is due at the stop, even if there is nothing left to find.
                while limits == Limits::default() && !watch.stopped() {
                    thread::park();
                }
                answered.store(true, Ordering::SeqCst);
                if !dropped.load(Ordering::SeqCst) {
                    say_or_leave(&done(&best));
                }
                engine
            }
        });
        Thinking { task, watch, dropped, answered, thread }
    }

    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::SeqCst)
    }

    /// Ends the search; the answer is given.
    pub(super) fn stop(&self) {
        self.watch.stop();
        self.thread.thread().unpark();
    }

    /// Ends the search without an answer.
    pub(super) fn abandon(self) -> Engine {
        self.dropped.store(true, Ordering::SeqCst);
        self.stop();
        self.wait()
    }

    /// Waits for the answer and takes the engine back.
    pub(super) fn wait(self) -> Engine {
        self.thread.join().expect("a search does not panic")
    }
}

/// The line to play, the move first: at the level that was chosen, and without a search where none is needed.
fn think(
    engine: &mut Engine,
    game: &History,
    limits: &Limits,
    parameters: &Parameters,
    watch: &Stopwatch,
) -> Vec<Move> {
    let Parameters { level, chance: seed, book, .. } = *parameters;
    let opponent = Opponent { level, seed, limits: *limits, book };
    let mut report = |found: &SearchResult| say_or_leave(&info(found));
    let choice = engine.choose_with_report(game, &Rulebook::default(), &opponent, watch, &mut report);
    let line = |choice: MoveChoice| choice.expected.map_or_else(|| vec![choice.mv], |line| line.moves);
    choice.map(line).unwrap_or_default()
}

/// The best line at full strength, with `info` about each depth.
fn analyze(engine: &mut Engine, game: &History, limits: &Limits, watch: &Stopwatch) -> Vec<Move> {
    let mut report = |found: &SearchResult| say_or_leave(&info(found));
    let found = engine.search(game, &Rulebook::default(), limits, watch, &mut report);
    found.map(|found| found.pv().to_vec()).unwrap_or_default()
}

/// Says a line. If nobody hears it any more the program ends, from here: the main thread may wait for input for ever.
fn say_or_leave(line: &Line) {
    if say(line).is_err() {
        process::exit(0);
    }
}

fn done(line: &[Move]) -> Line {
    let mut done = Line::new("done");
    for (name, &mv) in ["move", "ponder"].into_iter().zip(line) {
        done = done.with(name, move_text(mv));
    }
    done
}

fn info(found: &SearchResult) -> Line {
    let pv: Vec<String> = found.pv().iter().map(|&mv| move_text(mv)).collect();
    Line::new("info")
        .with("depth", found.depth)
        .with("mean-depth", found.depth)
        .with("max-depth", found.seldepth)
        .with("score", format_args!("{:.2}", found.score().in_men()))
        .with("nodes", found.nodes)
        .with("time", format_args!("{:.3}", found.time.as_secs_f64()))
        .with("nps", format_args!("{:.3}", found.nps() as f64 / 1e6))
        .with("pv", pv.join(" "))
}
