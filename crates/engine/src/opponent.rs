//! The computer as an opponent: its move at a level of play, a hint, and its answer to a draw offer.

mod handicap;

use core::time::Duration;

use crownhead_rules::{History, Move, Rulebook};

use crate::book::Book;
use crate::dice::Dice;
use crate::limits::{Limits, TimeLimit};
use crate::score::ScoreKind;
use crate::{Control, Engine, Level, SearchResult};
use handicap::Handicap;

/// The computer as a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// Its strength.
    pub level: Level,
    /// Below the highest level, the same seed plays the same game.
    pub seed: u64,
    /// Its time limit, if any.
    pub time: Option<TimeLimit>,
}

/// The move that the computer chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// The move.
    pub mv: Move,
    /// Where the move came from.
    pub source: MoveSource,
    /// The number of positions searched for it.
    pub nodes: u64,
}

impl MoveChoice {
    fn searched(mv: Move, result: &SearchResult) -> MoveChoice {
        MoveChoice { mv, source: MoveSource::Search, nodes: result.nodes }
    }
}

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSource {
    /// It was the only legal move.
    Forced,
    /// The opening book.
    Book,
    /// A search.
    Search,
}

/// The computer's answer to a draw offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawAnswer {
    /// Accepts: it sees a forced loss.
    Proven,
    /// Accepts: it does not expect more than a draw.
    Accepted,
    /// Declines: it considers its position better.
    StandsBetter,
    /// Declines: the game is level but far from over.
    TooEarly,
}

impl DrawAnswer {
    /// Does the computer accept?
    pub const fn accepts(self) -> bool {
        matches!(self, DrawAnswer::Proven | DrawAnswer::Accepted)
    }
}

/// The longest search of the highest level without a clock.
const FULL_STRENGTH_TIME: Duration = Duration::from_secs(2);
/// The search for a hint or an answer to a draw offer: deep enough to see what a person could.
const HINT_NODES: u64 = 400_000;
/// Ahead by this many hundredths of a man, the computer declines a draw.
const DECLINES_AHEAD: i32 = 15;
/// Behind by this many hundredths, it accepts a draw at any time.
const ACCEPTS_BEHIND: i32 = 25;
/// With this many pieces or fewer on the board, it accepts a draw in a level game.
const LATE_PIECES: u32 = 10;

impl Engine {
    /// The move that an opponent plays. `None` if there is no move.
    pub fn choose(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        opponent: &Opponent,
        control: &dyn Control,
    ) -> Option<MoveChoice> {
        self.choose_with_report(game, rulebook, opponent, control, &mut |_| {})
    }

    /// The same, with a report after each depth of the search. A forced move and a book move have no reports.
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
            let mut dice = Dice::new(opponent.seed ^ game.position().zobrist_hash());
            if let Some(mv) = Book::embedded().pick(game.position(), &mut dice) {
                return Some(MoveChoice { mv, source: MoveSource::Book, nodes: 0 });
            }
            let time = opponent.time.or(Some(TimeLimit::Move(FULL_STRENGTH_TIME)));
            let result =
                self.find_move(game, rulebook, &Limits { time, ..Limits::default() }, control, report)?;
            return Some(MoveChoice::searched(result.best(), &result));
        };
        let limits = Limits { time: opponent.time, ..handicap.limits(game) };
        let result = self.search_reproducibly(game, rulebook, &limits, control, report)?;
        let line = handicap.choose(game, &result, opponent.seed);
        Some(MoveChoice::searched(line.moves[0], &result))
    }

    /// The move that the engine recommends. `None` if there is no move.
    pub fn hint(&mut self, game: &History, rulebook: &Rulebook, control: &dyn Control) -> Option<MoveChoice> {
        let result = self.find_move(game, rulebook, &Limits::nodes(HINT_NODES), control, &mut |_| {})?;
        Some(MoveChoice::searched(result.best(), &result))
    }

    /// The answer to a draw offer by the opponent. `game` may have either side to move; `offered_to_mover` says whether
    /// the offer goes to the side to move.
    pub fn answer_draw_offer(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        offered_to_mover: bool,
        control: &dyn Control,
    ) -> DrawAnswer {
        let Some(result) = self.search(game, rulebook, &Limits::nodes(HINT_NODES), control, &mut |_| {})
        else {
            return DrawAnswer::StandsBetter;
        };
        let score = if offered_to_mover { result.score() } else { -result.score() };
        let late = game.position().occupied().len() <= LATE_PIECES;
        match score.kind() {
            ScoreKind::Loses(_) => DrawAnswer::Proven,
            ScoreKind::Wins(_) => DrawAnswer::StandsBetter,
            ScoreKind::Draw => DrawAnswer::Accepted,
            ScoreKind::Men(ahead) if ahead <= -ACCEPTS_BEHIND => DrawAnswer::Accepted,
            ScoreKind::Men(ahead) if ahead >= DECLINES_AHEAD => DrawAnswer::StandsBetter,
            ScoreKind::Men(_) if late => DrawAnswer::Accepted,
            ScoreKind::Men(_) => DrawAnswer::TooEarly,
        }
    }
}
