//! This engine as a player.

use core::time::Duration;
use std::sync::Arc;

use crownhead_engine::{Control, Engine, Evaluation, Level, Limits, Opponent};
use crownhead_rules::{History, Rulebook};
use crownhead_tablebase::Tablebase;

use super::{Answer, Player, PlayerError};
use crate::{StopButton, Stopwatch};

/// This engine, at full strength or at a level.
pub struct Own {
    engine: Engine,
    level: Option<Level>,
    seed: u64,
    rulebook: Rulebook,
    /// Time by nodes instead of the real one.
    node_clock: Option<NodeClock>,
    stop: StopButton,
}

/// The time that counts, and the button of the match.
struct Timing {
    node_clock: Option<NodeClock>,
    watch: Stopwatch,
}

impl Control for Timing {
    fn now(&self, nodes: u64) -> Duration {
        self.node_clock.map_or_else(|| self.watch.now(nodes), |clock| clock.now(nodes))
    }

    fn stopped(&self) -> bool {
        self.watch.stopped()
    }
}

/// A clock on which every node takes the same time, whatever the machine is doing.
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

impl Own {
    /// An engine at full strength.
    ///
    /// # Errors
    /// If there is no room for the hash table.
    pub fn new(hash_bytes: usize, threads: usize) -> Result<Own, PlayerError> {
        let mut engine = Engine::new(hash_bytes)?;
        engine.set_threads(threads);
        let (rulebook, stop) = (Rulebook::default(), StopButton::default());
        Ok(Own { engine, level: None, seed: 0, rulebook, node_clock: None, stop })
    }

    /// The same at a level, if there is one.
    pub fn at_level(self, level: Option<Level>) -> Own {
        Own { level, ..self }
    }

    /// The same until the button is pressed: then it plays what it has found.
    pub fn until(self, stop: &StopButton) -> Own {
        Own { stop: stop.clone(), ..self }
    }

    /// The same with endgame tables.
    pub fn with_tables(mut self, tables: Tablebase) -> Own {
        self.engine.set_tablebase(Some(Arc::new(tables)));
        self
    }

    /// The same with another evaluation.
    pub fn with_evaluation(mut self, evaluation: Evaluation) -> Own {
        self.engine.set_evaluation(evaluation);
        self
    }

    /// The time that so many nodes took, if it is not the real one that counts.
    fn used(&self, nodes: u64) -> Option<Duration> {
        self.node_clock.map(|clock| clock.now(nodes))
    }

    /// The same on a clock that runs by nodes, if there is one.
    pub fn on_node_clock(self, node_clock: Option<NodeClock>) -> Own {
        Own { node_clock, ..self }
    }
}

impl Player for Own {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        self.engine.clear();
        self.seed = seed;
        Ok(())
    }

    fn play(&mut self, game: &History, limits: &Limits) -> Result<Answer, PlayerError> {
        let watch = Stopwatch::with_button(self.stop.clone());
        let control = &Timing { node_clock: self.node_clock, watch };
        let planned = limits.max_time();
        let level = self.level.unwrap_or(Level::HIGHEST);
        let opponent = Opponent { level, seed: self.seed, limits: *limits, book: false };
        let choice = self.engine.choose(game, &self.rulebook, &opponent, control);
        let choice = choice.expect("there is a move");
        let score = choice.expected.map(|line| line.score.in_men());
        Ok(Answer { mv: choice.mv, score, used: self.used(choice.nodes), planned })
    }
}
