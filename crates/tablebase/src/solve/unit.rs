//! One placement of men, with either side to move: the kings go about between them.

use std::sync::atomic::Ordering;

use super::{Finished, Pair};
use crate::board::{Board, bits, neighbours};
use crate::cursor::Cursor;
use crate::index::{Layout, choose};
use crate::value::{Best, Value};

/// In place of a count of moves: a capture is due, so no step of a king comes from here.
const FORCED: u8 = u8::MAX;
/// In place of a count of moves: solved by the steps of kings, and its predecessors have been told.
const TOLD: u8 = u8::MAX - 1;

/// Room to solve units in, one after another.
pub(super) struct Unit<'a, F> {
    pair: &'a Pair<'a, F>,
    /// One half for each side to move; only the first is used if they mirror each other.
    halves: [Half; 2],
    own_twin: bool,
    /// Solved positions whose predecessors have not been told yet: by distance, or all in the first place.
    fresh: Vec<Vec<(usize, Kings)>>,
    /// How many there are in `fresh` if they go by distance.
    waiting: usize,
}

#[derive(Clone, Copy)]
struct Kings {
    own: u32,
    opp: u32,
}

/// The positions of a unit with one side to move.
struct Half {
    layout: Layout,
    men_index: u32,
    men: Board,
    /// For each square, how many squares without a man lie below it.
    places: [u8; 32],
    values: Vec<u8>,
    /// For each position, how many steps are not known to lose yet; steps of men to a draw stay in it for good.
    open: Vec<u8>,
    /// For each position, the longest loss that a step of a man leads to. Kept if distances are wanted.
    longest_exit: Vec<u8>,
}

impl<'a, F: Finished> Unit<'a, F> {
    pub(super) fn new(pair: &'a Pair<'a, F>) -> Unit<'a, F> {
        let levels = if pair.method.distances { usize::from(Value::TOO_FAR.0) + 1 } else { 1 };
        let fresh = (0..levels).map(|_| Vec::new()).collect();
        Unit { pair, halves: pair.layouts.map(Half::new), own_twin: false, fresh, waiting: 0 }
    }

    /// Solves the unit with these men and fills the cells of the pair. Says how many positions those are.
    pub(super) fn solve(&mut self, men_index: u32) -> u64 {
        let (own_men, opp_men) = self.pair.layouts[0].men_at(men_index);
        let men = Board { own_men, opp_men, ..Board::default() };
        self.own_twin = self.pair.is_own_twin() && men == men.turned();
        self.halves[0].set_up(men);
        self.halves[1].set_up(men.turned());
        let halves = if self.own_twin { 1 } else { 2 };
        for half in 0..halves {
            self.first_look(half);
        }
        if self.pair.method.distances {
            self.spread_by_distance();
        } else {
            for half in 0..halves {
                self.spread_all(half);
            }
        }
        (0..halves).map(|half| self.store(half)).sum()
    }

    /// Values what can be valued without the steps of kings, and counts those.
    fn first_look(&mut self, number: usize) {
        let (pair, half) = (self.pair, &mut self.halves[number]);
        let layout = half.layout;
        let mut cursor = Cursor::at_men(&layout, half.men, half.men_index);
        for index in 0..layout.kings() {
            if index > 0 {
                cursor.step();
            }
            let board = cursor.board();
            let mut exits = Best::default();
            let steps = if board.is_capture_due() {
                board.each_capture(&mut |after| exits.add(pair.value(after)));
                0
            } else {
                board.each_man_step(&mut |after| exits.add(pair.value(after)));
                board.count_king_steps() as u8
            };
            let value = if steps == 0 { exits.value() } else { exits.win().unwrap_or(Value::UNKNOWN) };
            half.open.push(if steps == 0 { FORCED } else { steps + u8::from(exits.has_draw()) });
            if pair.method.distances {
                half.values.push(value.0);
                half.longest_exit.push(exits.longest_loss());
                if let Some(plies) = value.plies() {
                    self.fresh[usize::from(plies)].push((number, Kings::of(board)));
                    self.waiting += 1;
                }
            } else {
                half.values.push(value.without_distance().0);
            }
        }
    }

    /// Tells the predecessors of every solved position, and of those that get solved by it, in any order.
    fn spread_all(&mut self, half: usize) {
        let Half { layout, men, men_index, .. } = self.halves[half];
        let mut cursor = Cursor::at_men(&layout, men, men_index);
        for index in 0..layout.kings() as usize {
            if index > 0 {
                cursor.step();
            }
            let this = &self.halves[half];
            let value = Value(this.values[index]);
            if value.plies().is_some() && this.open[index] != TOLD {
                self.tell_predecessors(half, Kings::of(cursor.board()), value);
                while let Some((half, kings)) = self.fresh[0].pop() {
                    let this = &self.halves[half];
                    let value = Value(this.values[this.index(kings)]);
                    self.tell_predecessors(half, kings, value);
                }
            }
        }
    }

    /// The same in the order of distance, so that when a position is told on its value is its best.
    fn spread_by_distance(&mut self) {
        for plies in 0..=Value::MAX_PLIES {
            if self.waiting == 0 {
                return;
            }
            while let Some((half, kings)) = self.fresh[usize::from(plies)].pop() {
                self.waiting -= 1;
                let this = &self.halves[half];
                // A win by a man's step may have become a shorter one since.
                if this.values[this.index(kings)] == plies {
                    self.tell_predecessors(half, kings, Value(plies));
                }
            }
        }
        // What is too far is stored as such, and the build will end.
        self.fresh[usize::from(Value::TOO_FAR.0)].clear();
        self.waiting = 0;
    }

    /// Tells the positions from which a king of the other side has stepped here.
    fn tell_predecessors(&mut self, half: usize, kings: Kings, value: Value) {
        let before = if self.own_twin { half } else { 1 - half };
        let exact = self.pair.method.distances;
        let Unit { halves, fresh, waiting, .. } = self;
        let there = &mut halves[before];
        let after = Kings { own: kings.opp.reverse_bits(), opp: kings.own.reverse_bits() };
        let empty = Board { own_kings: after.own, opp_kings: after.opp, ..there.men }.empty();
        for to in bits(after.own) {
            for from in bits(neighbours(to) & empty) {
                let kings = Kings { own: after.own ^ to ^ from, ..after };
                let index = there.index(kings);
                if exact {
                    if let Some(plies) = there.hear_distance(index, value) {
                        fresh[usize::from(plies)].push((before, kings));
                        *waiting += 1;
                    }
                } else if there.hear(index, value) {
                    fresh[0].push((before, kings));
                }
            }
        }
    }

    fn store(&self, half: usize) -> u64 {
        let this = &self.halves[half];
        let cells = if self.pair.is_own_twin() { &self.pair.cells[0] } else { &self.pair.cells[half] };
        let start = u64::from(this.men_index) * this.layout.kings();
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

impl Half {
    fn new(layout: Layout) -> Half {
        Half {
            layout,
            men_index: 0,
            men: Board::default(),
            places: [0; 32],
            values: Vec::new(),
            open: Vec::new(),
            longest_exit: Vec::new(),
        }
    }

    fn set_up(&mut self, men: Board) {
        self.men = men;
        self.men_index = self.layout.men_index(men.own_men, men.opp_men);
        let taken = men.own_men | men.opp_men;
        let mut free = 0;
        for (square, place) in self.places.iter_mut().enumerate() {
            *place = free;
            free += u8::from(taken >> square & 1 == 0);
        }
        self.values.clear();
        self.open.clear();
        self.longest_exit.clear();
    }

    /// As [`Layout::kings_index`], by the places of this unit.
    #[inline]
    fn index(&self, kings: Kings) -> usize {
        let place = |bit: u32| u32::from(self.places[bit.trailing_zeros() as usize & 31]);
        let mut own = 0;
        for (k, bit) in (1..).zip(bits(kings.own)) {
            own += choose(place(bit), k);
        }
        let mut opp = 0;
        for (k, bit) in (1..).zip(bits(kings.opp)) {
            let below = bits(kings.own).map(|own| u32::from(own < bit)).sum::<u32>();
            opp += choose(place(bit) - below, k);
        }
        own as usize * self.layout.opp_kings() as usize + opp as usize
    }

    /// Takes note that a step leads to a position won or lost for the other side. Says whether that solved it.
    #[inline]
    fn hear(&mut self, index: usize, after: Value) -> bool {
        if Value(self.values[index]) != Value::UNKNOWN {
            return false;
        }
        if after.is_loss() {
            self.values[index] = 1;
        } else if self.open[index] > 1 {
            self.open[index] -= 1;
            return false;
        } else {
            self.values[index] = 0;
        }
        self.open[index] = TOLD;
        true
    }

    /// The same with distances. Gives the new distance if there is one, which may replace a longer win.
    #[inline]
    fn hear_distance(&mut self, index: usize, after: Value) -> Option<u8> {
        let (open, known) = (self.open[index], self.values[index]);
        if open == FORCED {
            return None;
        }
        let plies = if after.is_loss() {
            after.0 + 1
        } else {
            self.open[index] = open - 1;
            if open > 1 || Value(known) != Value::UNKNOWN {
                return None;
            }
            self.longest_exit[index].max(after.0 + 1)
        };
        if plies >= known {
            return None;
        }
        self.values[index] = plies;
        Some(plies)
    }
}
