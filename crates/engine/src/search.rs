//! The search of one thread: alpha-beta over the tree of moves.

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

/// One thread at work on the tree.
pub(crate) struct Searcher<'a> {
    shared: &'a SharedState<'a>,
    /// Only the first thread decides that another depth would be in vain.
    is_main_thread: bool,
    draws: DrawDetector,
    root_wdl: Option<RootWdl>,
    /// Sets what is found by other rules apart in the hash table, since it means something else there.
    salt: u64,
    ordering: MoveOrdering,
    evaluator: Evaluator<'a>,
    /// Nodes visited since they were last added to the common count.
    local_nodes: u64,
    nodes_to_check: u64,
    seldepth: usize,
    /// The best line from each ply on.
    pv: Vec<Vec<Move>>,
}

/// One position in the tree and the question that is asked about it.
#[derive(Clone, Copy)]
struct Node {
    position: Position,
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    quiet_moves: QuietMoveCount,
    /// Was the move before a capture?
    after_capture: bool,
    /// The place of a move that is left out, to see what the others are worth without it.
    excluded: Option<u8>,
}

impl Node {
    /// Is this on the main line, where the value itself is asked for and not only whether it is above a bound?
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
            root_wdl: root.root_wdl,
            salt: root.salt(),
            ordering: MoveOrdering::new(),
            // How to bring home what the tables root_wdl is not learnt from games, which end there.
            evaluator: Evaluator::new(if root.root_wdl.is_some() {
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

    /// The value of a node within its window.
    fn search(&mut self, node: &Node) -> Result<Score, Stopped> {
        let Node { ref position, mut alpha, beta, depth, ply, quiet_moves, .. } = *node;
        debug_assert!(alpha < beta && ply > 0);

        // 1. Draws, what the endgame tables know, and leaves.
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

        // 2. What the hash table knows.
        let is_pv = node.is_pv();
        let key = self.key(node);
        let known = if node.excluded.is_none() { self.shared.tt.probe(key, ply) } else { None };
        if let Some(entry) = known
            && entry.depth >= depth
            && !is_pv
        {
            match entry.bound {
                Bound::Lower | Bound::Exact if entry.score >= beta => return Ok(entry.score),
                Bound::Upper | Bound::Exact if entry.score <= alpha => return Ok(entry.score),
                _ => {}
            }
        }

        // 3. What is far too good already.
        let best_known = known.and_then(|entry| entry.best);
        if let Some(score) = self.probcut(node, best_known)? {
            return Ok(score);
        }

        // 4. The moves, the best ones first, and deeper what there is no choice about.
        let singular = self.singular_move(node, known)?;
        let mut moves = self.ordering.picker(position, ply, best_known);
        let extended = depth + extension(node, moves.len());
        let mut best = Score::loss_in(ply as u32);
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, place)) = moves.next() {
            if node.excluded == Some(place) {
                continue;
            }
            let asked = Node { depth: if singular == Some(place) { depth + 1 } else { extended }, ..*node };
            let score = self.search_move(&asked, mv, alpha, count)?;
            count += 1;
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                alpha = score;
                best_move = Some(place);
                if is_pv {
                    self.update_pv(ply, mv);
                }
                if score >= beta {
                    self.ordering.record_cutoff(position.side_to_move(), ply, depth, mv, moves.tried());
                    break;
                }
            }
        }

        // 5. What has been found out.
        if node.excluded.is_some() {
            return Ok(best);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > node.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // Where no move is good enough, the one that was known before is still the first to try.
        let entry = TtEntry { score: best, bound, depth, best: best_move.or(best_known) };
        self.shared.tt.store(key, ply, entry);
        Ok(best)
    }

    /// The value of a move. After the first one a move is only asked whether it is better, a late one less deep, and
    /// searched in full if so.
    fn search_move(&mut self, node: &Node, mv: Move, alpha: Score, count: usize) -> Result<Score, Stopped> {
        let child = self.child(node, mv, alpha);
        self.draws.push(&child.position);
        let narrow = Node { alpha: -(alpha + 1), ..child };
        let reduction = reduction(node, &child, mv, count);
        let mut score = alpha + 1;
        if reduction > 0 {
            score = -self.search(&Node { depth: narrow.depth - reduction, ..narrow })?;
        }
        if score > alpha && count > 0 && node.is_pv() {
            score = -self.search(&narrow)?;
        }
        if score > alpha {
            score = -self.search(&child)?;
        }
        self.draws.pop();
        Ok(score)
    }

    /// The place of the known move, if all others are much worse: there is no choice about it, as where a move is forced.
    fn singular_move(&mut self, node: &Node, known: Option<TtEntry>) -> Result<Option<u8>, Stopped> {
        let Node { ref position, depth, ply, quiet_moves, .. } = *node;
        let Some(TtEntry { score, bound, depth: known_depth, best: Some(place) }) = known else {
            return Ok(None);
        };
        let is_likely = depth >= SINGULAR_DEPTH
            && bound != Bound::Upper
            && known_depth >= depth - SINGULAR_TT_PLIES
            && !score.is_decided()
            && !self.draws.is_near_move_limit(quiet_moves, depth)
            && position.distinct_moves().len() > 1;
        if !is_likely {
            return Ok(None);
        }
        let much_worse = score - SINGULAR_MARGIN * depth;
        let (part, whole) = SINGULAR_DEPTH_RATIO;
        let others = Node {
            alpha: much_worse - 1,
            beta: much_worse,
            depth: (depth - 1) * part / whole,
            excluded: Some(place),
            ..*node
        };
        let best_of_others = self.search(&others)?;
        self.pv[ply].clear();
        Ok((best_of_others < much_worse).then_some(place))
    }

    /// A bound for a node that stands far above beta, if a search of part of the depth bears it out. Passing the move, as
    /// other games do, proves nothing here: having to move is often what loses.
    fn probcut(&mut self, node: &Node, best: Option<u8>) -> Result<Option<Score>, Stopped> {
        let Node { ref position, beta, depth, ply, quiet_moves, .. } = *node;
        let high = beta + PROBCUT_MARGIN * depth;
        let is_above = !node.is_pv()
            && node.excluded.is_none()
            && depth >= PROBCUT_DEPTH
            && !beta.is_decided()
            && !position.is_capture_due()
            && !self.draws.is_near_move_limit(quiet_moves, depth)
            && self.evaluator.evaluate(position, ply) >= high;
        if !is_above {
            return Ok(None);
        }
        let (part, whole) = PROBCUT_DEPTH_RATIO;
        let score =
            self.search(&Node { alpha: high - 1, beta: high, depth: depth * part / whole, ..*node })?;
        if score < high {
            return Ok(None);
        }
        let entry = TtEntry { score, bound: Bound::Lower, depth, best };
        self.shared.tt.store(self.key(node), ply, entry);
        Ok(Some(score))
    }

    /// The value of a position that is not looked into any further.
    fn leaf(&mut self, node: &Node) -> Score {
        if node.position.has_move() {
            self.evaluator.evaluate(&node.position, node.ply)
        } else {
            Score::loss_in(node.ply as u32)
        }
    }

    /// The exact value, if the endgame tables have it and it is news.
    fn probe_tablebase(&mut self, node: &Node) -> Option<Score> {
        let tablebase = self.shared.tablebase?;
        let pieces = node.position.occupied().len();
        if pieces > tablebase.max_pieces() {
            return None;
        }
        let known = tablebase.probe(&node.position)?;
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        // A part of a table that is read for the first time takes as long as thousands of nodes.
        self.nodes_to_check = self.nodes_to_check.min(self.local_nodes + NODES_PER_CHECK_AFTER_PROBE);
        let side = node.position.side_to_move();
        let is_new = !self.root_wdl.is_some_and(|root_wdl| root_wdl.implies(pieces, side, known));
        is_new.then(|| {
            if known == ProbeResult::Draw { self.draw_score(&node.position) } else { known.score(node.ply) }
        })
    }

    /// What a draw is worth to the side to move.
    fn draw_score(&self, position: &Position) -> Score {
        self.root_wdl.map_or(Score::DRAW, |root_wdl| root_wdl.draw_score(position.side_to_move()))
    }

    /// What the hash table knows a node by.
    #[inline]
    fn key(&self, node: &Node) -> u64 {
        node.position.hash() ^ self.salt ^ self.draws.salt(node.quiet_moves, node.depth)
    }

    fn child(&self, node: &Node, mv: Move, alpha: Score) -> Node {
        Node {
            position: node.position.after(mv),
            alpha: -node.beta,
            beta: -alpha,
            depth: node.depth - 1,
            ply: node.ply + 1,
            quiet_moves: self.draws.after(node.quiet_moves, &node.position, mv),
            after_capture: mv.is_capture(),
            excluded: None,
        }
    }

    /// The best line from here is this move and what was best after it.
    fn update_pv(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.pv.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    /// Counts a node, and looks up from the work now and then.
    #[inline]
    fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.seldepth = self.seldepth.max(ply);
        self.local_nodes += 1;
        if self.local_nodes < self.nodes_to_check { Ok(()) } else { self.check() }
    }

    /// Every thread looks for itself: the others may be waiting for the very core that it runs on.
    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.count_nodes();
        if self.shared.is_over() {
            self.shared.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    /// Adds the fresh nodes to the common count, and plans the next look.
    fn count_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.local_nodes, Ordering::Relaxed);
        self.local_nodes = 0;
        let left = self.shared.limits.nodes.map(|limit| limit.saturating_sub(self.shared.nodes()));
        self.nodes_to_check = left.map_or(NODES_PER_CHECK, |left| left.clamp(1, NODES_PER_CHECK));
    }
}

/// Can the position be valued as it stands? Not while a capture is due, nor, for a while, while one threatens.
fn is_quiet(position: &Position, depth: i32) -> bool {
    !position.is_capture_due() && (depth <= -QUIESCENCE_THREAT_PLIES || position.threats().is_empty())
}

/// By how many plies more the moves of a node are searched: on the main line those that are forced and those that take
/// back.
fn extension(node: &Node, moves: usize) -> i32 {
    let takes_back = node.after_capture && node.position.is_capture_due();
    i32::from(node.is_pv() && (moves == 1 || takes_back))
}

/// By how many plies less a late move is searched.
fn reduction(node: &Node, child: &Node, mv: Move, count: usize) -> i32 {
    if count < LMR_FROM_MOVE || node.depth < LMR_DEPTH || mv.is_capture() {
        return 0;
    }
    1 + i32::from(count >= LMR_MORE_FROM_MOVE) + i32::from(child.position.is_capture_due())
}
