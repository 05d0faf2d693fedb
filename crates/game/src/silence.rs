//! "Still there?": without a clock, a player may ask an opponent who is connected but silent; without an answer the
//! opponent forfeits.

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

use crate::error::Refusal;
use crate::event::Event;
use crate::game::Game;
use crate::player::Place;
use crate::time::Time;

/// After this long without a sign of life, the side to move may be asked.
const ASK_AFTER_MS: u64 = 10 * 60_000;
/// After this long without an answer, the opponent may claim the game.
pub(crate) const ANSWER_WITHIN_MS: u64 = 2 * 60_000;

/// How long the side to move has shown no sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Silence {
    since: Time,
    /// When the opponent asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asked_at: Option<Time>,
}

impl Silence {
    /// The silence that begins with a sign of life, or with a turn.
    pub(crate) const fn since(at: Time) -> Silence {
        Silence { since: at, asked_at: None }
    }

    /// Removes an outage from the silence, up to `now`.
    pub(crate) fn skip(&mut self, outage_ms: u64, now: Time) {
        for time in [Some(&mut self.since), self.asked_at.as_mut()].into_iter().flatten() {
            *time = time.plus(outage_ms).min(now.max(*time));
        }
    }
}

impl Event {
    /// Does this event begin a turn, or show that the side to move is there?
    pub(crate) fn breaks_silence_of(&self, turn: Side) -> bool {
        match self {
            Event::Moved { .. } | Event::TakenBack { .. } | Event::Redone { .. } | Event::Ended { .. } => {
                true
            }
            Event::Offered { by, .. }
            | Event::Declined { by, .. }
            | Event::Claimed { by }
            | Event::StillHere { by } => *by == turn,
            _ => false,
        }
    }
}

impl Game {
    pub(crate) fn ask_still_there(&self, by: Side, now: Time) -> Result<Vec<Event>, Refusal> {
        self.going_on()?;
        let Place::Link { .. } = self.started.place else { return Err(Refusal::NobodyAway) };
        let colour = self.rulebook().colour(!by);
        if self.clock.is_some() {
            return Err(Refusal::ClockDecides(colour));
        }
        if self.side_to_move() == by {
            return Err(Refusal::YourTurn);
        }
        if self.silence.asked_at.is_some() {
            return Err(Refusal::AnswerPending);
        }
        if now.since(self.silence.since) < ASK_AFTER_MS {
            return Err(Refusal::NotSilentLongEnough(colour));
        }
        Ok(vec![Event::StillThereAsked { by }])
    }

    pub(crate) fn still_here(&self, by: Side) -> Result<Vec<Event>, Refusal> {
        self.going_on()?;
        if self.silence.asked_at.is_none() || self.side_to_move() != by {
            return Err(Refusal::NobodyAsked);
        }
        Ok(vec![Event::StillHere { by }])
    }

    /// How long the opponent of `by` still has to answer; `None` if `by` has not asked.
    pub(crate) fn time_to_answer_ms(&self, by: Side, now: Time) -> Option<u64> {
        let asked_at = self.silence.asked_at.filter(|_| self.side_to_move() != by)?;
        Some(ANSWER_WITHIN_MS.saturating_sub(now.since(asked_at)))
    }
}
