//! Snapshots: the state of a game without its log, for a screen that opens a game with a long one.

use crownhead_rules::{Move, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::error::{Damage, LogError};
use crate::event::{Event, Offer, Record, Started, Verdict};
use crate::game::{Asked, Game, Hint, Notice, Pending};
use crate::silence::Silence;
use crate::start::Start;
use crate::time::Time;

/// The version of snapshots that this program writes. It reads all earlier ones.
pub const SNAPSHOT_VERSION: u16 = 1;
/// No log is this long, and counting on from here cannot overflow.
const MAX_SEQ: usize = (u32::MAX / 2) as usize;

/// The state of a game after some records of its log. [`Game::restore`] returns the same game as [`Game::replay`] of
/// those records, and later records can be applied to it.
///
/// It contains the moves on the board and everything undecided. It keeps moves that were taken back only while they can
/// be redone, so it is never larger than the longest line that was on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    v: u16,
    /// The number of records that led here.
    seq: usize,
    started_at: Time,
    /// When the last record was made.
    at: Time,
    started: Started,
    /// The moves since the opening.
    moves: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undone: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    silence: Silence,
    turn: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pending: Vec<Pending>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    declined: Vec<(Asked, Side)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hint: Option<HintRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<NoticeRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch: Option<Box<Start>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HintRecord {
    Asked,
    Given(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum NoticeRecord {
    Declined {
        offer: Offer,
        by: Side,
    },
    ClaimRefused {
        verdict: Verdict,
    },
    TakenBack,
    /// The hint was given; its move is in `hint`.
    Hint,
}

impl Game {
    /// The state after the records so far.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            v: SNAPSHOT_VERSION,
            seq: self.seq,
            started_at: self.started_at,
            at: self.last_at,
            started: self.started.clone(),
            moves: texts(&self.history.moves()[self.given..]),
            undone: self.undone.iter().map(|moves| texts(moves)).collect(),
            clock: self.clock.clone(),
            silence: self.silence,
            turn: self.turn,
            pending: self.pending.clone(),
            declined: self.declined.clone(),
            claim: self.claim,
            hint: self.hint.map(|hint| match hint {
                Hint::Asked => HintRecord::Asked,
                Hint::Given(mv) => HintRecord::Given(mv.to_string()),
            }),
            notice: self.notice.map(|notice| match notice {
                Notice::Declined { offer, by } => NoticeRecord::Declined { offer, by },
                Notice::ClaimRefused(verdict) => NoticeRecord::ClaimRefused { verdict },
                Notice::TakenBack => NoticeRecord::TakenBack,
                Notice::Hint(_) => NoticeRecord::Hint,
            }),
            outcome: self.outcome,
            rematch: self.rematch.clone().map(Box::new),
        }
    }

    /// Restores the game of a snapshot.
    ///
    /// # Errors
    /// If it is from a newer program, or damaged: every move is checked.
    pub fn restore(snapshot: &Snapshot) -> Result<Game, LogError> {
        if snapshot.v > SNAPSHOT_VERSION {
            return Err(LogError::NewerSnapshot(snapshot.v));
        }
        let event = Event::Started(Box::new(snapshot.started.clone()));
        let mut game = Game::from_first(&Record::new(snapshot.started_at, event))?;
        game.take_over(snapshot).map_err(LogError::DamagedSnapshot)?;
        Ok(game)
    }

    fn take_over(&mut self, snapshot: &Snapshot) -> Result<(), Damage> {
        if snapshot.at < snapshot.started_at {
            return Err(Damage::Time);
        }
        if !(snapshot.moves.len() + 1..=MAX_SEQ).contains(&snapshot.seq) {
            return Err(Damage::Count);
        }
        if snapshot.clock.as_ref().map(|clock| clock.rule) != snapshot.started.clock {
            return Err(Damage::Clock);
        }
        for text in &snapshot.moves {
            self.history.play(text).map_err(Damage::Move)?;
        }
        self.undone = self.undone_of(&snapshot.undone)?;
        self.outcome = snapshot.outcome;
        self.pending.clone_from(&snapshot.pending);
        self.claim = snapshot.claim;
        self.hint = self.hint_of(snapshot.hint.as_ref())?;
        self.rematch = snapshot.rematch.as_deref().cloned();
        self.check_undecided()?;
        self.notice = self.notice_of(snapshot.notice)?;
        self.declined.clone_from(&snapshot.declined);
        self.clock.clone_from(&snapshot.clock);
        self.silence = snapshot.silence;
        self.turn = snapshot.turn;
        self.seq = snapshot.seq;
        self.last_at = snapshot.at;
        Ok(())
    }

    /// The moves taken back, the latest takeback last, replayed on a copy of the board to check that they are legal.
    fn undone_of(&self, undone: &[Vec<String>]) -> Result<Vec<Vec<Move>>, Damage> {
        let mut ahead = self.history.clone();
        let mut read = Vec::new();
        for moves in undone.iter().rev() {
            if moves.is_empty() {
                return Err(Damage::Plies);
            }
            let moves: Result<Vec<Move>, _> = moves.iter().map(|text| ahead.play(text)).collect();
            read.push(moves.map_err(Damage::Move)?);
        }
        read.reverse();
        Ok(read)
    }

    fn hint_of(&self, hint: Option<&HintRecord>) -> Result<Option<Hint>, Damage> {
        Ok(match hint {
            None => None,
            Some(HintRecord::Asked) => Some(Hint::Asked),
            Some(HintRecord::Given(text)) => {
                Some(Hint::Given(self.history.position().parse_move(text).map_err(Damage::Move)?))
            }
        })
    }

    fn notice_of(&self, notice: Option<NoticeRecord>) -> Result<Option<Notice>, Damage> {
        Ok(match notice {
            None => None,
            Some(NoticeRecord::Declined { offer, by }) => Some(Notice::Declined { offer, by }),
            Some(NoticeRecord::ClaimRefused { verdict }) => Some(Notice::ClaimRefused(verdict)),
            Some(NoticeRecord::TakenBack) => Some(Notice::TakenBack),
            Some(NoticeRecord::Hint) => match self.hint {
                Some(Hint::Given(mv)) => Some(Notice::Hint(mv)),
                _ => return Err(Damage::Unasked),
            },
        })
    }

    /// A rematch can be on offer only when the game is over, and no other offer can be then.
    fn check_undecided(&self) -> Result<(), Damage> {
        let is_over = self.outcome.is_some();
        if self.pending.iter().any(|pending| (pending.offer == Offer::Rematch) != is_over) {
            return Err(if is_over { Damage::Over } else { Damage::NotOver });
        }
        if is_over && (self.claim.is_some() || self.hint.is_some()) {
            return Err(Damage::Over);
        }
        if !is_over && self.rematch.is_some() {
            return Err(Damage::NotOver);
        }
        Ok(())
    }
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
