//! Effects: work that a game asks the program around it to do, such as thinking or adjudicating a claim. They are a
//! function of the state, so a game that was just replayed from its log knows which results it waits for.

use crownhead_rules::{History, Position, Rulebook, Side};
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::error::Damage;
use crate::event::{Offer, Verdict};
use crate::game::{Game, Hint};
use crate::player::Level;
use crate::seed::{derived, draw};
use crate::start::Start;

/// Work to be done outside the game. Its result comes back as a command with the same request number; the game ignores
/// a result that it no longer waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Effect {
    /// The result of this request is no longer needed. Stopping the work only saves computing time.
    Stop {
        /// The kind of work.
        work: Work,
        /// The request number.
        request: u32,
    },
    /// Should the computer accept? Answered by `computer_answered`.
    JudgeOffer {
        /// What is offered.
        offer: Offer,
        /// The position, from the computer's side.
        #[serde(flatten)]
        task: Task,
    },
    /// Is it certain that neither side can win? Answered by `adjudicated`.
    Adjudicate {
        /// The position.
        #[serde(flatten)]
        task: Task,
    },
    /// Find the computer's move. Answered by `computer_moved`.
    Think {
        /// The position.
        #[serde(flatten)]
        task: Task,
    },
    /// Find a good move for a human player. Answered by `hint_found`.
    FindHint {
        /// The position.
        #[serde(flatten)]
        task: Task,
    },
    /// Start this game in place of the one that is over. The program that runs the game does that itself, so this
    /// effect is never read back and the engine in the page need not know what a start is.
    #[serde(skip_deserializing)]
    NewGame {
        /// The new game.
        start: Box<Start>,
    },
}

/// The kinds of work that have a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the effect of that name")]
pub enum Work {
    JudgeOffer,
    Adjudicate,
    Think,
    FindHint,
}

/// Everything needed to think about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The request number, to be returned with the result.
    pub request: u32,
    /// The side to think for.
    pub side: Side,
    /// The level to play at; the hardest one for hints.
    pub level: Level,
    /// The seed for the random choices of the level.
    pub seed: u32,
    /// The rule book, which decides draws.
    pub rulebook: Rulebook,
    /// The first position, as FEN.
    pub position: String,
    /// All moves since, each as its full path.
    pub moves: Vec<String>,
    /// The clock of that side when its turn began.
    pub clock: Option<TaskClock>,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskClock {
    /// The time left.
    pub left_ms: u64,
    /// The increment for the move.
    pub increment_ms: u64,
}

impl Task {
    /// The game so far, as the engine needs it.
    ///
    /// # Errors
    /// If the position or the moves are invalid, which cannot happen in a task that a game made.
    pub fn history(&self) -> Result<History, Damage> {
        let mut history = History::new(self.position.parse().map_err(Damage::Position)?);
        for text in &self.moves {
            history.play(text).map_err(Damage::Move)?;
        }
        Ok(history)
    }

    /// The verdict on a claim that neither side can win: the answer to [`Effect::Adjudicate`]. `is_drawn` probes the
    /// endgame tables and returns nothing for positions that they do not cover.
    pub fn adjudicate(&self, is_drawn: impl FnOnce(&Position) -> Option<bool>) -> Command {
        // A task that a game made can be read back; a task that cannot be read proves nothing.
        let verdict = match self.history().ok().and_then(|history| is_drawn(history.position())) {
            Some(true) => Verdict::Draw,
            Some(false) => Verdict::NoDraw,
            None => Verdict::Unknown,
        };
        Command::Adjudicated { request: self.request, verdict }
    }
}

impl Game {
    /// The effects whose results the game waits for. After a replay from the log, all of them have to be carried out
    /// again.
    pub fn outstanding(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for pending in self.pending.iter().filter(|pending| !self.is_human(!pending.by)) {
            let task = self.task(pending.turn, !pending.by);
            effects.push(Effect::JudgeOffer { offer: pending.offer, task });
        }
        if let Some(by) = self.claim {
            effects.push(Effect::Adjudicate { task: self.task(self.turn, by) });
        }
        if self.is_thinking() {
            effects.push(Effect::Think { task: self.task(self.turn, self.side_to_move()) });
        }
        if self.hint == Some(Hint::Asked) {
            effects.push(Effect::FindHint { task: self.task(self.turn, self.side_to_move()) });
        }
        if let Some(start) = &self.rematch {
            effects.push(Effect::NewGame { start: Box::new(start.clone()) });
        }
        effects
    }

    /// The effects that the game newly waits for, preceded by an [`Effect::Stop`] for each one that it no longer waits
    /// for. The effect that the command answered needs no stop.
    pub(crate) fn effects_since(&self, before: &[Effect], command: &Command) -> Vec<Effect> {
        let now = self.outstanding();
        let stopped = before
            .iter()
            .filter_map(Effect::key)
            .filter(|&gone| !now.iter().any(|effect| effect.key() == Some(gone)))
            .filter(|&gone| command.answers() != Some(gone))
            .map(|(work, request)| Effect::Stop { work, request });
        let new = now.iter().filter(|effect| {
            !before.iter().any(|old| match effect.key() {
                Some(key) => old.key() == Some(key),
                None => old == *effect,
            })
        });
        stopped.chain(new.cloned()).collect()
    }

    /// Is it the computer's turn?
    pub(crate) fn is_thinking(&self) -> bool {
        self.outcome.is_none() && !self.is_human(self.side_to_move())
    }

    fn task(&self, request: u32, side: Side) -> Task {
        let turns = self.turn.wrapping_sub(self.started.seed);
        let clock = self.clock.as_ref().filter(|_| side == self.side_to_move());
        Task {
            request,
            side,
            level: self.started.player(side).level().unwrap_or(Level::HARDEST),
            seed: derived(self.started.seed, draw::MOVES.wrapping_add(turns)),
            rulebook: self.started.rulebook,
            position: self.started.position.clone(),
            moves: self.history.moves().iter().map(ToString::to_string).collect(),
            clock: clock.map(|clock| TaskClock {
                left_ms: clock.left_at_turn_ms(side),
                increment_ms: clock.rule.increment_ms(),
            }),
        }
    }
}

impl Effect {
    /// The key that tells requests with a result apart.
    pub fn key(&self) -> Option<(Work, u32)> {
        match self {
            Effect::JudgeOffer { task, .. } => Some((Work::JudgeOffer, task.request)),
            Effect::Adjudicate { task } => Some((Work::Adjudicate, task.request)),
            Effect::Think { task } => Some((Work::Think, task.request)),
            Effect::FindHint { task } => Some((Work::FindHint, task.request)),
            Effect::Stop { .. } | Effect::NewGame { .. } => None,
        }
    }
}

impl Command {
    fn answers(&self) -> Option<(Work, u32)> {
        match self {
            Command::ComputerMoved { request, .. } => Some((Work::Think, *request)),
            Command::ComputerAnswered { request, .. } => Some((Work::JudgeOffer, *request)),
            Command::HintFound { request, .. } => Some((Work::FindHint, *request)),
            Command::Adjudicated { request, .. } => Some((Work::Adjudicate, *request)),
            _ => None,
        }
    }
}
