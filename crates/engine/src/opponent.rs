//! The computer as an opponent: its move at a level of play, a hint, and its answer to a draw offer.

mod handicap;

use core::time::Duration;

use crownhead_rules::{History, Move, Rng, Rulebook};

use crate::book::Book;
use crate::limits::{Limits, TimeLimit};
use crate::score::ScoreKind;
use crate::{Control, Engine, Level, PvLine, SearchResult};
use handicap::Handicap;

/// The computer as a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// Its strength.
    pub level: Level,
    /// Below the highest level, the same seed plays the same game.
    pub seed: u64,
    /// How long the highest level searches. The levels below have limits of their own, and heed only the time.
    pub limits: Limits,
    /// Does the highest level play from the opening book?
    pub book: bool,
}

impl Opponent {
    /// An opponent in a game, with the book. If `time` is `None`, the highest level gets a default time for each
    /// move.
    pub fn new(level: Level, seed: u64, time: Option<TimeLimit>) -> Opponent {
        let otherwise = (level == Level::HIGHEST).then_some(TimeLimit::Move(FULL_STRENGTH_TIME));
        let limits = Limits { time: time.or(otherwise), ..Limits::default() };
        Opponent { level, seed, limits, book: true }
    }
}

/// A move that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// The move.
    pub mv: Move,
    /// Where the move came from.
    pub source: MoveSource,
    /// The number of positions searched for it.
    pub nodes: u64,
    /// The score and the line, with the move first, after a search at the highest level. `None` for a lower level,
    /// which may have chosen a worse move on purpose.
    pub expected: Option<PvLine>,
}

impl MoveChoice {
    fn unsearched(mv: Move, source: MoveSource) -> MoveChoice {
        MoveChoice { mv, source, nodes: 0, expected: None }
    }

    fn best(found: SearchResult) -> MoveChoice {
        let (mv, nodes) = (found.best(), found.nodes);
        MoveChoice { mv, source: MoveSource::Search, nodes, expected: found.lines.into_iter().next() }
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
/// The nodes of a search for a hint or for an answer to a draw offer: enough to see what a person could.
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
        let handicap = Handicap::new(opponent.level, opponent.seed);
        // A caller that limits full strength by depth or nodes alone wants a search, not just a move.
        let is_in_game = handicap.is_some() || opponent.limits.time.is_some();
        if let [only] = *game.position().distinct_moves()
            && is_in_game
        {
            return Some(MoveChoice::unsearched(only, MoveSource::Forced));
        }
        let Some(handicap) = handicap else {
            if opponent.book && is_in_game {
                let mut rng = Rng::new(opponent.seed ^ game.position().zobrist_hash());
                if let Some(mv) = Book::embedded().pick(game.position(), &mut rng) {
                    return Some(MoveChoice::unsearched(mv, MoveSource::Book));
                }
            }
            return self.find_move(game, rulebook, &opponent.limits, control, report).map(MoveChoice::best);
        };
        let limits = Limits { time: opponent.limits.time, ..handicap.limits(game) };
        let found = self.search_reproducibly(game, rulebook, &limits, control, report)?;
        let mv = handicap.choose(game, &found, opponent.seed).moves[0];
        Some(MoveChoice { mv, source: MoveSource::Search, nodes: found.nodes, expected: None })
    }

    /// The move that the engine recommends. `None` if there is no move.
    pub fn hint(&mut self, game: &History, rulebook: &Rulebook, control: &dyn Control) -> Option<MoveChoice> {
        self.find_move(game, rulebook, &Limits::nodes(HINT_NODES), control, &mut |_| {}).map(MoveChoice::best)
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
