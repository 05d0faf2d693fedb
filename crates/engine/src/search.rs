//! The search of one thread: alpha-beta over the tree of moves.

mod order;
mod path;
mod root;
mod tuning;

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;

use crownhead_rules::{Move, Position};

use crate::control::Control;
use crate::evaluation::{Evaluation, Eye};
use crate::limits::{Budget, Limits};
use crate::probe::{Known, Probe};
use crate::score::{MAX_PLY, Score};
use crate::table::{Bound, Entry, Table};
use order::Experience;
use path::{Idle, Path};
use root::Promise;
pub(crate) use root::{Purpose, Root};
use tuning::{
    ABOVE_DEPTH, ABOVE_MARGIN, ABOVE_PART, LONE_DEPTH, LONE_KNOWN_PLIES, LONE_MARGIN, LONE_PART,
    NODES_PER_CHECK, NODES_PER_CHECK_WITH_TABLES, REDUCTION_DEPTH, REDUCTION_FROM, REDUCTION_MORE_FROM,
    THREAT_PLIES,
};

/// What all threads of one search share.
pub(crate) struct Shared<'a> {
    table: &'a Table,
    evaluation: &'a Evaluation,
    tables: Option<&'a dyn Probe>,
    control: &'a dyn Control,
    limits: &'a Limits,
    budget: Option<Budget>,
    started: Duration,
    stop: AtomicBool,
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

/// The search was broken off; what it was about to find is lost.
pub(crate) struct Stopped;

type Searched = Result<Score, Stopped>;

impl<'a> Shared<'a> {
    pub(crate) fn new(
        table: &'a Table,
        evaluation: &'a Evaluation,
        tables: Option<&'a dyn Probe>,
        control: &'a dyn Control,
        limits: &'a Limits,
        started: Duration,
    ) -> Shared<'a> {
        Shared {
            table,
            evaluation,
            tables,
            control,
            limits,
            budget: limits.time.map(Budget::of),
            started,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            table_hits: AtomicU64::new(0),
        }
    }

    /// Makes all threads stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.control.now(self.nodes()).saturating_sub(self.started)
    }

    /// Has somebody or some limit ended the search?
    fn is_over(&self) -> bool {
        self.is_stopped()
            || self.limits.nodes.is_some_and(|limit| self.nodes() >= limit)
            || self.budget.is_some_and(|budget| self.elapsed() >= budget.hard)
            || self.control.stopped()
    }
}

/// One thread at work on the tree.
pub(crate) struct Searcher<'a> {
    shared: &'a Shared<'a>,
    /// Only the first thread decides that another depth would be in vain.
    leads: bool,
    path: Path,
    promise: Option<Promise>,
    /// Sets what is found by other rules apart in the hash table, since it means something else there.
    salt: u64,
    experience: Experience,
    eye: Eye<'a>,
    /// Nodes visited since they were last added to the common count.
    fresh_nodes: u64,
    nodes_to_check: u64,
    deepest_ply: usize,
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
}

/// One position in the tree and the question that is asked about it.
#[derive(Clone, Copy)]
struct Node {
    position: Position,
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    idle: Idle,
    /// Was the move before a capture?
    after_capture: bool,
    /// The place of a move that is left out, to see what the others are worth without it.
    without: Option<u8>,
}

impl Node {
    /// Is this on the main line, where the value itself is asked for and not only whether it is above a bound?
    #[inline]
    fn is_in_line(&self) -> bool {
        self.beta > self.alpha + 1
    }
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, root: &Root, leads: bool) -> Searcher<'a> {
        let mut searcher = Searcher {
            shared,
            leads,
            path: root.path.clone(),
            promise: root.promise,
            salt: root.salt(),
            experience: Experience::new(),
            // How to bring home what the tables promise is not learnt from games, which end there.
            eye: Eye::new(if root.promise.is_some() { &Evaluation::Hand } else { shared.evaluation }),
            fresh_nodes: 0,
            nodes_to_check: 0,
            deepest_ply: 0,
            lines: vec![Vec::new(); MAX_PLY + 1],
        };
        searcher.count_nodes();
        searcher
    }

    /// The value of a node within its window.
    fn search(&mut self, node: &Node) -> Searched {
        let Node { ref position, mut alpha, beta, depth, ply, idle, .. } = *node;
        debug_assert!(alpha < beta && ply > 0);

        // 1. Draws, what the endgame tables know, and leaves.
        self.lines[ply].clear();
        self.visit(ply)?;
        if self.path.is_draw(idle, position) {
            return Ok(self.drawn(position));
        }
        if let Some(score) = self.look_up(node) {
            return Ok(score);
        }
        if depth <= 0 && is_settled(position, depth) || ply >= MAX_PLY {
            return Ok(self.leaf(node));
        }

        // 2. What the hash table knows.
        let in_line = node.is_in_line();
        let key = self.key(node);
        let known = if node.without.is_none() { self.shared.table.get(key, ply) } else { None };
        if let Some(entry) = known
            && entry.depth >= depth
            && !in_line
        {
            match entry.bound {
                Bound::Lower | Bound::Exact if entry.score >= beta => return Ok(entry.score),
                Bound::Upper | Bound::Exact if entry.score <= alpha => return Ok(entry.score),
                _ => {}
            }
        }

        // 3. What is far too good already.
        let best_known = known.and_then(|entry| entry.best);
        if let Some(score) = self.look_from_above(node, best_known)? {
            return Ok(score);
        }

        // 4. The moves, the best ones first, and deeper what there is no choice about.
        let lone = self.lone_move(node, known)?;
        let mut moves = self.experience.order(position, ply, best_known);
        let extended = depth + extension(node, moves.len());
        let mut best = Score::loss_in(ply as u32);
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, place)) = moves.next() {
            if node.without == Some(place) {
                continue;
            }
            let asked = Node { depth: if lone == Some(place) { depth + 1 } else { extended }, ..*node };
            let score = self.search_move(&asked, mv, alpha, count)?;
            count += 1;
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                alpha = score;
                best_move = Some(place);
                if in_line {
                    self.extend_line(ply, mv);
                }
                if score >= beta {
                    self.experience.learn(position.side_to_move(), ply, depth, mv, moves.tried());
                    break;
                }
            }
        }

        // 5. What has been found out.
        if node.without.is_some() {
            return Ok(best);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > node.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // Where no move is good enough, the one that was known before is still the first to try.
        let entry = Entry { score: best, bound, depth, best: best_move.or(best_known) };
        self.shared.table.put(key, ply, entry);
        Ok(best)
    }

    /// The value of a move. After the first one a move is only asked whether it is better, a late one less deep, and
    /// searched in full if so.
    fn search_move(&mut self, node: &Node, mv: Move, alpha: Score, count: usize) -> Searched {
        let child = self.child(node, mv, alpha);
        self.path.push(&child.position);
        let narrow = Node { alpha: -(alpha + 1), ..child };
        let reduction = reduction(node, &child, mv, count);
        let mut score = alpha + 1;
        if reduction > 0 {
            score = -self.search(&Node { depth: narrow.depth - reduction, ..narrow })?;
        }
        if score > alpha && count > 0 && node.is_in_line() {
            score = -self.search(&narrow)?;
        }
        if score > alpha {
            score = -self.search(&child)?;
        }
        self.path.pop();
        Ok(score)
    }

    /// The place of the known move, if all others are much worse: there is no choice about it, as where a move is forced.
    fn lone_move(&mut self, node: &Node, known: Option<Entry>) -> Result<Option<u8>, Stopped> {
        let Node { ref position, depth, ply, idle, .. } = *node;
        let Some(Entry { score, bound, depth: known_depth, best: Some(place) }) = known else {
            return Ok(None);
        };
        let is_likely = depth >= LONE_DEPTH
            && bound != Bound::Upper
            && known_depth >= depth - LONE_KNOWN_PLIES
            && !score.is_decided()
            && !self.path.is_near_limit(idle, depth)
            && position.distinct_moves().len() > 1;
        if !is_likely {
            return Ok(None);
        }
        let much_worse = score - LONE_MARGIN * depth;
        let (part, whole) = LONE_PART;
        let others = Node {
            alpha: much_worse - 1,
            beta: much_worse,
            depth: (depth - 1) * part / whole,
            without: Some(place),
            ..*node
        };
        let best_of_others = self.search(&others)?;
        self.lines[ply].clear();
        Ok((best_of_others < much_worse).then_some(place))
    }

    /// A bound for a node that stands far above beta, if a search of part of the depth bears it out. Passing the move, as
    /// other games do, proves nothing here: having to move is often what loses.
    fn look_from_above(&mut self, node: &Node, best: Option<u8>) -> Result<Option<Score>, Stopped> {
        let Node { ref position, beta, depth, ply, idle, .. } = *node;
        let high = beta + ABOVE_MARGIN * depth;
        let is_above = !node.is_in_line()
            && node.without.is_none()
            && depth >= ABOVE_DEPTH
            && !beta.is_decided()
            && !position.is_capture_due()
            && !self.path.is_near_limit(idle, depth)
            && self.eye.value(position, ply) >= high;
        if !is_above {
            return Ok(None);
        }
        let (part, whole) = ABOVE_PART;
        let score =
            self.search(&Node { alpha: high - 1, beta: high, depth: depth * part / whole, ..*node })?;
        if score < high {
            return Ok(None);
        }
        let entry = Entry { score, bound: Bound::Lower, depth, best };
        self.shared.table.put(self.key(node), ply, entry);
        Ok(Some(score))
    }

    /// The value of a position that is not looked into any further.
    fn leaf(&mut self, node: &Node) -> Score {
        if node.position.has_move() {
            self.eye.value(&node.position, node.ply)
        } else {
            Score::loss_in(node.ply as u32)
        }
    }

    /// The exact value, if the endgame tables have it and it is news.
    fn look_up(&mut self, node: &Node) -> Option<Score> {
        let tables = self.shared.tables?;
        let pieces = node.position.occupied().len();
        if pieces > tables.most_pieces() {
            return None;
        }
        let known = tables.probe(&node.position)?;
        self.shared.table_hits.fetch_add(1, Ordering::Relaxed);
        // A part of a table that is read for the first time takes as long as thousands of nodes.
        self.nodes_to_check = self.nodes_to_check.min(self.fresh_nodes + NODES_PER_CHECK_WITH_TABLES);
        let side = node.position.side_to_move();
        let is_news = !self.promise.is_some_and(|promise| promise.covers(pieces, side, known));
        is_news.then(|| if known == Known::Draw { self.drawn(&node.position) } else { known.score(node.ply) })
    }

    /// What a draw is worth to the side to move.
    fn drawn(&self, position: &Position) -> Score {
        self.promise.map_or(Score::DRAW, |promise| promise.drawn(position.side_to_move()))
    }

    /// What the hash table knows a node by.
    #[inline]
    fn key(&self, node: &Node) -> u64 {
        node.position.zobrist_hash() ^ self.salt ^ self.path.salt(node.idle, node.depth)
    }

    fn child(&self, node: &Node, mv: Move, alpha: Score) -> Node {
        Node {
            position: node.position.play_unchecked(mv),
            alpha: -node.beta,
            beta: -alpha,
            depth: node.depth - 1,
            ply: node.ply + 1,
            idle: self.path.after(node.idle, &node.position, mv),
            after_capture: mv.is_capture(),
            without: None,
        }
    }

    /// The best line from here is this move and what was best after it.
    fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    /// Counts a node, and looks up from the work now and then.
    #[inline]
    fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.deepest_ply = self.deepest_ply.max(ply);
        self.fresh_nodes += 1;
        if self.fresh_nodes < self.nodes_to_check { Ok(()) } else { self.check() }
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
        self.shared.nodes.fetch_add(self.fresh_nodes, Ordering::Relaxed);
        self.fresh_nodes = 0;
        let left = self.shared.limits.nodes.map(|limit| limit.saturating_sub(self.shared.nodes()));
        self.nodes_to_check = left.map_or(NODES_PER_CHECK, |left| left.clamp(1, NODES_PER_CHECK));
    }
}

/// Can the position be valued as it stands? Not while a capture is due, nor, for a while, while one threatens.
fn is_settled(position: &Position, depth: i32) -> bool {
    !position.is_capture_due() && (depth <= -THREAT_PLIES || position.threats().is_empty())
}

/// By how many plies more the moves of a node are searched: on the main line those that are forced and those that take
/// back.
fn extension(node: &Node, moves: usize) -> i32 {
    let takes_back = node.after_capture && node.position.is_capture_due();
    i32::from(node.is_in_line() && (moves == 1 || takes_back))
}

/// By how many plies less a late move is searched.
fn reduction(node: &Node, child: &Node, mv: Move, count: usize) -> i32 {
    if count < REDUCTION_FROM || node.depth < REDUCTION_DEPTH || mv.is_capture() {
        return 0;
    }
    1 + i32::from(count >= REDUCTION_MORE_FROM) + i32::from(child.position.is_capture_due())
}
