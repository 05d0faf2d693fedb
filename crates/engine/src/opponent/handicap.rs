//! How the levels below the highest choose a move: like people, who see only so far, overlook moves, are content with a
//! little less than the best, and have good days and bad ones.
//!
//! Everything is limited by depth and nodes and drawn from the seed and the position, so that a game comes out the same
//! on every machine, whatever was played before.

use crownhead_rules::{History, Move, Position, Progress, Side};

use crate::dice::Dice;
use crate::score::Score;
use crate::search_result::{PvLine, SearchResult};
use crate::{Level, Limits};

/// What a level can do on an average day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    /// How many plies it looks ahead, captures beyond that aside.
    depth: u32,
    /// How many positions it looks at.
    nodes: u64,
    /// Among how many of the best moves it chooses.
    width: usize,
    /// How many of a thousand moves it does not even consider.
    overlooks: u64,
    /// How much worse than the best its moves are on average, in thousandths of a man.
    slack: i64,
    /// How often out of a hundred times it misses what the last move offered or threatened.
    misses: u64,
    /// So many pieces behind it knows that it is losing, and gives no more away.
    losing: i32,
}

/// Levels 1 to 7. Measured by `crownhead match --levels 1-8`.
const HANDICAPS: [Handicap; 7] = [
    Handicap { depth: 1, nodes: 1_000, width: ALL, overlooks: 1_400, slack: 12_000, misses: 22, losing: 5 },
    Handicap { depth: 2, nodes: 1_000, width: ALL, overlooks: 270, slack: 1_000, misses: 15, losing: 2 },
    Handicap { depth: 3, nodes: 2_000, width: ALL, overlooks: 64, slack: 250, misses: 10, losing: 2 },
    Handicap { depth: 5, nodes: 4_000, width: ALL, overlooks: 26, slack: 100, misses: 8, losing: 1 },
    Handicap { depth: 8, nodes: 14_000, width: ALL, overlooks: 8, slack: 45, misses: 5, losing: 1 },
    Handicap { depth: 10, nodes: 60_000, width: 5, overlooks: 4, slack: 38, misses: 4, losing: 1 },
    Handicap { depth: 21, nodes: 500_000, width: 3, overlooks: 1, slack: 18, misses: 2, losing: 1 },
];
const ALL: usize = usize::MAX;

/// What a level overlooks and gives away on its different days, in hundredths of what it does on an average one; on bad
/// days it looks at fewer positions, too.
const FORM_PERCENT: [u64; 8] = [13, 22, 37, 62, 103, 170, 285, 475];
/// Nobody overlooks more than this on any day, out of a thousand.
const MAX_OVERLOOKED: u64 = 800;

/// A level that is this far behind gives nothing more away, in hundredths.
const LOSING: i32 = -150;
/// A level that is this far ahead takes care.
const WINNING: i32 = 150;
/// The most that a move may be worse when care is taken: less than a piece.
const CAREFUL_SLACK: i32 = 40;
/// In a won ending everybody looks at this many positions at least, so that it is brought home.
const ENDING_NODES: u64 = 6_000;
/// So few pieces of the opponent make it an ending.
const ENDING_PIECES: u32 = 4;
/// With so many pieces on the board everybody varies, by at least so much.
const OPENING_PIECES: u32 = 24;
const OPENING_SLACK: i64 = 100;

impl Handicap {
    /// Nobody for the highest level, which is no handicap. The seed of a game says what day it is.
    pub(super) fn new(level: Level, seed: u64) -> Option<Handicap> {
        let average = HANDICAPS.get(usize::from(level.number()) - 1)?;
        let form = *Dice::new(seed).pick(&FORM_PERCENT);
        Some(Handicap {
            overlooks: (average.overlooks * form / 100).min(MAX_OVERLOOKED),
            slack: average.slack * form as i64 / 100,
            // Good days do not make it slower.
            nodes: average.nodes * 100 / form.max(100),
            ..*average
        })
    }

    /// How far it looks in this position, and how widely.
    pub(super) fn limits(&self, game: &History) -> Limits {
        if is_won_ending(game) {
            return Limits::nodes(self.nodes.max(ENDING_NODES));
        }
        Limits { depth: Some(self.depth), ..Limits::nodes(self.nodes) }.with_multi_pv(self.width)
    }

    /// One of the moves that were found.
    pub(super) fn choose<'a>(&self, game: &History, found: &'a SearchResult, seed: u64) -> &'a PvLine {
        if is_won_ending(game) {
            return &found.lines[0];
        }
        let best = found.score().hundredths();
        let position = game.position();
        // Whoever comes to a position again may think otherwise.
        let idle = game.plies_since(Progress::CaptureOrManMove) as u32;
        let mut dice = Dice::new(seed ^ position.hash().rotate_left(idle));
        let pressing = position.is_capture_due() || !position.threats().is_empty();
        let alert = pressing && dice.below(100) >= self.misses;
        let careful = alert || best >= WINNING;

        let losing = best <= LOSING || lead(position, position.side_to_move()) <= -self.losing;
        let safe = |line: &&PvLine| !losing || is_safe(position, line, found.score());
        let mut lines: Vec<&PvLine> = found.lines.iter().filter(safe).collect();
        if lines.is_empty() {
            lines.extend(&found.lines);
        }
        let overlooks = if careful { 0 } else { self.overlooks };
        let considered: Vec<&PvLine> =
            lines.iter().copied().filter(|_| dice.below(1_000) >= overlooks).collect();
        // Who overlooks all of them plays any.
        let Some(top) = considered.first() else { return dice.pick::<&PvLine>(&lines) };

        let target = self.target_loss(position, &mut dice);
        let top = top.score.hundredths();
        let miss = |line: &PvLine| (top - line.score.hundredths() - target).abs();
        let most = if careful { CAREFUL_SLACK } else { i32::MAX };
        let passable = || considered.iter().copied().filter(|line| top - line.score.hundredths() <= most);
        let nearest = passable().map(miss).min();
        let fitting: Vec<&PvLine> = passable().filter(|line| Some(miss(line)) == nearest).collect();
        let chosen: &&PvLine = dice.pick(&fitting);
        chosen
    }

    /// How much worse than the best the next move is to be: often little, seldom much.
    fn target_loss(&self, position: &Position, dice: &mut Dice) -> i32 {
        let opening = position.occupied().len() >= OPENING_PIECES;
        let slack = if opening { self.slack.max(OPENING_SLACK) } else { self.slack };
        // As many halvings as coins fall the same way, and a part of the next: half as likely with every step.
        let steps = i64::from(dice.roll().leading_zeros()) * 1024 + dice.below(1024) as i64;
        (slack * steps / 15_360) as i32
    }
}

/// Does a line give no piece away? One that is given at once may come back later, but only in the best line is that worth
/// the risk. Pieces are counted, since to the evaluation one more or less hardly matters to who is far behind.
fn is_safe(position: &Position, line: &PvLine, best: Score) -> bool {
    let captures = line.moves[1..].iter().take_while(|mv| mv.is_capture()).count();
    let comes_back = line.score == best && !loses(position, &line.moves);
    comes_back || !loses(position, &line.moves[..=captures])
}

/// Do these moves cost the side to move a piece?
fn loses(position: &Position, moves: &[Move]) -> bool {
    let side = position.side_to_move();
    let after = moves.iter().fold(*position, |position, &mv| position.after(mv));
    lead(&after, side) < lead(position, side)
}

/// How many pieces a side has more than the other.
fn lead(position: &Position, side: Side) -> i32 {
    position.pieces(side).len() as i32 - position.pieces(!side).len() as i32
}

/// Is the side to move well ahead with few pieces against it?
fn is_won_ending(game: &History) -> bool {
    let position = game.position();
    let side = position.side_to_move();
    let worth = |side| 2 * position.men(side).len() + 3 * position.kings(side).len();
    position.pieces(!side).len() <= ENDING_PIECES && worth(side) >= worth(!side) + 2
}
