//! Iterative deepening from the position on the board.

use core::cmp::Reverse;
use core::sync::atomic::Ordering;

use crownhead_rules::{History, Move, Position, Rulebook, Side};

use super::path::{Idle, Path};
use super::tuning::{ASPIRATION, ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MOST};
use super::{Node, Searched, Searcher, Shared, Stopped};
use crate::dice::Dice;
use crate::found::{Found, Line};
use crate::limits::Time;
use crate::probe::{Known, Probe};
use crate::score::{MAX_PLY, Score, Verdict};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To tell the truth by the rule book.
    Analysis,
    /// To get on with a game: going back to what has been on the board is worth no more than a draw.
    Play,
}

/// The position to think about.
pub(crate) struct Root {
    position: Position,
    pub(super) path: Path,
    idle: Idle,
    /// The moves to search.
    moves: Vec<Move>,
    /// The moves that the tables prove to be worse, the better ones first.
    worse: Vec<Line>,
    /// What the tables say, if they do not say how to get there.
    pub(super) promise: Option<Promise>,
    /// Is nobody to go back to what has been on the board?
    forwards_only: bool,
}

/// Sets what is found where nobody is to go back apart in the hash table.
const FORWARDS_SALT: u64 = 0xbb67_ae85_84ca_a73b;

/// The value of a position in the tables without a distance. Asking them about the positions after it would tell the
/// same again and again, so the search has to find a way of its own among as many pieces, and only among the moves
/// that keep the promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    /// Nobody in a draw.
    winner: Option<Side>,
    /// The pieces on the board.
    pieces: u32,
}

impl Promise {
    fn new(known: Known, side: Side, pieces: u32) -> Promise {
        let winner = match known {
            Known::Win(_) => Some(side),
            Known::Loss(_) => Some(!side),
            Known::Draw => None,
        };
        Promise { winner, pieces }
    }

    /// Is there no news in what the tables say about a position below the root? It would be if somebody has erred, or if
    /// they know the distance.
    pub(super) fn covers(self, pieces: u32, side: Side, known: Known) -> bool {
        known.is_distant() && self == Promise::new(known, side, pieces)
    }

    /// A word of its own for each promise.
    pub(super) fn salt(self) -> u64 {
        let winner = self.winner.map_or(2, Side::index) as u64;
        Dice::new(u64::from(self.pieces) << 2 | winner).roll()
    }

    /// What a draw is worth to a side: to who is promised a win it is the worst that can happen, worse than standing badly
    /// on the way.
    pub(super) fn drawn(self, side: Side) -> Score {
        match self.winner {
            None => Score::DRAW,
            Some(winner) if winner == side => Score::men(i32::MIN),
            Some(_) => Score::men(i32::MAX),
        }
    }

    /// What a line of a side is worth, given the promise. The end may have been found, or stay out of sight.
    fn applied(self, side: Side, line: &Line) -> Line {
        let win = Score::table_win(0);
        let score = match self.winner {
            None => Score::DRAW,
            Some(winner) if winner == side => line.score.max(win),
            Some(_) => line.score.min(-win),
        };
        Line { score, moves: line.moves.clone() }
    }
}

impl Root {
    /// Nothing if the side to move has no move.
    pub(crate) fn new(
        game: &History,
        rulebook: &Rulebook,
        purpose: Purpose,
        tables: Option<&dyn Probe>,
    ) -> Option<Root> {
        let position = *game.position();
        let mut moves: Vec<Move> = position.distinct_moves().to_vec();
        let mut worse = Vec::new();
        let pieces = position.occupied().len();
        let promise = tables.filter(|tables| pieces <= tables.most_pieces()).and_then(|tables| {
            let known = tables.probe(&position).filter(|known| known.is_distant())?;
            (moves, worse) = keep(known, &position, &moves, tables);
            Some(Promise::new(known, position.side_to_move(), pieces))
        });
        // What is promised is certain, and only the way is looked for.
        let forwards_only = purpose == Purpose::Play || promise.is_some();
        let (path, idle) = Path::new(game, rulebook, forwards_only);
        (!moves.is_empty()).then_some(Root { position, path, idle, moves, worse, promise, forwards_only })
    }

    /// A word of its own for each way of valuing positions: an analysis and a player do not mean the same by a draw, nor
    /// does who has been promised something.
    pub(super) fn salt(&self) -> u64 {
        let promised = self.promise.map_or(0, Promise::salt);
        if self.forwards_only { promised ^ FORWARDS_SALT } else { promised }
    }
}

/// Parts the moves that keep a value from those that are worse.
fn keep(known: Known, position: &Position, moves: &[Move], tables: &dyn Probe) -> (Vec<Move>, Vec<Line>) {
    let value = |mv| tables.probe(&position.play_unchecked(mv)).map_or(Score::DRAW, |known| -known.score(1));
    let lines = moves.iter().map(|&mv| Line { score: value(mv), moves: vec![mv] });
    let sign = |score: Score| score.hundredths().signum();
    let (kept, mut worse): (Vec<Line>, Vec<Line>) =
        lines.partition(|line| sign(line.score) == sign(known.score(0)));
    worse.sort_by_key(|line| Reverse(line.score));
    (kept.iter().map(|line| line.moves[0]).collect(), worse)
}

impl Searcher<'_> {
    /// Searches deeper and deeper until a limit is reached, and reports each depth.
    pub(crate) fn think(mut self, root: &Root, report: &mut dyn FnMut(&Found)) -> Found {
        let limits = self.shared.limits;
        let mut lines: Vec<Line> =
            root.moves.iter().map(|&mv| Line { score: -Score::INFINITE, moves: vec![mv] }).collect();
        let wanted = limits.lines.clamp(1, lines.len());
        // Scores of different depths cannot be compared, so of several lines those of the last whole depth count.
        let mut whole = None;
        let mut depth = 0;
        while depth < limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32) {
            let done = (0..wanted).try_for_each(|first| self.best_of(root, depth + 1, &mut lines[first..]));
            if done.is_err() {
                lines = whole.filter(|_| wanted > 1).unwrap_or(lines);
                break;
            }
            depth += 1;
            // A line that is searched after another one may still come out above it.
            lines[..wanted].sort_by_key(|line| Reverse(line.score));
            whole = Some(lines.clone());
            self.count_nodes();
            report(&self.found(root, depth, &lines[..wanted]));
            if self.leads && self.has_enough(depth, &lines, wanted) {
                break;
            }
        }
        self.count_nodes();
        self.found(root, depth, &lines[..wanted])
    }

    /// Finds the best of some root moves and puts it in front. The first guess is that it is worth what the depth
    /// before said, more or less; a window that turns out too narrow is opened on that side.
    fn best_of(&mut self, root: &Root, depth: u32, lines: &mut [Line]) -> Result<(), Stopped> {
        let guess = lines[0].score;
        let (mut below, mut above) = (ASPIRATION, ASPIRATION);
        loop {
            let wide = depth <= ASPIRATION_DEPTH || guess.is_decided();
            let open = |margin| wide || margin > ASPIRATION_MOST;
            let alpha = if open(below) { -Score::INFINITE } else { guess - below };
            let beta = if open(above) { Score::INFINITE } else { guess + above };
            let score = self.best_within(root, depth, lines, alpha, beta)?;
            if score <= alpha {
                below *= ASPIRATION_GROWTH;
            } else if score >= beta {
                above *= ASPIRATION_GROWTH;
            } else {
                return Ok(());
            }
        }
    }

    /// As [`best_of`](Searcher::best_of), within a window.
    fn best_within(
        &mut self,
        root: &Root,
        depth: u32,
        lines: &mut [Line],
        mut alpha: Score,
        beta: Score,
    ) -> Searched {
        let Root { position, idle, .. } = *root;
        let depth = depth as i32;
        let node = Node { position, alpha, beta, depth, ply: 0, idle, after_capture: false, without: None };
        let mut best = -Score::INFINITE;
        for i in 0..lines.len() {
            let mv = lines[i].moves[0];
            let score = self.search_move(&node, mv, alpha, i)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(0, mv);
                lines[i].score = score;
                // Above the window nobody looks for the whole line, so that one from a depth before may be longer.
                if score < beta || self.lines[0].len() > lines[i].moves.len() {
                    lines[i].moves.clone_from(&self.lines[0]);
                }
                // The best so far leads, so that a search that is broken off keeps it.
                lines[..=i].rotate_right(1);
                if score >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Would another depth be in vain?
    fn has_enough(&self, depth: u32, lines: &[Line], wanted: usize) -> bool {
        let shared: &Shared = self.shared;
        let out_of_time = shared.budget.is_some_and(|budget| shared.elapsed() >= budget.soft);
        // A forced move needs no thought when that saves time for later ones.
        let forced = lines.len() == 1 && matches!(shared.limits.time, Some(Time::Clock(_)));
        let settled = lines[..wanted].iter().all(|line| match line.score.verdict() {
            Verdict::Wins(Some(plies)) | Verdict::Loses(Some(plies)) => plies <= depth,
            _ => false,
        });
        out_of_time || forced || settled
    }

    fn found(&self, root: &Root, depth: u32, lines: &[Line]) -> Found {
        let wanted = self.shared.limits.lines.max(1);
        let mut searched: Vec<&Line> = lines.iter().filter(|line| line.score > -Score::INFINITE).collect();
        // A search that is broken off at once has looked at no move, and still names one.
        let untried = Line { score: Score::men(0), moves: vec![root.moves[0]] };
        if searched.is_empty() {
            searched.push(&untried);
        }
        let searched = searched.into_iter().map(|line| match root.promise {
            Some(promise) => promise.applied(root.position.side_to_move(), line),
            None => line.clone(),
        });
        Found {
            lines: searched.chain(root.worse.iter().cloned()).take(wanted).collect(),
            depth,
            selective_depth: self.deepest_ply as u32,
            nodes: self.shared.nodes(),
            time: self.shared.elapsed(),
            table_hits: self.shared.table_hits.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_tablebase::Tablebase;

    #[test]
    fn what_means_something_else_is_kept_apart() {
        let tables = Tablebase::embedded().with_distances_up_to(3);
        let salt = |purpose, fen: &str| {
            let game = History::new(fen.parse().unwrap());
            Root::new(&game, &Rulebook::default(), purpose, Some(&tables)).unwrap().salt()
        };
        let [level, won, lost] = ["B:W21-32:B1-12", "W:WK32,K31,K30:BK1", "B:WK32,K31,K30:BK1"];
        let salts = [
            salt(Purpose::Analysis, level),
            salt(Purpose::Play, level),
            salt(Purpose::Play, won),
            salt(Purpose::Play, "W:WK32,K31:BK1,K2"),
        ];
        for (place, one) in salts.iter().enumerate() {
            assert!(!salts[..place].contains(one), "{place}");
        }
        assert_eq!(salt(Purpose::Play, won), salt(Purpose::Play, lost), "the same promise");
    }
}
