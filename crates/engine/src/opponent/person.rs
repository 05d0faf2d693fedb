//! How the levels below the highest choose a move: like people, who see only so far, overlook moves and are content
//! with a little less than the best.
//!
//! Everything is limited by depth and nodes and drawn from the seed and the position, so that a game comes out the same
//! on every machine, whatever was played before.

use crownhead_rules::History;

use crate::dice::Dice;
use crate::found::{Found, Line};
use crate::{Level, Limits};

/// What a level can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    /// How many plies it looks ahead, captures beyond that aside.
    depth: u32,
    /// How many positions it looks at.
    nodes: u64,
    /// How many of a hundred moves it does not even consider.
    overlooks: u64,
    /// How much worse than the best its moves are on average, in hundredths of a man.
    slack: i32,
}

/// Levels 1 to 7. Measured by `crownhead match --levels 1-8`.
const PERSONS: [Person; 7] = [
    Person { depth: 1, nodes: 1_000, overlooks: 50, slack: 110 },
    Person { depth: 2, nodes: 1_000, overlooks: 25, slack: 58 },
    Person { depth: 3, nodes: 2_000, overlooks: 13, slack: 32 },
    Person { depth: 4, nodes: 3_000, overlooks: 9, slack: 22 },
    Person { depth: 6, nodes: 6_000, overlooks: 4, slack: 12 },
    Person { depth: 8, nodes: 15_000, overlooks: 1, slack: 7 },
    Person { depth: 13, nodes: 100_000, overlooks: 0, slack: 2 },
];

/// A level that is this far behind gives nothing more away, in hundredths.
const LOSING: i32 = -80;
/// A level that is this far ahead takes care.
const WINNING: i32 = 150;
/// The most that a move may be worse when care is taken: less than a piece.
const CAREFUL_SLACK: i32 = 40;
/// Out of so many times, what the last move offered or threatened is missed once.
const SELDOM: u64 = 8;
/// In a won ending everybody looks at this many positions at least, so that it is brought home.
const ENDING_NODES: u64 = 6_000;
/// So few pieces of the opponent make it an ending.
const ENDING_PIECES: u32 = 4;
/// For so many plies everybody varies, by at least so much.
const OPENING_PLIES: usize = 8;
const OPENING_SLACK: i32 = 10;

impl Person {
    /// Nobody for the highest level, which is no person.
    pub(super) fn of(level: Level) -> Option<Person> {
        PERSONS.get(usize::from(level.number()) - 1).copied()
    }

    /// How far it looks in this position. All moves are valued, since it may take any.
    pub(super) fn limits(&self, game: &History) -> Limits {
        let far = is_won_ending(game);
        Limits {
            depth: (!far).then_some(self.depth),
            nodes: Some(if far { self.nodes.max(ENDING_NODES) } else { self.nodes }),
            time: None,
            lines: usize::MAX,
        }
    }

    /// One of the moves that were found.
    pub(super) fn choose<'a>(&self, game: &History, found: &'a Found, seed: u64) -> &'a Line {
        let position = game.position();
        let mut dice = Dice::new(seed ^ position.hash().rotate_left(game.moves().len() as u32));
        let best = found.score().hundredths();
        let pressing = position.is_capture_due() || !position.threats().is_empty();
        let alert = pressing && dice.below(SELDOM) != 0;
        let careful = alert || best <= LOSING || best >= WINNING;

        let overlooks = if careful { 0 } else { self.overlooks };
        let considered: Vec<&Line> = found.lines.iter().filter(|_| dice.below(100) >= overlooks).collect();
        let Some(top) = considered.first() else { return &found.lines[0] };

        let at_its_best = best <= LOSING || is_won_ending(game);
        let target = if at_its_best { 0 } else { self.target_loss(game, careful, &mut dice) };
        let top = top.score.hundredths();
        let miss = |line: &Line| (top - line.score.hundredths() - target).abs();
        let nearest = considered.iter().map(|line| miss(line)).min();
        let fitting: Vec<&Line> =
            considered.iter().copied().filter(|line| Some(miss(line)) == nearest).collect();
        let chosen: &&Line = dice.pick(&fitting);
        chosen
    }

    /// How much worse than the best the next move is to be: often little, seldom much.
    fn target_loss(&self, game: &History, careful: bool, dice: &mut Dice) -> i32 {
        let opening = game.moves().len() < OPENING_PLIES;
        let slack = if opening { self.slack.max(OPENING_SLACK) } else { self.slack };
        // As many halvings as coins fall the same way, and a part of the next: half as likely with every step.
        let steps = dice.roll().leading_zeros() as i32 * 1024 + dice.below(1024) as i32;
        let loss = slack * steps / 1536;
        if careful { loss.min(CAREFUL_SLACK) } else { loss }
    }
}

/// Is the side to move well ahead with few pieces against it?
fn is_won_ending(game: &History) -> bool {
    let position = game.position();
    let side = position.side_to_move();
    let worth = |side| 2 * position.men(side).len() + 3 * position.kings(side).len();
    position.pieces(!side).len() <= ENDING_PIECES && worth(side) >= worth(!side) + 2
}
