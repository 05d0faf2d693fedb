//! What somebody else should do: think, judge, look something up. A function of the state, so that a game that was
//! just read from its log knows what it waits for.

use crownhead_rules::{History, Position, Rulebook, Side};
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::error::Damage;
use crate::event::{Offer, Verdict};
use crate::game::{Game, Hint};
use crate::player::Level;
use crate::seed::{derived, draw};
use crate::start::Start;

/// Something to be done outside. Its result comes back as a command with the same request number; a result that is
/// no longer waited for is ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Effect {
    /// What was asked with this number is not needed any more. Stopping it saves work, no more.
    Stop {
        /// What was asked.
        work: Work,
        /// The number.
        request: u32,
    },
    /// Should the computer accept? Answered by `computer_answered`.
    JudgeOffer {
        /// What is offered.
        offer: Offer,
        /// The position, seen by the computer.
        #[serde(flatten)]
        task: Task,
    },
    /// Is neither side able to win? Answered by `adjudicated`.
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
    /// Find a good move for a person. Answered by `hint_found`.
    FindHint {
        /// The position.
        #[serde(flatten)]
        task: Task,
    },
    /// Start this game in place of the one that is over. Whoever runs the game does that itself, so it is never read back:
    /// the engine of the page need not know what a start is.
    #[serde(skip_deserializing)]
    NewGame {
        /// What it is like.
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

/// All that is needed to think about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// To be given back with the result.
    pub request: u32,
    /// The side to think for.
    pub side: Side,
    /// How well. The hardest level for hints.
    pub level: Level,
    /// For what the level leaves to chance.
    pub seed: u32,
    /// The rules, for draws.
    pub rulebook: Rulebook,
    /// The first position, as FEN.
    pub position: String,
    /// All moves since, with their whole paths.
    pub moves: Vec<String>,
    /// The time of the side to think for, when its clock started for this move.
    pub clock: Option<TaskClock>,
}

/// The clock of the side that is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskClock {
    /// What it has left.
    pub left_ms: u64,
    /// What it gets for the move.
    pub increment_ms: u64,
}

impl Task {
    /// The game so far, as the engine wants it.
    ///
    /// # Errors
    /// If the task was not made by a game and its position or its moves cannot be.
    pub fn history(&self) -> Result<History, Damage> {
        let mut history = History::new(self.position.parse().map_err(Damage::Position)?);
        for text in &self.moves {
            history.play(text).map_err(Damage::Move)?;
        }
        Ok(history)
    }

    /// The verdict on a claim that neither side can win: the answer to [`Effect::Adjudicate`]. `is_drawn` asks endgame tables,
    /// which say nothing of positions that they do not have.
    pub fn adjudicate(&self, is_drawn: impl FnOnce(&Position) -> Option<bool>) -> Command {
        // A task that a game made can be read back; if not, nothing is proven.
        let verdict = match self.history().ok().and_then(|history| is_drawn(history.position())) {
            Some(true) => Verdict::Draw,
            Some(false) => Verdict::NoDraw,
            None => Verdict::Unknown,
        };
        Command::Adjudicated { request: self.request, verdict }
    }
}

impl Game {
    /// What is waited for now. After a game was read from its log, all of this is to be done again.
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

    /// What is waited for now and was not before, after word of what is waited for no more. What a command
    /// answered need not be stopped.
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
    /// What tells one request from another, for those that have a result.
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
