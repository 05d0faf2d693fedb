//! One game of a match.

use std::time::{Duration, Instant};

use crownhead_engine::{ClockState, Limits, TimeLimit};
use crownhead_pdn::{Game, TagName};
use crownhead_rules::{DrawReason, History, Outcome, Rulebook, Side, WinReason};
use crownhead_tablebase::{Tablebase, Wdl};

use super::Pairing;
use crate::StopButton;
use crate::hub::ClientError;
use crate::player::{Player, PlayerError, PlayerSpec};
use crate::rating::Point;

/// What a player may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Plies for each move.
    Depth(u32),
    /// Positions for each move.
    Nodes(u64),
    /// Time for each move.
    Move(Duration),
    /// Time for the game, and more with each move.
    Clock {
        /// At the start.
        time: Duration,
        /// With each move.
        increment: Duration,
    },
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// So many plies were given, the opening it began with.
    pub given_plies: usize,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// The moves, those of the opening included.
    pub history: History,
    /// What the mover thought after each of its own moves, in men.
    pub scores: Vec<Option<f64>>,
    /// How it ended. A game that the endgame tables decide is given up, or drawn because neither can win.
    pub outcome: Outcome,
    /// Who played which move that is not legal, if that lost it the game.
    pub illegal: Option<String>,
    /// Why a player could not play on, if that lost it the game.
    pub failure: Option<String>,
    /// The longest time that somebody took beyond the time for a move or, on a clock, beyond what it meant to take; beyond
    /// all that it had left, if it did not tell.
    pub overshoot: Duration,
}

/// A game that nothing has ended after so many plies is drawn.
const MAX_PLIES: usize = 400;

/// A player at the board with its clock.
pub(super) struct Seat {
    /// Its place among the players of the match.
    place: usize,
    name: String,
    player: Box<dyn Player>,
    spec: PlayerSpec,
    pace: Pace,
    left: Duration,
    /// The player has failed and has to be called anew for another game.
    failed: bool,
    stop: StopButton,
}

/// Plays a game. If it is stopped, what comes of it means nothing.
pub(super) fn play(
    pairing: &Pairing,
    tables: &Tablebase,
    black: &mut Seat,
    white: &mut Seat,
) -> Result<GameRecord, PlayerError> {
    let history = pairing.history();
    let mut record = GameRecord {
        given_plies: history.moves().len(),
        black: black.name.clone(),
        white: white.name.clone(),
        history,
        scores: Vec::new(),
        outcome: Outcome::Draw(DrawReason::MoveLimit),
        illegal: None,
        failure: None,
        overshoot: Duration::ZERO,
    };
    for seat in [&mut *black, &mut *white] {
        seat.new_game(pairing.seeds[seat.place])?;
    }
    while record.history.moves().len() < MAX_PLIES && !black.stop.is_pressed() {
        if let Some(outcome) = outcome(&record.history, tables) {
            record.outcome = outcome;
            break;
        }
        let side = record.history.position().side_to_move();
        let seat = if side == Side::Black { &mut *black } else { &mut *white };
        if let Some(reason) = seat.make_move(&mut record)? {
            record.outcome = Outcome::Win { winner: !side, reason };
            break;
        }
    }
    Ok(record)
}

/// The end that the rules or the tables put to a game.
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
    /// The game as a file has it, with what the movers thought.
    pub fn to_pdn(&self, event: &str, round: usize) -> Game {
        let mut game = Game::of(&self.history, Some(self.outcome));
        game.tags.set(TagName::EVENT, event);
        game.tags.set(TagName::ROUND, &round.to_string());
        game.tags.set(TagName::BLACK, &self.black);
        game.tags.set(TagName::WHITE, &self.white);
        for (i, score) in self.scores.iter().enumerate() {
            if let (Some(ply), Some(score)) = (game.ply_mut(self.given_plies + i), score) {
                ply.add_comment(&format!("{score:+.2}"));
            }
        }
        game
    }

    /// What the game brought Black.
    pub fn for_black(&self) -> Point {
        match self.outcome.winner() {
            Some(Side::Black) => Point::Win,
            Some(Side::White) => Point::Loss,
            None => Point::Draw,
        }
    }

    /// Was it lost on time?
    pub fn is_timeout(&self) -> bool {
        matches!(self.outcome, Outcome::Win { reason: WinReason::Time, .. })
    }
}

impl Seat {
    pub(super) fn new(
        place: usize,
        spec: &PlayerSpec,
        pace: Pace,
        stop: &StopButton,
    ) -> Result<Seat, PlayerError> {
        Ok(Seat {
            place,
            name: spec.to_string(),
            player: spec.sit_down(stop)?,
            spec: spec.clone(),
            pace,
            left: Duration::ZERO,
            failed: false,
            stop: stop.clone(),
        })
    }

    /// Prepares for another game. A player who has gone since the last one is called anew.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if let Pace::Clock { time, .. } = self.pace {
            self.left = time;
        }
        if !self.failed && self.player.new_game(seed).is_ok() {
            return Ok(());
        }
        self.player = self.spec.sit_down(&self.stop)?;
        self.failed = false;
        self.player.new_game(seed)
    }

    /// Makes a move, or says what the game is lost by.
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
        if let Pace::Clock { .. } = self.pace {
            if used > self.left {
                return Ok(Some(WinReason::Time));
            }
            self.left -= used;
        }
        record.history.push_unchecked(answer.mv);
        record.scores.push(answer.score);
        Ok(None)
    }

    /// What this move may take. The increment comes before the move.
    fn limits(&mut self) -> Limits {
        self.spec.limits(match self.pace {
            Pace::Depth(depth) => Limits::depth(depth),
            Pace::Nodes(nodes) => Limits::nodes(nodes),
            Pace::Move(time) => Limits::move_time(time),
            Pace::Clock { increment, .. } => {
                self.left = self.left.saturating_add(increment);
                let clock = ClockState { remaining: self.left, increment, moves: None };
                Limits { time: Some(TimeLimit::Clock(clock)), ..Limits::default() }
            }
        })
    }

    fn overshoot(&self, used: Duration, planned: Option<Duration>) -> Duration {
        let allowed = match self.pace {
            Pace::Move(time) => time,
            Pace::Clock { .. } => planned.unwrap_or(self.left),
            Pace::Depth(_) | Pace::Nodes(_) => return Duration::ZERO,
        };
        used.saturating_sub(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Answer;

    /// Plays the same move whatever is on the board.
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
    fn a_move_that_is_not_legal_loses_the_game() {
        let pairing = Pairing::by_lot(1, 1)[0];
        let history = pairing.history();
        let loser = history.position().side_to_move();
        let stale = history.steps().next().expect("an opening has moves").1;
        let spec: PlayerSpec = "random".parse().unwrap();
        let seat = |place| {
            let player = Box::new(Stubborn(Answer::bare(stale)));
            Seat { player, ..Seat::new(place, &spec, Pace::Nodes(1), &StopButton::default()).unwrap() }
        };
        let record = play(&pairing, &Tablebase::empty(), &mut seat(0), &mut seat(1)).unwrap();
        let told = format!("random: {stale} is not legal in {}", history.position());
        assert_eq!((record.illegal, record.failure), (Some(told), None));
        assert_eq!(record.outcome, Outcome::Win { winner: !loser, reason: WinReason::Forfeit });
        assert_eq!(record.history, history);
    }
}
