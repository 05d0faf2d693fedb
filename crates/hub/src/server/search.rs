//! The search thread of the Hub server, which sends `info` lines and finally `done`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crownhead_engine::{Control, Engine, Limits, MoveChoice, Opponent, SearchResult, Stopwatch};
use crownhead_rules::{History, Move, Rulebook};

use super::Host;
use super::parameters::Parameters;
use crate::line::Line;
use crate::notation::move_text;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchKind {
    /// A move to play within the limits.
    Think,
    /// The best line within the limits, at full strength.
    Analyze,
    /// Thinking on the opponent's time, until `stop` or `ponder-hit`.
    Ponder,
}

/// The game, purpose and limits of a search.
#[derive(Clone)]
pub(super) struct SearchRequest {
    pub(super) kind: SearchKind,
    pub(super) game: History,
    pub(super) limits: Limits,
}

/// A search under way.
pub(super) struct RunningSearch {
    pub(super) request: SearchRequest,
    stopwatch: Stopwatch,
    /// The search was abandoned: it sends no `done`.
    abandoned: Arc<AtomicBool>,
    answered: Arc<AtomicBool>,
    thread: JoinHandle<Engine>,
}

impl RunningSearch {
    pub(super) fn start(
        mut engine: Engine,
        request: SearchRequest,
        parameters: Parameters,
        host: Host,
    ) -> RunningSearch {
        let stopwatch = Stopwatch::start();
        let (abandoned, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let thread = thread::spawn({
            let (stopwatch, abandoned, answered) =
                (stopwatch.clone(), Arc::clone(&abandoned), Arc::clone(&answered));
            let SearchRequest { kind, game, limits } = request.clone();
            move || {
                let limits = if kind == SearchKind::Ponder { Limits::default() } else { limits };
                let search = Search { game: &game, limits: &limits, stopwatch: &stopwatch, host };
                let best = match kind {
                    SearchKind::Analyze => search.analyze(&mut engine),
                    SearchKind::Think | SearchKind::Ponder => search.think(&mut engine, &parameters),
                };
                // Without limits, `done` must wait for `stop`, even if there is nothing left to search.
                while limits == Limits::default() && !stopwatch.stopped() {
                    thread::park();
                }
                answered.store(true, Ordering::SeqCst);
                if !abandoned.load(Ordering::SeqCst) {
                    search.send(&done(&best));
                }
                engine
            }
        });
        RunningSearch { request, stopwatch, abandoned, answered, thread }
    }

    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::SeqCst)
    }

    /// Ends the search; it still sends `done`.
    pub(super) fn stop(&self) {
        self.stopwatch.stop();
        self.thread.thread().unpark();
    }

    /// Ends the search without an answer.
    pub(super) fn abandon(self) -> Engine {
        self.abandoned.store(true, Ordering::SeqCst);
        self.stop();
        self.wait()
    }

    /// Waits for the answer and takes the engine back.
    pub(super) fn wait(self) -> Engine {
        self.thread.join().expect("a search does not panic")
    }
}

/// A search as its thread sees it.
struct Search<'a> {
    game: &'a History,
    limits: &'a Limits,
    stopwatch: &'a Stopwatch,
    host: Host,
}

impl Search<'_> {
    /// The principal variation at the chosen level, starting with the move to play; immediate if no search is needed.
    fn think(&self, engine: &mut Engine, parameters: &Parameters) -> Vec<Move> {
        let Parameters { level, game_seed: seed, book, .. } = *parameters;
        let opponent = Opponent { level, seed, limits: *self.limits, book };
        let mut report = |found: &SearchResult| self.send(&info(found));
        let choice = engine.choose_with_report(
            self.game,
            &Rulebook::default(),
            &opponent,
            self.stopwatch,
            &mut report,
        );
        let line = |choice: MoveChoice| choice.expected.map_or_else(|| vec![choice.mv], |line| line.moves);
        choice.map(line).unwrap_or_default()
    }

    /// The best line at full strength, with an `info` line after each depth.
    fn analyze(&self, engine: &mut Engine) -> Vec<Move> {
        let mut report = |found: &SearchResult| self.send(&info(found));
        let found = engine.search(self.game, &Rulebook::default(), self.limits, self.stopwatch, &mut report);
        found.map(|found| found.pv().to_vec()).unwrap_or_default()
    }

    /// Sends a line. The main thread may wait for input for ever, so the host learns from here that the client is gone.
    fn send(&self, line: &Line) {
        if (self.host.send)(line).is_err() {
            (self.host.client_gone)();
        }
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
