//! The computer as an opponent: its move at a level, a hint, and an honest answer to a draw offer.

mod person;

use core::time::Duration;

use crownhead_rules::{History, Move, Rulebook};

use crate::book::Book;
use crate::dice::Dice;
use crate::limits::{Limits, Time};
use crate::score::Verdict;
use crate::{Control, Engine, Found, Level};
use person::Person;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// How strong.
    pub level: Level,
    /// The same seed plays the same game, at every level but the highest.
    pub seed: u64,
    /// The time it has, if that is limited.
    pub time: Option<Time>,
}

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Where the move came from.
    pub source: Source,
    /// The positions that were looked at for it.
    pub nodes: u64,
}

impl Choice {
    fn found(mv: Move, found: &Found) -> Choice {
        Choice { mv, source: Source::Search, nodes: found.nodes }
    }
}

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
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
/// Thinking about a hint or a draw offer: enough to see what a person could.
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
    ) -> Option<Choice> {
        self.choose_aloud(game, rulebook, opponent, control, &mut |_| {})
    }

    /// The same, with a report after each depth for those who want to follow its thoughts. A move that is forced or
    /// comes from the book has none.
    pub fn choose_aloud(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        opponent: &Opponent,
        control: &dyn Control,
        report: &mut dyn FnMut(&Found),
    ) -> Option<Choice> {
        let moves = game.position().distinct_moves();
        if let [only] = *moves {
            return Some(Choice { mv: only, source: Source::Forced, nodes: 0 });
        }
        let Some(person) = Person::of(opponent.level, opponent.seed) else {
            let mut dice = Dice::new(opponent.seed ^ game.position().zobrist_hash());
            if let Some(mv) = Book::embedded().pick(game.position(), &mut dice) {
                return Some(Choice { mv, source: Source::Book, nodes: 0 });
            }
            let time = opponent.time.or(Some(Time::Move(FULL_STRENGTH_TIME)));
            let found =
                self.find_move(game, rulebook, &Limits { time, ..Limits::default() }, control, report)?;
            return Some(Choice::found(found.best(), &found));
        };
        let limits = Limits { time: opponent.time, ..person.limits(game) };
        let found = self.search_afresh(game, rulebook, &limits, control, report)?;
        let line = person.choose(game, &found, opponent.seed);
        Some(Choice::found(line.moves[0], &found))
    }

    /// The move that it would play in the player's place. Nothing where there is no move.
    pub fn hint(&mut self, game: &History, rulebook: &Rulebook, control: &dyn Control) -> Option<Choice> {
        let found = self.find_move(game, rulebook, &Limits::nodes(HINT_NODES), control, &mut |_| {})?;
        Some(Choice::found(found.best(), &found))
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
        match score.verdict() {
            Verdict::Loses(_) => DrawAnswer::Proven,
            Verdict::Wins(_) => DrawAnswer::StandsBetter,
            Verdict::Draw => DrawAnswer::Accepted,
            Verdict::Men(ahead) if ahead <= -GLAD_BEHIND => DrawAnswer::Accepted,
            Verdict::Men(ahead) if ahead >= PLAYS_ON_AHEAD => DrawAnswer::StandsBetter,
            Verdict::Men(_) if late => DrawAnswer::Accepted,
            Verdict::Men(_) => DrawAnswer::TooEarly,
        }
    }
}
