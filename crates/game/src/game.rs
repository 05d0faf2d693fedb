//! A live game: its state, and how commands change it.

use crownhead_rules::{History, Move, Outcome, Rulebook, Side, WinReason};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::command::Command;
use crate::effect::Effect;
use crate::error::{Damage, LogError, Refusal};
use crate::event::{Event, LOG_VERSION, Offer, Record, Started, Verdict};
use crate::player::{Place, Who};
use crate::silence::Silence;
use crate::start::Start;
use crate::time::{Moment, Time};

/// A game from its start to now. Its state is exactly what its log folds to: see [`Game::replay`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) started: Started,
    pub(crate) history: History,
    /// The number of moves that the opening put on the board. They cannot be taken back.
    pub(crate) given: usize,
    /// The moves taken back, the latest takeback last, each in the order in which its moves were made.
    pub(crate) undone: Vec<Vec<Move>>,
    pub(crate) clock: Option<Clock>,
    pub(crate) silence: Silence,
    /// Counts the changes of the position. It starts at the seed, so that the request numbers of two games differ.
    pub(crate) turn: u32,
    pub(crate) pending: Vec<Pending>,
    /// The requests that were declined since the last move, each with the side that made it.
    pub(crate) declined: Vec<(Asked, Side)>,
    pub(crate) claim: Option<Side>,
    pub(crate) hint: Option<Hint>,
    pub(crate) notice: Option<Notice>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) rematch: Option<Start>,
    pub(crate) seq: usize,
    pub(crate) started_at: Time,
    pub(crate) last_at: Time,
}

/// An offer that has not been answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub(crate) offer: Offer,
    pub(crate) by: Side,
    /// The turn in which it was made.
    pub(crate) turn: u32,
}

/// A request that can be declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Asked {
    Offer(Offer),
    Claim,
}

/// A hint that was asked for or given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    Asked,
    Given(Move),
}

/// A message to the players besides the moves, shown until the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    Declined { offer: Offer, by: Side },
    ClaimRefused(Verdict),
    TakenBack,
    Hint(Move),
}

/// The result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What happened: records to append to the log.
    pub records: Vec<Record>,
    /// Work for the program that runs the game.
    pub effects: Vec<Effect>,
}

impl Game {
    /// Begins a game.
    ///
    /// # Errors
    /// If the position, the opening or the clock is invalid.
    pub fn start(start: Start, now: Time) -> Result<(Game, Step), Refusal> {
        let started = start.resolve()?;
        let record = Record::new(now, Event::Started(Box::new(started)));
        let game = Game::replay([&record]).expect("a start that was looked at can be read back");
        let effects = game.outstanding();
        Ok((game, Step { records: vec![record], effects }))
    }

    /// Replays a game from its log.
    ///
    /// # Errors
    /// If the log is empty, from a newer program, or damaged.
    pub fn replay<'a>(log: impl IntoIterator<Item = &'a Record>) -> Result<Game, LogError> {
        let mut log = log.into_iter();
        let mut game = Game::from_first(log.next().ok_or(LogError::Empty)?)?;
        log.try_for_each(|record| game.advance(record))?;
        Ok(game)
    }

    /// Applies a record that was made elsewhere, for instance by the server.
    ///
    /// # Errors
    /// If it does not fit; then the game is unchanged.
    pub fn absorb(&mut self, record: &Record) -> Result<(), LogError> {
        let mut next = self.clone();
        next.advance(record)?;
        *self = next;
        Ok(())
    }

    /// Applies a record. If it does not fit, this game must not be used any more.
    fn advance(&mut self, record: &Record) -> Result<(), LogError> {
        if record.v > LOG_VERSION {
            return Err(LogError::Newer(record.v));
        }
        let seq = self.seq;
        let damaged = |problem| LogError::Damaged { seq, problem };
        if record.at < self.last_at {
            return Err(damaged(Damage::Time));
        }
        if let Some(clock) = &mut self.clock {
            clock.skip(record.outage_ms, record.at);
        }
        self.silence.skip(record.outage_ms, record.at);
        self.fold(record).map_err(damaged)?;
        self.seq += 1;
        self.last_at = record.at;
        Ok(())
    }

    /// Carries out a command. If the side to move had already run out of time, the game ends on time instead.
    ///
    /// # Errors
    /// If the game refuses the command; then it is unchanged.
    pub fn handle(&mut self, who: Who, command: &Command, moment: Moment) -> Result<Step, Refusal> {
        let before = self.outstanding();
        let mut records = Vec::new();
        let judged = match command {
            // A move counts from when it was made, not from when it arrived.
            Command::Move { .. } => moment.clock_time().minus(self.lag_ms(moment)).plus(self.flag_grace_ms()),
            // Time in which no program ran the game does not count.
            Command::Interrupted { since } => (*since).min(moment.clock_time()),
            _ => moment.clock_time(),
        };
        self.settle(judged, moment, &mut records);
        if records.is_empty() {
            for event in self.decide(who, command, moment)? {
                self.commit(event, moment, &mut records);
            }
            // The first record has already taken the outage out of the clock.
            let judged = if records.is_empty() { moment.clock_time() } else { moment.now };
            self.settle(judged, moment, &mut records);
        }
        Ok(Step { records, effects: self.effects_since(&before, command) })
    }

    /// The game as it would be after some commands, to show their effect before a server has confirmed them. Skips
    /// commands that are refused, and returns the reason if the last one is.
    pub fn preview(&self, who: Who, commands: &[Command], moment: Moment) -> (Game, Option<Refusal>) {
        let mut ahead = self.clone();
        let refusals = commands.iter().map(|command| ahead.handle(who, command, moment).err());
        let refusal = refusals.last().flatten();
        (ahead, refusal)
    }

    /// Ends the game if the board or the clock decides it.
    fn settle(&mut self, judged: Time, moment: Moment, records: &mut Vec<Record>) {
        if self.outcome.is_some() {
            return;
        }
        let flag_fell = self.wake_at().is_some_and(|at| judged >= at);
        let by_time = Outcome::Win { winner: !self.side_to_move(), reason: WinReason::Time };
        let outcome = self.history.outcome(self.rulebook()).or(flag_fell.then_some(by_time));
        if let Some(outcome) = outcome {
            self.commit(Event::Ended { outcome }, moment, records);
        }
    }

    fn commit(&mut self, event: Event, moment: Moment, records: &mut Vec<Record>) {
        let outage_ms = if records.is_empty() { moment.outage_ms } else { 0 };
        let record = Record { v: LOG_VERSION, at: moment.now.max(self.last_at), outage_ms, event };
        self.advance(&record).expect("what was decided on fits");
        records.push(record);
    }

    /// When to send [`Command::Tick`] at the latest, because the side to move runs out of time then.
    pub fn wake_at(&self) -> Option<Time> {
        let clock = self.clock.as_ref().filter(|_| self.outcome.is_none())?;
        Some(clock.flag_at(self.side_to_move())?.plus(self.flag_grace_ms()))
    }

    /// The time allowed after the flag falls: over a link, a move that was made in time may still be on its way.
    fn flag_grace_ms(&self) -> u64 {
        if self.is_over_link() { self.lag_quota_ms() } else { 0 }
    }

    /// The part of a move's network lag that the clock gives back.
    pub(crate) fn lag_ms(&self, moment: Moment) -> u64 {
        moment.lag_ms.min(self.lag_quota_ms())
    }

    fn lag_quota_ms(&self) -> u64 {
        self.clock.as_ref().map_or(0, |clock| clock.lag_quota_ms(self.side_to_move()))
    }

    /// How the game began.
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// When it began.
    pub fn started_at(&self) -> Time {
        self.started_at
    }

    /// The moves and positions so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The rules of this game.
    pub fn rulebook(&self) -> &Rulebook {
        &self.started.rulebook
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How many records the log has so far.
    pub fn seq(&self) -> usize {
        self.seq
    }

    /// When the last record was made.
    pub fn last_at(&self) -> Time {
        self.last_at
    }

    /// The number of moves that were on the board when the game began.
    pub fn given(&self) -> usize {
        self.given
    }

    /// The side to move in the position, even if the game is over.
    pub fn side_to_move(&self) -> Side {
        self.history.position().side_to_move()
    }

    pub(crate) fn is_over_link(&self) -> bool {
        matches!(self.started.place, Place::Link { .. })
    }

    pub(crate) fn is_human(&self, side: Side) -> bool {
        self.started.player(side).level().is_none()
    }

    /// The side of the only human player, in a game against the computer.
    pub(crate) fn only_human(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.is_human(side) && !self.is_human(!side))
    }

    pub(crate) fn offer_of(&self, offer: Offer) -> Option<Pending> {
        self.pending.iter().copied().find(|pending| pending.offer == offer)
    }
}
