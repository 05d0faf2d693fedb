//! Decides commands: turns a command into events, or refuses it with a reason. Does not change the state.

use crownhead_rules::{DrawReason, Move, MoveError, Outcome, Side, WinReason};

use crate::clock::ClockRule;
use crate::command::Command;
use crate::error::Refusal;
use crate::event::{Event, Offer, Verdict};
use crate::game::{Asked, Game, Hint};
use crate::player::{Level, Place, Who};
use crate::time::Moment;

type Decision = Result<Vec<Event>, Refusal>;

impl Game {
    /// The events that the command leads to now.
    pub(crate) fn decide(&self, who: Who, command: &Command, moment: Moment) -> Decision {
        if command.is_report() {
            return if who == Who::House { self.decide_report(command) } else { Err(Refusal::HouseOnly) };
        }
        let side = self.acting(who, command)?;
        match command {
            Command::Move { text } => self.make_move(who, side, text, moment),
            Command::Undo => self.undo(who, side),
            Command::Redo => self.redo(),
            Command::Resign => self.give_up(side, WinReason::Resignation),
            Command::Forfeit => self.give_up(side, WinReason::Forfeit),
            Command::Abandon => self.offer(Offer::Abandon, side),
            Command::OfferDraw => self.offer(Offer::Draw, side),
            Command::AskTakeback => self.offer(Offer::Takeback, side),
            Command::Rematch => self.rematch(side),
            Command::AnswerAbandon { accept } => self.answer(Offer::Abandon, side, *accept),
            Command::AnswerDraw { accept } => self.answer(Offer::Draw, side, *accept),
            Command::AnswerTakeback { accept } => self.answer(Offer::Takeback, side, *accept),
            Command::AnswerRematch { accept } => self.answer(Offer::Rematch, side, *accept),
            Command::ClaimDraw => self.claim_draw(side),
            Command::ClaimForfeit => self.claim_forfeit(side, moment),
            Command::AskStillThere => self.ask_still_there(side, moment.clock_time()),
            Command::StillHere => self.still_here(side),
            Command::Hint => self.ask_hint(side),
            Command::Tick
            | Command::Interrupted { .. }
            | Command::ComputerMoved { .. }
            | Command::ComputerAnswered { .. }
            | Command::HintFound { .. }
            | Command::Adjudicated { .. } => Ok(vec![]),
        }
    }

    /// The result of an effect counts only while the game waits for it.
    fn decide_report(&self, command: &Command) -> Decision {
        let legal = |text: &str| self.history.position().parse_move(text).map_err(Refusal::ComputerErred);
        Ok(match command {
            Command::Interrupted { since } if self.clock.is_some() && self.outcome.is_none() => {
                vec![Event::Interrupted { since: *since }]
            }
            Command::ComputerMoved { request, text } if self.is_thinking() && *request == self.turn => {
                vec![moved(legal(text)?, 0)]
            }
            Command::HintFound { request, text }
                if self.hint == Some(Hint::Asked) && *request == self.turn =>
            {
                vec![Event::HintGiven { text: legal(text)?.to_string() }]
            }
            Command::ComputerAnswered { request, offer, accept } => match self.offer_of(*offer) {
                Some(pending) if !self.is_human(!pending.by) && *request == pending.turn => {
                    self.answer(*offer, !pending.by, *accept)?
                }
                _ => vec![],
            },
            Command::Adjudicated { request, verdict }
                if self.claim.is_some() && *request == self.turn && self.outcome.is_none() =>
            {
                match verdict {
                    Verdict::Draw => vec![ended(Outcome::Draw(DrawReason::NeitherCanWin))],
                    Verdict::NoDraw | Verdict::Unknown => vec![Event::ClaimRefused { verdict: *verdict }],
                }
            }
            _ => vec![],
        })
    }

    /// The side on whose behalf `who` gives a command.
    fn acting(&self, who: Who, command: &Command) -> Result<Side, Refusal> {
        match who {
            Who::Seat(side) if self.is_human(side) => Ok(side),
            Who::Screen if !self.is_over_link() => self.side_at_screen(command).ok_or(Refusal::Watching),
            Who::Seat(_) | Who::Screen | Who::Watcher | Who::House => Err(Refusal::Watching),
        }
    }

    fn side_at_screen(&self, command: &Command) -> Option<Side> {
        if let Some(side) = self.only_human() {
            return Some(side);
        }
        let answered = match command {
            Command::AnswerDraw { .. } => Some(Offer::Draw),
            Command::AnswerAbandon { .. } => Some(Offer::Abandon),
            _ => None,
        };
        let offerer = answered.and_then(|offer| self.offer_of(offer)).map(|pending| pending.by);
        let side = offerer.map_or(self.side_to_move(), Side::other);
        self.is_human(side).then_some(side)
    }

    pub(crate) fn going_on(&self) -> Result<(), Refusal> {
        if self.outcome.is_some() { Err(Refusal::GameOver) } else { Ok(()) }
    }

    pub(crate) fn own_turn(&self, side: Side) -> Result<(), Refusal> {
        let turn = self.side_to_move();
        if turn == side {
            Ok(())
        } else if self.is_human(turn) {
            Err(Refusal::NotYourTurn(self.rulebook().colour(turn)))
        } else {
            Err(Refusal::ComputersTurn)
        }
    }

    fn make_move(&self, who: Who, side: Side, text: &str, moment: Moment) -> Decision {
        self.going_on()?;
        self.own_turn(side)?;
        let refuse = |error: MoveError| Refusal::Move { error, rulebook: Box::new(*self.rulebook()) };
        let mv = self.history.position().parse_move(text).map_err(refuse)?;
        let lag_ms = if matches!(who, Who::Seat(_)) { self.lag_ms(moment) } else { 0 };
        Ok(vec![moved(mv, lag_ms)])
    }

    /// The number of plies that go back if a side takes back its last move: that move, and the reply if there is one.
    pub(crate) fn plies_to_own_move(&self, side: Side) -> Option<usize> {
        let plies = if self.side_to_move() == side { 2 } else { 1 };
        (self.history.moves().len() >= self.given + plies).then_some(plies)
    }

    fn undo(&self, who: Who, side: Side) -> Decision {
        if self.is_over_link() {
            return Err(Refusal::UndoOverLink);
        }
        if self.started.player(!side).level() == Some(Level::HARDEST) {
            return Err(Refusal::UndoAtHardest);
        }
        if matches!(self.outcome, Some(Outcome::Win { reason: WinReason::Time, .. })) {
            return Err(Refusal::TimeIsUp);
        }
        let two_at_screen = who == Who::Screen && self.is_human(!side);
        let plies = if two_at_screen {
            (self.history.moves().len() > self.given).then_some(1)
        } else {
            self.plies_to_own_move(side)
        };
        Ok(vec![Event::TakenBack { plies: plies.ok_or(Refusal::NothingToUndo)? }])
    }

    fn redo(&self) -> Decision {
        self.going_on()?;
        if self.is_over_link() {
            return Err(Refusal::NothingToRedo);
        }
        let moves = self.undone.last().ok_or(Refusal::NothingToRedo)?;
        Ok(vec![Event::Redone { plies: moves.len() }])
    }

    fn give_up(&self, loser: Side, reason: WinReason) -> Decision {
        self.going_on()?;
        Ok(vec![ended(Outcome::Win { winner: !loser, reason })])
    }

    fn offer(&self, offer: Offer, by: Side) -> Decision {
        if offer != Offer::Rematch {
            self.going_on()?;
        }
        let book = self.rulebook();
        match offer {
            Offer::Draw if !book.agreed_draw => return Err(self.no_draw()),
            Offer::Abandon if !book.may_abandon => return Err(Refusal::NoAbandoning(book.id)),
            Offer::Takeback if !self.is_over_link() => return Err(Refusal::TakebackOnScreen),
            Offer::Takeback if self.plies_to_own_move(by).is_none() => return Err(Refusal::NothingToUndo),
            _ => {}
        }
        match self.offer_of(offer) {
            // Both players have offered the same.
            Some(pending) if pending.by != by => return self.answer(offer, by, true),
            Some(_) => return Err(Refusal::AnswerPending),
            None => {}
        }
        if self.declined.contains(&(Asked::Offer(offer), by)) {
            // A declined offer can be repeated after the next move; a game that is over has no next move.
            let is_over = offer == Offer::Rematch;
            return Err(if is_over { Refusal::RematchDeclined } else { Refusal::AskedAlready });
        }
        if !self.is_human(!by) && offer != Offer::Rematch {
            self.own_turn(by)?;
        }
        Ok(vec![Event::Offered { offer, by }])
    }

    fn answer(&self, offer: Offer, by: Side, accept: bool) -> Decision {
        let pending = self.offer_of(offer).filter(|pending| pending.by != by);
        let asker = pending.ok_or(Refusal::NothingOffered)?.by;
        if !accept {
            return Ok(vec![Event::Declined { offer, by }]);
        }
        Ok(vec![match offer {
            Offer::Draw => ended(Outcome::Draw(DrawReason::Agreement)),
            Offer::Abandon => ended(Outcome::Abandoned),
            Offer::Takeback => {
                Event::TakenBack { plies: self.plies_to_own_move(asker).ok_or(Refusal::NothingToUndo)? }
            }
            Offer::Rematch => self.rematch_agreed(),
        }])
    }

    fn rematch(&self, side: Side) -> Decision {
        if self.outcome.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.rematch.is_some() {
            return Err(Refusal::RematchAgreed);
        }
        if self.is_over_link() { self.offer(Offer::Rematch, side) } else { Ok(vec![self.rematch_agreed()]) }
    }

    fn rematch_agreed(&self) -> Event {
        Event::RematchAgreed { start: Box::new(self.started.rematch()) }
    }

    fn claim_draw(&self, by: Side) -> Decision {
        self.going_on()?;
        if !self.rulebook().claimed_draw {
            return Err(if self.rulebook().agreed_draw {
                Refusal::NoClaims(self.rulebook().id)
            } else {
                self.no_draw()
            });
        }
        if self.claim.is_some() {
            return Err(Refusal::AnswerPending);
        }
        if self.declined.contains(&(Asked::Claim, by)) {
            return Err(Refusal::AskedAlready);
        }
        if !self.is_human(!by) {
            self.own_turn(by)?;
        }
        Ok(vec![Event::Claimed { by }])
    }

    /// Why a draw cannot be asked for.
    fn no_draw(&self) -> Refusal {
        let book = self.rulebook();
        if book.repetition.is_some() || book.move_limit.is_some() {
            Refusal::DrawsComeByThemselves(book.id)
        } else {
            Refusal::NoDraws(book.id)
        }
    }

    fn claim_forfeit(&self, by: Side, moment: Moment) -> Decision {
        self.going_on()?;
        let Place::Link { away_limit_ms } = self.started.place else { return Err(Refusal::NobodyAway) };
        let colour = self.rulebook().colour(!by);
        if self.started.clock.is_some_and(ClockRule::is_correspondence) {
            return Err(Refusal::Correspondence(colour));
        }
        let to_answer_ms = self.time_to_answer_ms(by, moment.clock_time());
        if to_answer_ms == Some(0) {
            return self.give_up(!by, WinReason::Forfeit);
        }
        let Some(since) = moment.away_since(!by) else {
            return Err(match to_answer_ms {
                Some(left_ms) => Refusal::TimeToAnswer { colour, seconds: left_ms.div_ceil(1_000) },
                None => Refusal::OpponentHere(colour),
            });
        };
        // Players need not be connected before the game begins.
        let away_ms = moment.now.since(since.max(self.started_at));
        if away_ms < away_limit_ms {
            let (seconds, limit) = (away_ms / 1_000, away_limit_ms.div_ceil(1_000));
            return Err(Refusal::NotAwayLongEnough { colour, seconds, limit });
        }
        self.give_up(!by, WinReason::Forfeit)
    }

    fn ask_hint(&self, side: Side) -> Decision {
        self.going_on()?;
        if self.is_over_link() {
            return Err(Refusal::NoHintsOverLink);
        }
        self.own_turn(side)?;
        match self.hint {
            None => Ok(vec![Event::HintAsked]),
            Some(Hint::Asked) => Err(Refusal::AnswerPending),
            // The hint is still on the board.
            Some(Hint::Given(_)) => Ok(vec![]),
        }
    }
}

fn moved(mv: Move, lag_ms: u64) -> Event {
    Event::Moved { text: mv.to_string(), lag_ms }
}

fn ended(outcome: Outcome) -> Event {
    Event::Ended { outcome }
}
