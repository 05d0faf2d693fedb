//! The computer as an opponent: its move at a level, a hint, and an honest answer to a draw offer.

mod handicap;

use core::time::Duration;

use crownhead_rules::{History, Move, Rulebook};

use crate::book::Book;
use crate::dice::Dice;
use crate::limits::{Limits, TimeLimit};
use crate::score::ScoreKind;
use crate::{Control, Engine, Level, SearchResult};
use handicap::Handicap;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// How strong.
    pub level: Level,
    /// The same seed plays the same game, at every level but the highest.
    pub seed: u64,
    /// The time it has, if that is limited.
    pub time: Option<TimeLimit>,
}

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// The move.
    pub mv: Move,
    /// Where the move came from.
    pub source: MoveSource,
    /// The positions that were looked at for it.
    pub nodes: u64,
}

impl MoveChoice {
    fn found(mv: Move, found: &SearchResult) -> MoveChoice {
        MoveChoice { mv, source: MoveSource::Search, nodes: found.nodes }
    }
}

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSource {
    /// There was no other.
    Forced,
    /// The opening book.
    Book,
    /// Thinking.
    Search,
}

/// The computer's answer to a draw offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawAnswer {
    /// Accepts: it sees that it loses by force.
    Proven,
    /// Accepts: it does not expect more than a draw.
    Accepted,
    /// Declines: it thinks that it stands better.
    StandsBetter,
    /// Declines: the game is level but far from over.
    TooEarly,
}

impl DrawAnswer {
    /// Is the game drawn?
    pub const fn accepts(self) -> bool {
        matches!(self, DrawAnswer::Proven | DrawAnswer::Accepted)
    }
}

/// What the highest level thinks at most, without a clock.
const FULL_STRENGTH_TIME: Duration = Duration::from_secs(2);
/// Thinking about a hint or a draw offer: enough to see what a handicap could.
const HINT_NODES: u64 = 400_000;
/// Who is this many hundredths of a man ahead plays on.
const PLAYS_ON_AHEAD: i32 = 15;
/// Who is this many hundredths behind takes a draw at any time.
const GLAD_BEHIND: i32 = 25;
/// With this many pieces or fewer on the board, a level game may end.
const LATE_PIECES: u32 = 10;

impl Engine {
    /// The move that an opponent plays. Nothing where there is no move.
    pub fn choose(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        opponent: &Opponent,
        control: &dyn Control,
    ) -> Option<MoveChoice> {
        self.choose_with_report(game, rulebook, opponent, control, &mut |_| {})
    }

    /// The same, with a report after each depth for those who want to follow its thoughts. A move that is forced or
    /// comes from the book has none.
    pub fn choose_with_report(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        opponent: &Opponent,
        control: &dyn Control,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<MoveChoice> {
        let moves = game.position().distinct_moves();
        if let [only] = *moves {
            return Some(MoveChoice { mv: only, source: MoveSource::Forced, nodes: 0 });
        }
        let Some(handicap) = Handicap::new(opponent.level, opponent.seed) else {
            let mut dice = Dice::new(opponent.seed ^ game.position().hash());
            if let Some(mv) = Book::embedded().pick(game.position(), &mut dice) {
                return Some(MoveChoice { mv, source: MoveSource::Book, nodes: 0 });
            }
            let time = opponent.time.or(Some(TimeLimit::Move(FULL_STRENGTH_TIME)));
            let found =
                self.find_move(game, rulebook, &Limits { time, ..Limits::default() }, control, report)?;
            return Some(MoveChoice::found(found.best(), &found));
        };
        let limits = Limits { time: opponent.time, ..handicap.limits(game) };
        let found = self.search_reproducibly(game, rulebook, &limits, control, report)?;
        let line = handicap.choose(game, &found, opponent.seed);
        Some(MoveChoice::found(line.moves[0], &found))
    }

    /// The move that it would play in the player's place. Nothing where there is no move.
    pub fn hint(&mut self, game: &History, rulebook: &Rulebook, control: &dyn Control) -> Option<MoveChoice> {
        let found = self.find_move(game, rulebook, &Limits::nodes(HINT_NODES), control, &mut |_| {})?;
        Some(MoveChoice::found(found.best(), &found))
    }

    /// What it says to a draw offer of its opponent. `game` may have either side to move; `offered_to_mover` tells
    /// whether the side to move is the one that was asked.
    pub fn answer_draw_offer(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        offered_to_mover: bool,
        control: &dyn Control,
    ) -> DrawAnswer {
        let Some(found) = self.search(game, rulebook, &Limits::nodes(HINT_NODES), control, &mut |_| {})
        else {
            return DrawAnswer::StandsBetter;
        };
        let score = if offered_to_mover { found.score() } else { -found.score() };
        let late = game.position().occupied().len() <= LATE_PIECES;
        match score.kind() {
            ScoreKind::Loses(_) => DrawAnswer::Proven,
            ScoreKind::Wins(_) => DrawAnswer::StandsBetter,
            ScoreKind::Draw => DrawAnswer::Accepted,
            ScoreKind::Men(ahead) if ahead <= -GLAD_BEHIND => DrawAnswer::Accepted,
            ScoreKind::Men(ahead) if ahead >= PLAYS_ON_AHEAD => DrawAnswer::StandsBetter,
            ScoreKind::Men(_) if late => DrawAnswer::Accepted,
            ScoreKind::Men(_) => DrawAnswer::TooEarly,
        }
    }
}
