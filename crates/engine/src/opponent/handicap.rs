//! The handicap of the levels below the highest: a shallow search that makes mistakes like those of people.
//!
//! A level overlooks moves and accepts slightly worse ones, with good days and bad days.
//!
//! Searches are limited by depth and nodes, and every random choice derives from the seed and the position, so a game
//! is the same on every machine, whatever was played before.

use crownhead_rules::{History, Move, Position, Progress, Rng, Side};

use crate::score::Score;
use crate::search_result::{PvLine, SearchResult};
use crate::{Level, Limits};

/// How a level plays, in average form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    /// The search depth in plies; quiescence goes further.
    depth: u32,
    /// The number of positions it searches.
    nodes: u64,
    /// The number of best moves among which it chooses (multi-PV).
    multi_pv: usize,
    /// The number of moves, out of a thousand, that it does not consider.
    overlooks: u64,
    /// The average loss against the best move, in thousandths of a man.
    slack: i64,
    /// The percentage of times that it misses a capture or a threat on the board.
    misses: u64,
    /// Behind by this many pieces, it considers itself lost and gives away no more.
    losing: i32,
}

/// Levels 1 to 7, measured by `crownhead match --levels 1-8`.
const HANDICAPS: [Handicap; 7] = [
    Handicap {
        depth: 1,
        nodes: 1_000,
        multi_pv: ALL,
        overlooks: 1_400,
        slack: 12_000,
        misses: 22,
        losing: 5,
    },
    Handicap { depth: 2, nodes: 1_000, multi_pv: ALL, overlooks: 270, slack: 1_000, misses: 15, losing: 2 },
    Handicap { depth: 3, nodes: 2_000, multi_pv: ALL, overlooks: 64, slack: 250, misses: 10, losing: 2 },
    Handicap { depth: 5, nodes: 4_000, multi_pv: ALL, overlooks: 26, slack: 100, misses: 8, losing: 1 },
    Handicap { depth: 8, nodes: 14_000, multi_pv: ALL, overlooks: 8, slack: 45, misses: 5, losing: 1 },
    Handicap { depth: 10, nodes: 60_000, multi_pv: 5, overlooks: 4, slack: 38, misses: 4, losing: 1 },
    Handicap { depth: 21, nodes: 500_000, multi_pv: 3, overlooks: 1, slack: 18, misses: 2, losing: 1 },
];
const ALL: usize = usize::MAX;

/// The form of a game, drawn from its seed: how much a level overlooks and gives away, in percent of its average. In
/// bad form it also searches fewer positions.
const FORM_PERCENT: [u64; 8] = [13, 22, 37, 62, 103, 170, 285, 475];
/// The most moves, out of a thousand, that a level overlooks in any form.
const MAX_OVERLOOKED: u64 = 800;

/// At or below this score, in hundredths, a level gives away no more pieces.
const LOSING: i32 = -150;
/// At or above this score, in hundredths, a level plays carefully.
const WINNING: i32 = 150;
/// The largest loss of a careful move, in hundredths: less than a piece.
const CAREFUL_SLACK: i32 = 40;
/// In a won ending every level searches at least this many positions, so that it converts the win.
const ENDING_NODES: u64 = 6_000;
/// The opponent has at most this many pieces in such an ending.
const ENDING_PIECES: u32 = 4;
/// With this many pieces on the board
const OPENING_PIECES: u32 = 24;
/// every level varies its moves by at least this much, in thousandths of a man.
const OPENING_SLACK: i64 = 100;

impl Handicap {
    /// The handicap of a level in the form that the seed of the game gives it. `None` for the highest level.
    pub(super) fn new(level: Level, seed: u64) -> Option<Handicap> {
        let average = HANDICAPS.get(usize::from(level.number()) - 1)?;
        let form = *Rng::new(seed).pick(&FORM_PERCENT);
        Some(Handicap {
            overlooks: (average.overlooks * form / 100).min(MAX_OVERLOOKED),
            slack: average.slack * form as i64 / 100,
            // Good form does not make it slower.
            nodes: average.nodes * 100 / form.max(100),
            ..*average
        })
    }

    /// The limits of its search in this position.
    pub(super) fn limits(&self, game: &History) -> Limits {
        if is_won_ending(game) {
            return Limits::nodes(self.nodes.max(ENDING_NODES));
        }
        Limits { depth: Some(self.depth), ..Limits::nodes(self.nodes) }.with_multi_pv(self.multi_pv)
    }

    /// One of the lines of the search result.
    pub(super) fn choose<'a>(&self, game: &History, result: &'a SearchResult, seed: u64) -> &'a PvLine {
        if is_won_ending(game) {
            return &result.lines[0];
        }
        let best = result.score().hundredths();
        let position = game.position();
        // The count varies the seed, so that a repeated position may get another move.
        let quiet_plies = game.plies_since(Progress::CaptureOrManMove) as u32;
        let mut rng = Rng::new(seed ^ position.zobrist_hash().rotate_left(quiet_plies));
        let pressing = position.is_capture_due() || !position.threats().is_empty();
        let alert = pressing && rng.below(100) >= self.misses;
        let careful = alert || best >= WINNING;

        let losing = best <= LOSING || lead(position, position.side_to_move()) <= -self.losing;
        let safe = |line: &&PvLine| !losing || is_safe(position, line, result.score());
        let mut lines: Vec<&PvLine> = result.lines.iter().filter(safe).collect();
        if lines.is_empty() {
            lines.extend(&result.lines);
        }
        let overlooks = if careful { 0 } else { self.overlooks };
        let considered: Vec<&PvLine> =
            lines.iter().copied().filter(|_| rng.below(1_000) >= overlooks).collect();
        // If it overlooks all of them, it plays any move.
        let Some(top) = considered.first() else { return rng.pick::<&PvLine>(&lines) };

        let target = self.target_loss(position, &mut rng);
        let top = top.score.hundredths();
        let miss = |line: &PvLine| (top - line.score.hundredths() - target).abs();
        let most = if careful { CAREFUL_SLACK } else { i32::MAX };
        let passable = || considered.iter().copied().filter(|line| top - line.score.hundredths() <= most);
        let nearest = passable().map(miss).min();
        let fitting: Vec<&PvLine> = passable().filter(|line| Some(miss(line)) == nearest).collect();
        let chosen: &&PvLine = rng.pick(&fitting);
        chosen
    }

    /// The target loss of the next move against the best one, in hundredths: often small, seldom large.
    fn target_loss(&self, position: &Position, rng: &mut Rng) -> i32 {
        let opening = position.occupied().len() >= OPENING_PIECES;
        let slack = if opening { self.slack.max(OPENING_SLACK) } else { self.slack };
        // Leading zero bits are geometrically distributed: each further step is half as likely.
        let steps = i64::from(rng.next_u64().leading_zeros()) * 1024 + rng.below(1024) as i64;
        (slack * steps / 15_360) as i32
    }
}

/// Does a line lose no piece? A piece given at once may be regained later, but only the best line is worth that risk.
/// Pieces are counted, because the evaluation of a side that is far behind hardly depends on one more or less.
fn is_safe(position: &Position, line: &PvLine, best: Score) -> bool {
    let captures = line.moves[1..].iter().take_while(|mv| mv.is_capture()).count();
    let regains = line.score == best && !loses(position, &line.moves);
    regains || !loses(position, &line.moves[..=captures])
}

/// Do these moves cost the side to move a piece?
fn loses(position: &Position, moves: &[Move]) -> bool {
    let side = position.side_to_move();
    let after = moves.iter().fold(*position, |position, &mv| position.play_unchecked(mv));
    lead(&after, side) < lead(position, side)
}

/// The lead of a side in pieces.
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
