//! Iterative deepening with aspiration windows, and the search of the root moves, one PV line at a time (multi-PV).

use core::cmp::Reverse;
use core::sync::atomic::Ordering;

use super::root::Root;
use super::tuning::{ASPIRATION, ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MAX};
use super::{Node, Searcher, SharedState, Stopped};
use crate::limits::TimeLimit;
use crate::score::{MAX_PLY, Score, ScoreKind};
use crate::search_result::{PvLine, SearchResult};

impl Searcher<'_> {
    /// Searches one ply deeper at a time until a limit is reached, and reports each depth.
    pub(crate) fn iterative_deepening(
        mut self,
        root: &Root,
        report: &mut dyn FnMut(&SearchResult),
    ) -> SearchResult {
        let limits = self.shared.limits;
        let mut lines: Vec<PvLine> =
            root.moves.iter().map(|&mv| PvLine { score: -Score::INFINITE, moves: vec![mv] }).collect();
        let wanted = limits.multi_pv.clamp(1, lines.len());
        // Scores of different depths cannot be compared, so with multi-PV the last complete depth counts.
        let mut complete = None;
        let mut depth = 0;
        while depth < limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32) {
            let done = (0..wanted)
                .try_for_each(|first| self.aspiration_search(root, depth + 1, &mut lines[first..]));
            if done.is_err() {
                lines = complete.filter(|_| wanted > 1).unwrap_or(lines);
                break;
            }
            depth += 1;
            // A line searched later may still score higher.
            lines[..wanted].sort_by_key(|line| Reverse(line.score));
            complete = Some(lines.clone());
            self.count_nodes();
            report(&self.result(root, depth, &lines[..wanted]));
            if self.is_main_thread && self.can_stop(depth, &lines, wanted) {
                break;
            }
        }
        self.count_nodes();
        self.result(root, depth, &lines[..wanted])
    }

    /// Finds the best of these root moves and moves it to the front. The aspiration window lies around the score of
    /// the last depth, and widens after a fail high or a fail low.
    fn aspiration_search(&mut self, root: &Root, depth: u32, lines: &mut [PvLine]) -> Result<(), Stopped> {
        let guess = lines[0].score;
        let (mut below, mut above) = (ASPIRATION, ASPIRATION);
        loop {
            let wide = depth <= ASPIRATION_DEPTH || guess.is_decided();
            let open = |margin| wide || margin > ASPIRATION_MAX;
            let alpha = if open(below) { -Score::INFINITE } else { guess - below };
            let beta = if open(above) { Score::INFINITE } else { guess + above };
            let score = self.search_root(root, depth, lines, alpha, beta)?;
            if score <= alpha {
                below *= ASPIRATION_GROWTH;
            } else if score >= beta {
                above *= ASPIRATION_GROWTH;
            } else {
                return Ok(());
            }
        }
    }

    /// One search of the root moves within a window.
    fn search_root(
        &mut self,
        root: &Root,
        depth: u32,
        lines: &mut [PvLine],
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let Root { position, quiet_moves, .. } = *root;
        let depth = depth as i32;
        let node =
            Node { position, alpha, beta, depth, ply: 0, quiet_moves, after_capture: false, excluded: None };
        let mut best = -Score::INFINITE;
        for i in 0..lines.len() {
            let mv = lines[i].moves[0];
            let score = self.search_move(&node, mv, alpha, i)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.update_pv(0, mv);
                lines[i].score = score;
                // After a fail high the line is incomplete, and the one of the last depth may be longer.
                if score < beta || self.pv[0].len() > lines[i].moves.len() {
                    lines[i].moves.clone_from(&self.pv[0]);
                }
                // The best so far comes first, so that a search that is stopped keeps it.
                lines[..=i].rotate_right(1);
                if score >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Is another depth pointless?
    fn can_stop(&self, depth: u32, lines: &[PvLine], wanted: usize) -> bool {
        let shared: &SharedState = self.shared;
        let out_of_time = shared.budget.is_some_and(|budget| shared.elapsed() >= budget.soft);
        // On a clock, a forced move is played at once to save time for later ones.
        let forced = lines.len() == 1 && matches!(shared.limits.time, Some(TimeLimit::Clock(_)));
        let settled = lines[..wanted].iter().all(|line| match line.score.kind() {
            ScoreKind::Wins(Some(plies)) | ScoreKind::Loses(Some(plies)) => plies <= depth,
            _ => false,
        });
        out_of_time || forced || settled
    }

    fn result(&self, root: &Root, depth: u32, lines: &[PvLine]) -> SearchResult {
        let wanted = self.shared.limits.multi_pv.max(1);
        let mut searched: Vec<&PvLine> = lines.iter().filter(|line| line.score > -Score::INFINITE).collect();
        // A search that is stopped at once has scored no move, but must still return one.
        let unsearched = PvLine { score: Score::men(0), moves: vec![root.moves[0]] };
        if searched.is_empty() {
            searched.push(&unsearched);
        }
        let searched = searched.into_iter().map(|line| match root.wdl {
            Some(root_wdl) => root_wdl.apply_to(root.position.side_to_move(), line),
            None => line.clone(),
        });
        SearchResult {
            lines: searched.chain(root.worse.iter().cloned()).take(wanted).collect(),
            depth,
            seldepth: self.seldepth as u32,
            nodes: self.shared.nodes(),
            time: self.shared.elapsed(),
            tablebase_hits: self.shared.tablebase_hits.load(Ordering::Relaxed),
        }
    }
}
