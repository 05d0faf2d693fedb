//! Retrograde analysis of one subslice: a placement of men, with either side to move, in which only kings move.

use std::sync::atomic::Ordering;

use super::SlicePair;
use crate::board::{Board, bits, neighbours};
use crate::board_cursor::BoardCursor;
use crate::index::{SliceIndex, choose};
use crate::value::{BestOfMoves, Value};

/// Instead of a count of moves: a capture is due, so no king step starts here.
const FORCED: u8 = u8::MAX;
/// Instead of a count of moves: solved by king steps, and propagated to its predecessors.
const PROPAGATED: u8 = u8::MAX - 1;

/// Working memory for subslices, one after another.
pub(super) struct Subslice<'a> {
    pair: &'a SlicePair<'a>,
    /// The positions by side to move; only the first half is used if the two mirror each other.
    sides: [SideToMove; 2],
    own_twin: bool,
    /// Solved positions not yet propagated to their predecessors: a list for each distance, or a single list for WDL.
    queue: Vec<Vec<(usize, Kings)>>,
    /// The number of positions in `queue`. Only counted with distances.
    queued: usize,
}

#[derive(Clone, Copy)]
struct Kings {
    own: u32,
    opp: u32,
}

/// The positions of a subslice with one side to move.
struct SideToMove {
    indexing: SliceIndex,
    men_index: u32,
    men: Board,
    /// For each square, the number of squares below it without a man.
    ranks: [u8; 32],
    values: Vec<u8>,
    /// For each position, the number of king steps not yet known to lose, plus one if a man's step draws.
    undecided: Vec<u8>,
    /// For each position, the longest loss after a man's step. Filled only with distances.
    longest_exit_loss: Vec<u8>,
}

impl<'a> Subslice<'a> {
    pub(super) fn new(pair: &'a SlicePair<'a>) -> Subslice<'a> {
        let levels = if pair.method.distances { usize::from(Value::TOO_FAR.0) + 1 } else { 1 };
        let queue = (0..levels).map(|_| Vec::new()).collect();
        Subslice { pair, sides: pair.indices.map(SideToMove::new), own_twin: false, queue, queued: 0 }
    }

    /// Solves the subslice with these men and fills the cells of the pair. Returns the number of positions.
    pub(super) fn solve(&mut self, men_index: u32) -> u64 {
        let (own_men, opp_men) = self.pair.indices[0].men_at(men_index);
        let men = Board { own_men, opp_men, ..Board::default() };
        self.own_twin = self.pair.is_own_twin() && men == men.turned();
        self.sides[0].set_up(men);
        self.sides[1].set_up(men.turned());
        let sides = if self.own_twin { 1 } else { 2 };
        for side in 0..sides {
            self.initialize(side);
        }
        if self.pair.method.distances {
            self.propagate_dtw();
        } else {
            for side in 0..sides {
                self.propagate_wdl(side);
            }
        }
        (0..sides).map(|side| self.store(side)).sum()
    }

    /// Solves positions by captures and man steps alone, and counts the king steps of the others.
    fn initialize(&mut self, number: usize) {
        let (pair, side) = (self.pair, &mut self.sides[number]);
        let indexing = side.indexing;
        let mut cursor = BoardCursor::at_men(&indexing, side.men, side.men_index);
        for index in 0..indexing.kings() {
            if index > 0 {
                cursor.step();
            }
            let board = cursor.board();
            let mut exits = BestOfMoves::default();
            let steps = if board.is_capture_due() {
                board.each_capture(&mut |after| exits.add(pair.value(after)));
                0
            } else {
                board.each_man_step(&mut |after| exits.add(pair.value(after)));
                board.count_king_steps() as u8
            };
            let value = if steps == 0 { exits.value() } else { exits.win().unwrap_or(Value::UNKNOWN) };
            side.undecided.push(if steps == 0 { FORCED } else { steps + u8::from(exits.has_draw()) });
            if pair.method.distances {
                side.values.push(value.0);
                side.longest_exit_loss.push(exits.longest_loss());
                if let Some(plies) = value.plies() {
                    self.queue[usize::from(plies)].push((number, Kings::of(board)));
                    self.queued += 1;
                }
            } else {
                side.values.push(value.without_distance().0);
            }
        }
    }

    /// Propagates every solved position, and every position that this solves in turn, to its predecessors in any order.
    fn propagate_wdl(&mut self, side: usize) {
        let SideToMove { indexing, men, men_index, .. } = self.sides[side];
        let mut cursor = BoardCursor::at_men(&indexing, men, men_index);
        for index in 0..indexing.kings() as usize {
            if index > 0 {
                cursor.step();
            }
            let this = &self.sides[side];
            let value = Value(this.values[index]);
            if value.plies().is_some() && this.undecided[index] != PROPAGATED {
                self.update_predecessors(side, Kings::of(cursor.board()), value);
                while let Some((side, kings)) = self.queue[0].pop() {
                    let this = &self.sides[side];
                    let value = Value(this.values[this.index(kings)]);
                    self.update_predecessors(side, kings, value);
                }
            }
        }
    }

    /// Propagates solved positions in order of distance, so that each is propagated with its final value.
    fn propagate_dtw(&mut self) {
        for plies in 0..=Value::MAX_PLIES {
            if self.queued == 0 {
                return;
            }
            while let Some((side, kings)) = self.queue[usize::from(plies)].pop() {
                self.queued -= 1;
                let this = &self.sides[side];
                // A win by a man's step may have been replaced by a shorter one.
                if this.values[this.index(kings)] == plies {
                    self.update_predecessors(side, kings, Value(plies));
                }
            }
        }
        // Positions that are too far away keep the value `TOO_FAR`, which makes the build fail.
        self.queue[usize::from(Value::TOO_FAR.0)].clear();
        self.queued = 0;
    }

    /// Updates the predecessors: the positions from which a king step of the other side leads here.
    fn update_predecessors(&mut self, side: usize, kings: Kings, value: Value) {
        let before = if self.own_twin { side } else { 1 - side };
        let exact = self.pair.method.distances;
        let Subslice { sides, queue, queued, .. } = self;
        let there = &mut sides[before];
        let after = Kings { own: kings.opp.reverse_bits(), opp: kings.own.reverse_bits() };
        let empty = Board { own_kings: after.own, opp_kings: after.opp, ..there.men }.empty();
        for to in bits(after.own) {
            for from in bits(neighbours(to) & empty) {
                let kings = Kings { own: after.own ^ to ^ from, ..after };
                let index = there.index(kings);
                if exact {
                    if let Some(plies) = there.update_dtw(index, value) {
                        queue[usize::from(plies)].push((before, kings));
                        *queued += 1;
                    }
                } else if there.update_wdl(index, value) {
                    queue[0].push((before, kings));
                }
            }
        }
    }

    fn store(&self, side: usize) -> u64 {
        let this = &self.sides[side];
        let cells = if self.pair.is_own_twin() { &self.pair.cells[0] } else { &self.pair.cells[side] };
        let start = u64::from(this.men_index) * this.indexing.kings();
        for (cell, &value) in cells[start as usize..].iter().zip(&this.values) {
            let known = if Value(value) == Value::UNKNOWN { Value::DRAW } else { Value(value) };
            cell.store(known.0, Ordering::Relaxed);
        }
        this.values.len() as u64
    }
}

impl Kings {
    fn of(board: Board) -> Kings {
        Kings { own: board.own_kings, opp: board.opp_kings }
    }
}

impl SideToMove {
    fn new(indexing: SliceIndex) -> SideToMove {
        SideToMove {
            indexing,
            men_index: 0,
            men: Board::default(),
            ranks: [0; 32],
            values: Vec::new(),
            undecided: Vec::new(),
            longest_exit_loss: Vec::new(),
        }
    }

    fn set_up(&mut self, men: Board) {
        self.men = men;
        self.men_index = self.indexing.men_index(men.own_men, men.opp_men);
        let taken = men.own_men | men.opp_men;
        let mut free = 0;
        for (square, rank) in self.ranks.iter_mut().enumerate() {
            *rank = free;
            free += u8::from(taken >> square & 1 == 0);
        }
        self.values.clear();
        self.undecided.clear();
        self.longest_exit_loss.clear();
    }

    /// The same as [`SliceIndex::kings_index`], but faster, by the ranks of this subslice.
    #[inline]
    fn index(&self, kings: Kings) -> usize {
        let rank = |bit: u32| u32::from(self.ranks[bit.trailing_zeros() as usize & 31]);
        let mut own = 0;
        for (k, bit) in (1..).zip(bits(kings.own)) {
            own += choose(rank(bit), k);
        }
        let mut opp = 0;
        for (k, bit) in (1..).zip(bits(kings.opp)) {
            let below = bits(kings.own).map(|own| u32::from(own < bit)).sum::<u32>();
            opp += choose(rank(bit) - below, k);
        }
        own as usize * self.indexing.opp_kings() as usize + opp as usize
    }

    /// Records that a king step leads to a win or a loss for the other side. Returns whether that solves the position.
    #[inline]
    fn update_wdl(&mut self, index: usize, after: Value) -> bool {
        if Value(self.values[index]) != Value::UNKNOWN {
            return false;
        }
        if after.is_loss() {
            self.values[index] = 1;
        } else if self.undecided[index] > 1 {
            self.undecided[index] -= 1;
            return false;
        } else {
            self.values[index] = 0;
        }
        self.undecided[index] = PROPAGATED;
        true
    }

    /// The same with distances. Returns the new distance, if there is one; it may replace a longer win.
    #[inline]
    fn update_dtw(&mut self, index: usize, after: Value) -> Option<u8> {
        let (undecided, known) = (self.undecided[index], self.values[index]);
        if undecided == FORCED {
            return None;
        }
        let plies = if after.is_loss() {
            after.0 + 1
        } else {
            self.undecided[index] = undecided - 1;
            if undecided > 1 || Value(known) != Value::UNKNOWN {
                return None;
            }
            self.longest_exit_loss[index].max(after.0 + 1)
        };
        if plies >= known {
            return None;
        }
        self.values[index] = plies;
        Some(plies)
    }
}
