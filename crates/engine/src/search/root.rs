//! Iterative deepening from the position on the board.

use core::cmp::Reverse;
use core::sync::atomic::Ordering;

use crownhead_rules::{History, Move, Position, Rulebook};

use super::path::{Idle, Path};
use super::tuning::{ASPIRATION, ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MOST};
use super::{Node, Searched, Searcher, Shared, Stopped};
use crate::found::{Found, Line};
use crate::score::{MAX_PLY, Score, Verdict};

/// The position to think about.
pub(crate) struct Root {
    position: Position,
    pub(super) path: Path,
    idle: Idle,
    moves: Vec<Move>,
}

impl Root {
    /// Nothing if the side to move has no move.
    pub(crate) fn new(game: &History, rulebook: &Rulebook) -> Option<Root> {
        let position = *game.position();
        let moves: Vec<Move> = position.distinct_moves().to_vec();
        let (path, idle) = Path::new(game, rulebook);
        (!moves.is_empty()).then_some(Root { position, path, idle, moves })
    }
}

impl Searcher<'_> {
    /// Searches deeper and deeper until a limit is reached, and reports each depth.
    pub(crate) fn think(mut self, root: &Root, report: &mut dyn FnMut(&Found)) -> Found {
        let limits = self.shared.limits;
        let mut lines: Vec<Line> =
            root.moves.iter().map(|&mv| Line { score: -Score::INFINITE, moves: vec![mv] }).collect();
        let wanted = limits.lines.clamp(1, lines.len());
        let mut depth = 0;
        while depth < limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32) {
            let done = (0..wanted).try_for_each(|first| self.best_of(root, depth + 1, &mut lines[first..]));
            if done.is_err() {
                break;
            }
            depth += 1;
            // Scores found with less depth for some may have changed places.
            lines[..wanted].sort_by_key(|line| Reverse(line.score));
            self.count_nodes();
            report(&self.found(depth, &lines[..wanted]));
            if self.has_enough(depth, &lines, wanted) {
                break;
            }
        }
        self.count_nodes();
        self.found(depth, &lines[..wanted])
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
        let node = Node { position, alpha, beta, depth: depth as i32, ply: 0, idle };
        let mut best = -Score::INFINITE;
        for i in 0..lines.len() {
            let mv = lines[i].moves[0];
            let score = self.search_move(&node, mv, alpha, i)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(0, mv);
                lines[i] = Line { score, moves: self.lines[0].clone() };
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
        let out_of_time = shared.budget.is_some_and(|budget| {
            // A forced move needs no thought when the clock is running.
            lines.len() == 1 || shared.elapsed() >= budget.soft
        });
        let settled = lines[..wanted].iter().all(|line| match line.score.verdict() {
            Verdict::Wins(Some(plies)) | Verdict::Loses(Some(plies)) => plies <= depth,
            _ => false,
        });
        out_of_time || settled
    }

    fn found(&self, depth: u32, lines: &[Line]) -> Found {
        Found {
            lines: lines.to_vec(),
            depth,
            selective_depth: self.deepest_ply as u32,
            nodes: self.shared.nodes(),
            time: self.shared.elapsed(),
            table_hits: self.shared.table_hits.load(Ordering::Relaxed),
        }
    }
}
