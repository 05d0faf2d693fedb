//! This engine as a match player, on the real clock or on one that counts nodes.

use core::time::Duration;
use std::sync::Arc;

use crownhead_engine::{Control, Engine, Evaluation, Level, Limits, Opponent, StopFlag, Stopwatch};
use crownhead_rules::{History, Rulebook};
use crownhead_tablebase::Tablebase;

use super::{Answer, Player, PlayerError};

/// This engine, at full strength or at a level.
pub struct EnginePlayer {
    engine: Engine,
    level: Option<Level>,
    seed: u64,
    rulebook: Rulebook,
    /// Counts time in nodes instead of reading the real clock.
    node_clock: Option<NodeClock>,
    stop: StopFlag,
}

/// The search control of a match: the real clock or the node clock, and the stop flag.
struct MatchControl {
    node_clock: Option<NodeClock>,
    stopwatch: Stopwatch,
}

impl Control for MatchControl {
    fn now(&self, nodes: u64) -> Duration {
        self.node_clock.map_or_else(|| self.stopwatch.now(nodes), |clock| clock.now(nodes))
    }

    fn stopped(&self) -> bool {
        self.stopwatch.stopped()
    }
}

/// A clock on which every node takes the same time, whatever the load of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeClock {
    /// The time of one node.
    pub per_node: Duration,
}

impl Control for NodeClock {
    fn now(&self, nodes: u64) -> Duration {
        Duration::from_nanos((self.per_node.as_nanos() as u64).saturating_mul(nodes))
    }

    fn stopped(&self) -> bool {
        false
    }
}

impl EnginePlayer {
    /// An engine at full strength.
    ///
    /// # Errors
    /// If the hash table cannot be allocated.
    pub fn new(hash_bytes: usize, threads: usize) -> Result<EnginePlayer, PlayerError> {
        let mut engine = Engine::new(hash_bytes)?;
        engine.set_threads(threads);
        let (rulebook, stop) = (Rulebook::default(), StopFlag::default());
        Ok(EnginePlayer { engine, level: None, seed: 0, rulebook, node_clock: None, stop })
    }

    /// Sets the level, if there is one.
    pub fn at_level(self, level: Option<Level>) -> EnginePlayer {
        EnginePlayer { level, ..self }
    }

    /// Sets the stop flag: once it is set, the engine plays the best move so far.
    pub fn until(self, stop: &StopFlag) -> EnginePlayer {
        EnginePlayer { stop: stop.clone(), ..self }
    }

    /// Sets the endgame tables.
    pub fn with_tables(mut self, tables: Tablebase) -> EnginePlayer {
        self.engine.set_tablebase(Some(Arc::new(tables)));
        self
    }

    /// Sets the evaluation.
    pub fn with_evaluation(mut self, evaluation: Evaluation) -> EnginePlayer {
        self.engine.set_evaluation(evaluation);
        self
    }

    /// The time for this many nodes on the node clock, if there is one.
    fn used(&self, nodes: u64) -> Option<Duration> {
        self.node_clock.map(|clock| clock.now(nodes))
    }

    /// Sets a clock that counts nodes, if there is one.
    pub fn on_node_clock(self, node_clock: Option<NodeClock>) -> EnginePlayer {
        EnginePlayer { node_clock, ..self }
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        self.engine.clear();
        self.seed = seed;
        Ok(())
    }

    fn play(&mut self, game: &History, limits: &Limits) -> Result<Answer, PlayerError> {
        let stopwatch = Stopwatch::with_stop(self.stop.clone());
        let control = &MatchControl { node_clock: self.node_clock, stopwatch };
        let planned = limits.max_time();
        let level = self.level.unwrap_or(Level::HIGHEST);
        let opponent = Opponent { level, seed: self.seed, limits: *limits, book: false };
        let choice = self.engine.choose(game, &self.rulebook, &opponent, control);
        let choice = choice.expect("there is a move");
        let score = choice.expected.map(|line| line.score.in_men());
        Ok(Answer { mv: choice.mv, score, used: self.used(choice.nodes), planned })
    }
}
