//! The search of one thread: principal variation search (alpha-beta with null windows) over the tree of moves.
//!
//! In the order of `search`: draw detection, tablebase probe, quiescence, transposition table, ProbCut, singular
//! extension, move ordering by captures, killers and history, late move reduction.

mod draws;
mod iterative_deepening;
mod ordering;
mod root;
mod shared;
mod tuning;

use core::sync::atomic::Ordering;

use crownhead_rules::{Move, Position};

use crate::evaluation::{Evaluation, Evaluator};
use crate::score::{MAX_PLY, Score};
use crate::tablebase::ProbeResult;
use crate::tt::{Bound, TtEntry};
use draws::{DrawDetector, QuietMoveCount};
use ordering::MoveOrdering;
use root::RootWdl;
pub(crate) use root::{Purpose, Root};
pub(crate) use shared::{SharedState, Stopped};
use tuning::{
    LMR_DEPTH, LMR_FROM_MOVE, LMR_MORE_FROM_MOVE, NODES_PER_CHECK, NODES_PER_CHECK_AFTER_PROBE,
    PROBCUT_DEPTH, PROBCUT_DEPTH_RATIO, PROBCUT_MARGIN, QUIESCENCE_THREAT_PLIES, SINGULAR_DEPTH,
    SINGULAR_DEPTH_RATIO, SINGULAR_MARGIN, SINGULAR_TT_PLIES,
};

/// One thread of a search.
pub(crate) struct Searcher<'a> {
    shared: &'a SharedState<'a>,
    /// Only the main thread decides whether to start another depth.
    is_main_thread: bool,
    draws: DrawDetector,
    root_wdl: Option<RootWdl>,
    /// Part of every key, so that the search does not find entries of a search that scores draws differently.
    salt: u64,
    ordering: MoveOrdering,
    evaluator: Evaluator<'a>,
    /// Nodes visited since they were last added to the shared count.
    local_nodes: u64,
    /// The local count at which to check for the stop.
    nodes_to_check: u64,
    seldepth: usize,
    /// The principal variation from each ply on (a triangular PV table).
    pv: Vec<Vec<Move>>,
}

/// A position in the tree, with the window and the depth to search it to.
#[derive(Clone, Copy)]
struct Node {
    position: Position,
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    quiet_moves: QuietMoveCount,
    /// Was the last move a capture?
    after_capture: bool,
    /// The index of the move that a singular search leaves out.
    excluded: Option<u8>,
}

impl Node {
    /// Is this a PV node? Other nodes have a null window, which only shows whether the score reaches beta.
    #[inline]
    fn is_pv(&self) -> bool {
        self.beta > self.alpha + 1
    }
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(shared: &'a SharedState<'a>, root: &Root, is_main_thread: bool) -> Searcher<'a> {
        let mut searcher = Searcher {
            shared,
            is_main_thread,
            draws: root.draws.clone(),
            root_wdl: root.wdl,
            salt: root.salt(),
            ordering: MoveOrdering::new(),
            // Self-play games end where the tablebase begins, so the network has not learnt to convert such a
            // position.
            evaluator: Evaluator::new(if root.wdl.is_some() {
                &Evaluation::Handcrafted
            } else {
                shared.evaluation
            }),
            local_nodes: 0,
            nodes_to_check: 0,
            seldepth: 0,
            pv: vec![Vec::new(); MAX_PLY + 1],
        };
        searcher.count_nodes();
        searcher
    }

    /// The score of a node within its window.
    fn search(&mut self, node: &Node) -> Result<Score, Stopped> {
        let Node { ref position, mut alpha, beta, depth, ply, quiet_moves, .. } = *node;
        debug_assert!(alpha < beta && ply > 0);

        // 1. Draw detection, the tablebase, and the leaves of the quiescence search.
        self.pv[ply].clear();
        self.visit(ply)?;
        if self.draws.is_draw(quiet_moves, position) {
            return Ok(self.draw_score(position));
        }
        if let Some(score) = self.probe_tablebase(node) {
            return Ok(score);
        }
        if depth <= 0 && is_quiet(position, depth) || ply >= MAX_PLY {
            return Ok(self.leaf(node));
        }

        // 2. The transposition table. A PV node is searched again, so that its line is complete.
        let is_pv = node.is_pv();
        let key = self.key(node);
        let tt_entry = if node.excluded.is_none() { self.shared.tt.probe(key, ply) } else { None };
        if let Some(entry) = tt_entry
            && entry.depth >= depth
            && !is_pv
        {
            match entry.bound {
                Bound::Lower | Bound::Exact if entry.score >= beta => return Ok(entry.score),
                Bound::Upper | Bound::Exact if entry.score <= alpha => return Ok(entry.score),
                _ => {}
            }
        }

        // 3. ProbCut.
        let tt_move = tt_entry.and_then(|entry| entry.best);
        if let Some(score) = self.probcut(node, tt_move)? {
            return Ok(score);
        }

        // 4. The moves, the most promising first; forced, recapturing and singular ones a ply deeper.
        let singular = self.singular_move(node, tt_entry)?;
        let mut moves = self.ordering.picker(position, ply, tt_move);
        let extended = depth + extension(node, moves.len());
        let mut best = Score::loss_in(ply as u32);
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, index)) = moves.next() {
            if node.excluded == Some(index) {
                continue;
            }
            let extended_node =
                Node { depth: if singular == Some(index) { depth + 1 } else { extended }, ..*node };
            let score = self.search_move(&extended_node, mv, alpha, count)?;
            count += 1;
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                alpha = score;
                best_move = Some(index);
                if is_pv {
                    self.update_pv(ply, mv);
                }
                if score >= beta {
                    self.ordering.record_cutoff(position.side_to_move(), ply, depth, mv, moves.tried());
                    break;
                }
            }
        }

        // 5. Store the result. A score without the excluded move says nothing about the position.
        if node.excluded.is_some() {
            return Ok(best);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > node.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // If no move reaches alpha, the move of the old entry stays the first to try.
        let entry = TtEntry { score: best, bound, depth, best: best_move.or(tt_move) };
        self.shared.tt.store(key, ply, entry);
        Ok(best)
    }

    /// The score of a move. All but the first get a null window, late ones a reduced depth as well; a move that beats
    /// alpha there is searched again in full.
    fn search_move(&mut self, node: &Node, mv: Move, alpha: Score, count: usize) -> Result<Score, Stopped> {
        let child = self.child(node, mv, alpha);
        self.draws.push(&child.position);
        let null_window = Node { alpha: -(alpha + 1), ..child };
        let reduction = reduction(node, &child, mv, count);
        let mut score = alpha + 1;
        if reduction > 0 {
            score = -self.search(&Node { depth: null_window.depth - reduction, ..null_window })?;
        }
        if score > alpha && count > 0 && node.is_pv() {
            score = -self.search(&null_window)?;
        }
        if score > alpha {
            score = -self.search(&child)?;
        }
        self.draws.pop();
        Ok(score)
    }

    /// The singular extension: the index of the transposition table's move if all others are much worse.
    fn singular_move(&mut self, node: &Node, tt_entry: Option<TtEntry>) -> Result<Option<u8>, Stopped> {
        let Node { ref position, depth, ply, quiet_moves, .. } = *node;
        let Some(TtEntry { score, bound, depth: tt_depth, best: Some(index) }) = tt_entry else {
            return Ok(None);
        };
        let is_candidate = depth >= SINGULAR_DEPTH
            && bound != Bound::Upper
            && tt_depth >= depth - SINGULAR_TT_PLIES
            && !score.is_decided()
            && !self.draws.is_near_move_limit(quiet_moves, depth)
            && position.distinct_moves().len() > 1;
        if !is_candidate {
            return Ok(None);
        }
        let singular_beta = score - SINGULAR_MARGIN * depth;
        let (part, whole) = SINGULAR_DEPTH_RATIO;
        let others = Node {
            alpha: singular_beta - 1,
            beta: singular_beta,
            depth: (depth - 1) * part / whole,
            excluded: Some(index),
            ..*node
        };
        let best_other = self.search(&others)?;
        self.pv[ply].clear();
        Ok((best_other < singular_beta).then_some(index))
    }

    /// ProbCut: if the static evaluation is far above beta and a shallow search with a raised null window confirms it,
    /// its score stands in for that of the full depth. Null move pruning is unsound here: zugzwang is common in
    /// checkers.
    fn probcut(&mut self, node: &Node, best: Option<u8>) -> Result<Option<Score>, Stopped> {
        let Node { ref position, beta, depth, ply, quiet_moves, .. } = *node;
        let raised_beta = beta + PROBCUT_MARGIN * depth;
        let is_candidate = !node.is_pv()
            && node.excluded.is_none()
            && depth >= PROBCUT_DEPTH
            && !beta.is_decided()
            && !position.is_capture_due()
            && !self.draws.is_near_move_limit(quiet_moves, depth)
            && self.evaluator.evaluate(position, ply) >= raised_beta;
        if !is_candidate {
            return Ok(None);
        }
        let (part, whole) = PROBCUT_DEPTH_RATIO;
        let score = self.search(&Node {
            alpha: raised_beta - 1,
            beta: raised_beta,
            depth: depth * part / whole,
            ..*node
        })?;
        if score < raised_beta {
            return Ok(None);
        }
        let entry = TtEntry { score, bound: Bound::Lower, depth, best };
        self.shared.tt.store(self.key(node), ply, entry);
        Ok(Some(score))
    }

    /// The score of a position that is not searched any further.
    fn leaf(&mut self, node: &Node) -> Score {
        if node.position.has_move() {
            self.evaluator.evaluate(&node.position, node.ply)
        } else {
            Score::loss_in(node.ply as u32)
        }
    }

    /// The score from the tablebase, unless the value of the root implies it.
    fn probe_tablebase(&mut self, node: &Node) -> Option<Score> {
        let tablebase = self.shared.tablebase?;
        let pieces = node.position.occupied().len();
        if pieces > tablebase.max_pieces() {
            return None;
        }
        let known = tablebase.probe(&node.position)?;
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        // Decoding a block for the first time takes as long as thousands of nodes.
        self.nodes_to_check = self.nodes_to_check.min(self.local_nodes + NODES_PER_CHECK_AFTER_PROBE);
        let side = node.position.side_to_move();
        let is_new = !self.root_wdl.is_some_and(|root_wdl| root_wdl.implies(pieces, side, known));
        is_new.then(|| {
            if known == ProbeResult::Draw { self.draw_score(&node.position) } else { known.score(node.ply) }
        })
    }

    /// The score of a draw for the side to move: with contempt, if the tablebase says that one side wins.
    fn draw_score(&self, position: &Position) -> Score {
        self.root_wdl.map_or(Score::DRAW, |root_wdl| root_wdl.draw_score(position.side_to_move()))
    }

    /// The key of a node in the transposition table.
    #[inline]
    fn key(&self, node: &Node) -> u64 {
        node.position.zobrist_hash() ^ self.salt ^ self.draws.salt(node.quiet_moves, node.depth)
    }

    fn child(&self, node: &Node, mv: Move, alpha: Score) -> Node {
        Node {
            position: node.position.play_unchecked(mv),
            alpha: -node.beta,
            beta: -alpha,
            depth: node.depth - 1,
            ply: node.ply + 1,
            quiet_moves: self.draws.after(node.quiet_moves, &node.position, mv),
            after_capture: mv.is_capture(),
            excluded: None,
        }
    }

    /// Makes this move and the variation after it the principal variation from this ply on.
    fn update_pv(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.pv.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    /// Counts a node, and checks for the stop now and then.
    #[inline]
    fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.seldepth = self.seldepth.max(ply);
        self.local_nodes += 1;
        if self.local_nodes < self.nodes_to_check { Ok(()) } else { self.check() }
    }

    /// Checks whether the search is over. Every thread does so itself: the main thread may be waiting for a core.
    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.count_nodes();
        if self.shared.is_over() {
            self.shared.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    /// Adds the local nodes to the shared count and schedules the next check.
    fn count_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.local_nodes, Ordering::Relaxed);
        self.local_nodes = 0;
        let left = self.shared.limits.nodes.map(|limit| limit.saturating_sub(self.shared.nodes()));
        self.nodes_to_check = left.map_or(NODES_PER_CHECK, |left| left.clamp(1, NODES_PER_CHECK));
    }
}

/// The quiescence condition: no capture is due, and none threatens, except far beyond the nominal depth. Captures are
/// forced, so the quiescence search is the same function at depth 0 and below.
fn is_quiet(position: &Position, depth: i32) -> bool {
    !position.is_capture_due() && (depth <= -QUIESCENCE_THREAT_PLIES || position.threats().is_empty())
}

/// The extension of all moves of a PV node: a ply if the move is forced or recaptures.
fn extension(node: &Node, moves: usize) -> i32 {
    let recaptures = node.after_capture && node.position.is_capture_due();
    i32::from(node.is_pv() && (moves == 1 || recaptures))
}

/// The late move reduction, in plies.
fn reduction(node: &Node, child: &Node, mv: Move, count: usize) -> i32 {
    if count < LMR_FROM_MOVE || node.depth < LMR_DEPTH || mv.is_capture() {
        return 0;
    }
    1 + i32::from(count >= LMR_MORE_FROM_MOVE) + i32::from(child.position.is_capture_due())
}
