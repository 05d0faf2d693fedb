//! One placement of men, with either side to move: the kings go about between them.

use std::sync::atomic::Ordering;

use super::{Finished, Pair};
use crate::board::{Board, bits, neighbours};
use crate::cursor::Cursor;
use crate::index::{Layout, choose};
use crate::value::{Best, Value};

/// In place of a count of moves: a capture is due, so no step of a king comes from here.
const FORCED: u8 = u8::MAX;
/// In place of a count of moves: solved by the steps of kings, which have been told on.
const TOLD: u8 = u8::MAX - 1;

/// Room to solve units in, one after another.
pub(super) struct Unit<'a, F> {
    pair: &'a Pair<'a, F>,
    /// One half for each side to move; only the first is used if they mirror each other.
    halves: [Half; 2],
    own_twin: bool,
    /// Newly solved positions whose predecessors have not been told yet.
    fresh: Vec<(usize, Kings)>,
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

    fn board(&self, kings: Kings) -> Board {
        Board { own_kings: kings.own, opp_kings: kings.opp, ..self.men }
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
}

impl<'a, F: Finished> Unit<'a, F> {
    pub(super) fn new(pair: &'a Pair<'a, F>) -> Unit<'a, F> {
        Unit { pair, halves: pair.layouts.map(Half::new), own_twin: false, fresh: Vec::new() }
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
            self.spread_by_distance(halves);
        } else {
            for half in 0..halves {
                self.spread_all(half);
            }
        }
        (0..halves).map(|half| self.store(half)).sum()
    }

    /// Values what can be valued without the steps of kings, and counts those.
    fn first_look(&mut self, half: usize) {
        let (pair, half) = (self.pair, &mut self.halves[half]);
        let exact = pair.method.distances;
        let size = half.layout.kings() as usize;
        let (mut values, mut open, mut longest) =
            (take(&mut half.values, size), take(&mut half.open, size), take(&mut half.longest_exit, size));
        let layout = half.layout;
        let mut cursor = Cursor::new(&layout, u64::from(half.men_index) * layout.kings());
        for _ in 0..size {
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
            open.push(if steps == 0 { FORCED } else { steps + u8::from(exits.has_draw()) });
            if exact {
                values.push(value.0);
                longest.push(exits.longest_loss());
            } else {
                values.push(value.without_distance().0);
            }
            cursor.step();
        }
        (half.values, half.open, half.longest_exit) = (values, open, longest);
    }

    /// Tells the predecessors of every solved position, and of those that get solved by it, in any order.
    fn spread_all(&mut self, half: usize) {
        let Half { layout, men_index, .. } = self.halves[half];
        let mut cursor = Cursor::new(&layout, u64::from(men_index) * layout.kings());
        for index in 0..layout.kings() as usize {
            let this = &self.halves[half];
            if Value(this.values[index]) != Value::UNKNOWN && this.open[index] != TOLD {
                let Board { own_kings: own, opp_kings: opp, .. } = cursor.board();
                self.fresh.push((half, Kings { own, opp }));
                while let Some((half, kings)) = self.fresh.pop() {
                    self.tell_predecessors(half, kings);
                }
            }
            cursor.step();
        }
    }

    /// The same in the order of distance, so that the first value a position gets is its best.
    fn spread_by_distance(&mut self, halves: usize) {
        for plies in 0..=Value::MAX_PLIES {
            let mut last = true;
            for half in 0..halves {
                for index in 0..self.halves[half].values.len() {
                    let value = self.halves[half].values[index];
                    if value == plies {
                        let this = &self.halves[half];
                        let (own, opp) = this.layout.kings_at(this.men, index as u64);
                        self.tell_predecessors(half, Kings { own, opp });
                        last = false;
                    }
                    last &= value <= plies || Value(value).plies().is_none();
                }
            }
            if last {
                return;
            }
        }
    }

    /// Tells the positions from which a king of the other side has stepped here.
    fn tell_predecessors(&mut self, half: usize, kings: Kings) {
        let value = Value(self.halves[half].values[self.halves[half].index(kings)]);
        if value == Value::DRAW {
            return;
        }
        let before = if self.own_twin { half } else { 1 - half };
        let exact = self.pair.method.distances;
        let Unit { halves, fresh, .. } = self;
        let there = &mut halves[before];
        let after = Kings { own: kings.opp.reverse_bits(), opp: kings.own.reverse_bits() };
        let empty = there.board(after).empty();
        for to in bits(after.own) {
            for from in bits(neighbours(to) & empty) {
                let kings = Kings { own: after.own ^ to ^ from, ..after };
                let index = there.index(kings);
                if there.hear(index, value, exact) && !exact {
                    there.open[index] = TOLD;
                    fresh.push((before, kings));
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

impl Half {
    /// Takes note that a step leads to a position of this value. Says whether that solved it.
    #[inline]
    fn hear(&mut self, index: usize, after: Value, exact: bool) -> bool {
        let open = self.open[index];
        let known = Value(self.values[index]);
        if open == FORCED || !exact && known != Value::UNKNOWN {
            return false;
        }
        if after.is_loss() {
            // A win by a man's step may be known already, but a longer one.
            self.values[index] = if exact { known.0.min(after.0 + 1) } else { 1 };
            return true;
        }
        self.open[index] = open - 1;
        if open > 1 || known != Value::UNKNOWN {
            return false;
        }
        self.values[index] = if exact { (after.0 + 1).max(self.longest_exit[index]) } else { 0 };
        true
    }
}

fn take(room: &mut Vec<u8>, size: usize) -> Vec<u8> {
    let mut room = std::mem::take(room);
    room.reserve(size);
    room
}
