//! One game of a match: clocks, forfeits, adjudication by the tablebase, and its PDN record.

use std::time::{Duration, Instant};

use crownhead_engine::{ClockState, Limits, StopFlag, TimeLimit};
use crownhead_hub::ClientError;
use crownhead_pdn::{Game, TagName};
use crownhead_rules::{DrawReason, History, Outcome, Rulebook, Side, WinReason};
use crownhead_tablebase::{Tablebase, Wdl};

use super::Pairing;
use crate::player::{Player, PlayerError, PlayerSpec};

/// The limit for a player's moves: a time control, or a depth or node limit that makes games reproducible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Search depth in plies.
    Depth(u32),
    /// Nodes for each move.
    Nodes(u64),
    /// Time for each move.
    Move(Duration),
    /// Time for the game and an increment.
    Clock {
        /// At the start.
        time: Duration,
        /// With each move.
        increment: Duration,
    },
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The plies of its opening.
    pub opening_plies: usize,
    /// The player of Black.
    pub black: String,
    /// The player of White.
    pub white: String,
    /// The moves, those of the opening included.
    pub history: History,
    /// The score of each move after the opening, by the player who made it, in men.
    pub scores: Vec<Option<f64>>,
    /// How it ended. A game that the endgame tables decide ends by resignation, or in a draw because neither side can
    /// win.
    pub outcome: Outcome,
    /// The illegal move that lost the game, with its player.
    pub illegal: Option<String>,
    /// The failure of a program that lost the game.
    pub failure: Option<String>,
    /// The longest time that a player took beyond the time for a move or, on a clock, beyond its own plan for the move
    /// (beyond all of its remaining time, if the plan is unknown).
    pub overshoot: Duration,
}

/// A game that is still undecided after this many plies is drawn.
const MAX_PLIES: usize = 400;

/// A player of the match with its clock.
pub(super) struct Contender {
    /// Its index among the players of the match.
    index: usize,
    name: String,
    player: Box<dyn Player>,
    spec: PlayerSpec,
    time_control: TimeControl,
    remaining: Duration,
    /// The player has failed and must be restarted for the next game.
    failed: bool,
    stop: StopFlag,
}

/// Plays a game. If it is stopped, the record is meaningless.
pub(super) fn play(
    pairing: &Pairing,
    tables: &Tablebase,
    black: &mut Contender,
    white: &mut Contender,
) -> Result<GameRecord, PlayerError> {
    let history = pairing.history();
    let mut record = GameRecord {
        opening_plies: history.moves().len(),
        black: black.name.clone(),
        white: white.name.clone(),
        history,
        scores: Vec::new(),
        outcome: Outcome::Draw(DrawReason::MoveLimit),
        illegal: None,
        failure: None,
        overshoot: Duration::ZERO,
    };
    for contender in [&mut *black, &mut *white] {
        contender.new_game(pairing.seeds[contender.index])?;
    }
    while record.history.moves().len() < MAX_PLIES && !black.stop.is_set() {
        if let Some(outcome) = outcome(&record.history, tables) {
            record.outcome = outcome;
            break;
        }
        let side = record.history.position().side_to_move();
        let contender = if side == Side::Black { &mut *black } else { &mut *white };
        if let Some(reason) = contender.make_move(&mut record)? {
            record.outcome = Outcome::Win { winner: !side, reason };
            break;
        }
    }
    Ok(record)
}

/// The outcome of a game that the rules or the tables have decided.
fn outcome(history: &History, tables: &Tablebase) -> Option<Outcome> {
    let by_rule = history.outcome(&Rulebook::default());
    let side = history.position().side_to_move();
    let lost_by = |loser: Side| Outcome::Win { winner: !loser, reason: WinReason::Resignation };
    by_rule.or_else(|| match tables.probe(history.position())? {
        Wdl::Win => Some(lost_by(!side)),
        Wdl::Loss => Some(lost_by(side)),
        Wdl::Draw => Some(Outcome::Draw(DrawReason::NeitherCanWin)),
    })
}

impl GameRecord {
    /// The game as PDN, with the scores as comments.
    pub fn to_pdn(&self, event: &str, round: usize) -> Game {
        let mut game = Game::of(&self.history, Some(self.outcome));
        game.tags.set(TagName::EVENT, event);
        game.tags.set(TagName::ROUND, &round.to_string());
        game.tags.set(TagName::BLACK, &self.black);
        game.tags.set(TagName::WHITE, &self.white);
        for (i, score) in self.scores.iter().enumerate() {
            if let (Some(ply), Some(score)) = (game.ply_mut(self.opening_plies + i), score) {
                ply.add_comment(&format!("{score:+.2}"));
            }
        }
        game
    }

    /// The result for Black.
    pub fn result_for_black(&self) -> Wdl {
        match self.outcome.winner() {
            Some(Side::Black) => Wdl::Win,
            Some(Side::White) => Wdl::Loss,
            None => Wdl::Draw,
        }
    }

    /// Was it lost on time?
    pub fn is_timeout(&self) -> bool {
        matches!(self.outcome, Outcome::Win { reason: WinReason::Time, .. })
    }
}

impl Contender {
    pub(super) fn new(
        index: usize,
        spec: &PlayerSpec,
        time_control: TimeControl,
        stop: &StopFlag,
    ) -> Result<Contender, PlayerError> {
        Ok(Contender {
            index,
            name: spec.to_string(),
            player: spec.start(stop)?,
            spec: spec.clone(),
            time_control,
            remaining: Duration::ZERO,
            failed: false,
            stop: stop.clone(),
        })
    }

    /// Prepares for a new game. A player that has failed or exited since the last one is restarted.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if let TimeControl::Clock { time, .. } = self.time_control {
            self.remaining = time;
        }
        if !self.failed && self.player.new_game(seed).is_ok() {
            return Ok(());
        }
        self.player = self.spec.start(&self.stop)?;
        self.failed = false;
        self.player.new_game(seed)
    }

    /// Makes a move, or returns the reason for which this player loses the game.
    fn make_move(&mut self, record: &mut GameRecord) -> Result<Option<WinReason>, PlayerError> {
        let limits = self.limits();
        let started = Instant::now();
        let answer = match self.player.play(&record.history, &limits) {
            Ok(answer) => answer,
            Err(PlayerError::Client(error @ ClientError::Illegal { .. })) => {
                record.illegal = Some(format!("{}: {error}", self.name));
                return Ok(Some(WinReason::Forfeit));
            }
            Err(PlayerError::Client(error)) => {
                self.failed = true;
                record.failure = Some(format!("{}: {error}", self.name));
                return Ok(Some(WinReason::Forfeit));
            }
            Err(error) => return Err(error),
        };
        let position = record.history.position();
        if !position.is_legal(answer.mv) {
            record.illegal = Some(format!("{}: {} is not legal in {position}", self.name, answer.mv));
            return Ok(Some(WinReason::Forfeit));
        }
        let used = answer.used.unwrap_or_else(|| started.elapsed());
        record.overshoot = record.overshoot.max(self.overshoot(used, answer.planned));
        if let TimeControl::Clock { .. } = self.time_control {
            if used > self.remaining {
                return Ok(Some(WinReason::Time));
            }
            self.remaining -= used;
        }
        record.history.push_unchecked(answer.mv);
        record.scores.push(answer.score);
        Ok(None)
    }

    /// The limits of this move. The increment is added before the move.
    fn limits(&mut self) -> Limits {
        self.spec.limits(match self.time_control {
            TimeControl::Depth(depth) => Limits::depth(depth),
            TimeControl::Nodes(nodes) => Limits::nodes(nodes),
            TimeControl::Move(time) => Limits::move_time(time),
            TimeControl::Clock { increment, .. } => {
                self.remaining = self.remaining.saturating_add(increment);
                let clock = ClockState { remaining: self.remaining, increment, moves: None };
                Limits { time: Some(TimeLimit::Clock(clock)), ..Limits::default() }
            }
        })
    }

    fn overshoot(&self, used: Duration, planned: Option<Duration>) -> Duration {
        let allowed = match self.time_control {
            TimeControl::Move(time) => time,
            TimeControl::Clock { .. } => planned.unwrap_or(self.remaining),
            TimeControl::Depth(_) | TimeControl::Nodes(_) => return Duration::ZERO,
        };
        used.saturating_sub(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Answer;

    /// Plays the same move in every position.
    struct Stubborn(Answer);

    impl Player for Stubborn {
        fn new_game(&mut self, _seed: u64) -> Result<(), PlayerError> {
            Ok(())
        }

        fn play(&mut self, _game: &History, _limits: &Limits) -> Result<Answer, PlayerError> {
            Ok(self.0)
        }
    }

    #[test]
    fn an_illegal_move_loses_the_game() {
        let pairing = Pairing::random(1, 1)[0];
        let history = pairing.history();
        let loser = history.position().side_to_move();
        let stale = history.steps().next().expect("an opening has moves").1;
        let spec: PlayerSpec = "random".parse().unwrap();
        let contender = |index| {
            let player = Box::new(Stubborn(Answer::bare(stale)));
            Contender {
                player,
                ..Contender::new(index, &spec, TimeControl::Nodes(1), &StopFlag::default()).unwrap()
            }
        };
        let record = play(&pairing, &Tablebase::empty(), &mut contender(0), &mut contender(1)).unwrap();
        let told = format!("random: {stale} is not legal in {}", history.position());
        assert_eq!((record.illegal, record.failure), (Some(told), None));
        assert_eq!(record.outcome, Outcome::Win { winner: !loser, reason: WinReason::Forfeit });
        assert_eq!(record.history, history);
    }
}
