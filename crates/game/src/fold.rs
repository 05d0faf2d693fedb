//! The fold: applies each event to the state. Rejects events that cannot have happened, so that a damaged log is
//! noticed.

use crownhead_rules::{History, Position};

use crate::clock::Clock;
use crate::error::{Damage, LogError};
use crate::event::{Event, LOG_VERSION, Offer, Record, Verdict};
use crate::game::{Asked, Game, Hint, Notice, Pending};
use crate::silence::Silence;
use crate::time::Time;

impl Game {
    /// The state after the first record.
    pub(crate) fn from_first(record: &Record) -> Result<Game, LogError> {
        let damaged = |problem| LogError::Damaged { seq: 0, problem };
        if record.v > LOG_VERSION {
            return Err(LogError::Newer(record.v));
        }
        let started = match &record.event {
            Event::Started(started) => started,
            Event::Withdrawn => return Err(damaged(Damage::Withdrawn)),
            _ => return Err(damaged(Damage::Start)),
        };
        let position: Position =
            started.position.parse().map_err(|error| damaged(Damage::Position(error)))?;
        let mut history = History::new(position);
        for text in started.opening.iter().flat_map(|opening| &opening.moves) {
            history.play(text).map_err(|error| damaged(Damage::Move(error)))?;
        }
        Ok(Game {
            given: history.moves().len(),
            history,
            undone: Vec::new(),
            clock: started.clock.map(|rule| Clock::new(rule, record.at)),
            silence: Silence::since(record.at),
            turn: started.seed,
            pending: Vec::new(),
            declined: Vec::new(),
            claim: None,
            hint: None,
            notice: None,
            outcome: None,
            rematch: None,
            seq: 1,
            started_at: record.at,
            last_at: record.at,
            started: (**started).clone(),
        })
    }

    /// The state after one more record.
    pub(crate) fn fold(&mut self, record: &Record) -> Result<(), Damage> {
        let at = record.at;
        let needs_game = !matches!(
            record.event,
            Event::Started(_)
                | Event::TakenBack { .. }
                | Event::RematchAgreed { .. }
                | Event::Offered { offer: Offer::Rematch, .. }
                | Event::Declined { offer: Offer::Rematch, .. }
        );
        if needs_game && self.outcome.is_some() {
            return Err(Damage::Over);
        }
        match &record.event {
            Event::Started(_) => return Err(Damage::Start),
            Event::Withdrawn => return Err(Damage::Withdrawn),
            Event::Moved { text, lag_ms } => self.moved(text, *lag_ms, at)?,
            Event::TakenBack { plies } => self.taken_back(*plies, at)?,
            Event::Redone { plies } => self.redone(*plies, at)?,
            Event::Offered { offer, by } => {
                self.pending.push(Pending { offer: *offer, by: *by, turn: self.turn });
                self.notice = None;
            }
            Event::Declined { offer, by } => {
                let at =
                    self.pending.iter().position(|pending| pending.offer == *offer && pending.by == !*by);
                self.pending.remove(at.ok_or(Damage::Unasked)?);
                self.declined.push((Asked::Offer(*offer), !*by));
                self.notice = Some(Notice::Declined { offer: *offer, by: *by });
            }
            Event::Claimed { by } => self.claim = Some(*by),
            Event::ClaimRefused { verdict } => self.claim_refused(*verdict)?,
            Event::HintAsked => self.hint = Some(Hint::Asked),
            Event::HintGiven { text } => {
                let mv = self.history.position().parse_move(text).map_err(Damage::Move)?;
                self.hint = Some(Hint::Given(mv));
                self.notice = Some(Notice::Hint(mv));
            }
            Event::StillThereAsked { by } if *by == self.side_to_move() => return Err(Damage::OwnTurn),
            Event::StillThereAsked { .. } => self.silence.asked_at = Some(at),
            Event::StillHere { by } => {
                self.time_to_answer_ms(!*by, at).ok_or(Damage::Unasked)?;
            }
            Event::Interrupted { since } => {
                if let Some(clock) = &mut self.clock {
                    clock.forgive(*since, at);
                }
            }
            Event::Ended { outcome } => {
                self.stop_clock(at);
                self.new_turn();
                self.outcome = Some(*outcome);
            }
            Event::RematchAgreed { start } => {
                if self.outcome.is_none() {
                    return Err(Damage::NotOver);
                }
                self.pending.clear();
                self.rematch = Some((**start).clone());
            }
        }
        if record.event.breaks_silence_of(self.side_to_move()) {
            self.silence = Silence::since(at);
        }
        Ok(())
    }

    fn moved(&mut self, text: &str, lag_ms: u64, at: Time) -> Result<(), Damage> {
        let mover = self.side_to_move();
        let mv = self.history.position().parse_move(text).map_err(Damage::Move)?;
        self.stop_clock(at.minus(lag_ms));
        self.history.push_unchecked(mv);
        if let Some(clock) = &mut self.clock {
            clock.credit(mover, lag_ms);
        }
        self.start_clock(at);
        self.undone.clear();
        // A player who moves instead of answering declines the opponent's offers; the mover's own offers stand.
        let standing: Vec<Pending> = self
            .pending
            .drain(..)
            .filter(|pending| pending.by == mover && pending.offer != Offer::Takeback)
            .collect();
        self.new_turn();
        self.pending = standing;
        Ok(())
    }

    fn taken_back(&mut self, plies: usize, at: Time) -> Result<(), Damage> {
        if plies == 0 || plies > self.history.moves().len() - self.given {
            return Err(Damage::Plies);
        }
        self.stop_clock(at);
        let mut taken: Vec<_> = (0..plies).filter_map(|_| self.history.pop()).collect();
        taken.reverse();
        self.undone.push(taken);
        self.start_clock(at);
        self.new_turn();
        self.outcome = None;
        self.rematch = None;
        self.notice = Some(Notice::TakenBack);
        Ok(())
    }

    fn redone(&mut self, plies: usize, at: Time) -> Result<(), Damage> {
        let moves = self.undone.pop().filter(|moves| moves.len() == plies).ok_or(Damage::Plies)?;
        self.stop_clock(at);
        for mv in moves {
            self.history.push_unchecked(mv);
        }
        self.start_clock(at);
        self.new_turn();
        Ok(())
    }

    fn claim_refused(&mut self, verdict: Verdict) -> Result<(), Damage> {
        let by = self.claim.take().ok_or(Damage::Unasked)?;
        self.declined.push((Asked::Claim, by));
        self.notice = Some(Notice::ClaimRefused(verdict));
        Ok(())
    }

    /// Begins a new turn, because the position has changed or the game has ended: clears offers, claim, hint and
    /// notice.
    fn new_turn(&mut self) {
        self.turn = self.turn.wrapping_add(1);
        self.pending.clear();
        self.declined.clear();
        self.claim = None;
        self.hint = None;
        self.notice = None;
    }

    fn stop_clock(&mut self, at: Time) {
        let turn = self.side_to_move();
        if let Some(clock) = &mut self.clock {
            clock.stop(turn, at);
        }
    }

    fn start_clock(&mut self, at: Time) {
        let turn = self.side_to_move();
        if let Some(clock) = &mut self.clock {
            clock.start(turn, at);
        }
    }
}
