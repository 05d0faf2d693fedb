//! Retrograde analysis: solves a slice and its twin from the finished slices that they lead to.
//!
//! The twin of a slice has the same material with the other side to move.
//!
//! Men only move forward, so each placement of men is a subslice in which only kings move: a step of a man leads to a
//! subslice whose men are one row further in total, a crowning or a capture to another slice. Subslices are solved in
//! layers by the total advance of their men, the most advanced first. Those of one layer do not depend on each other,
//! so threads solve them in parallel, and each is small enough for the cache of a core.

mod subslice;

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::thread;

use crate::board::{Board, bits};
use crate::index::SliceIndex;
use crate::material::Material;
use crate::solved_slices::SolvedSlices;
use crate::value::Value;
use subslice::Subslice;

/// Threads take subslices from a layer in batches of about this many positions, so that they seldom contend.
const BATCH_POSITIONS: u64 = 1 << 14;

/// How a table is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    /// With distances (DTW), or win, draw and loss only.
    pub(crate) distances: bool,
    pub(crate) threads: usize,
}

/// A slice and its twin, one byte per position, [`Value::UNKNOWN`] until its subslice is solved.
pub(crate) struct SlicePair<'a> {
    indices: [SliceIndex; 2],
    cells: [Box<[AtomicU8]>; 2],
    finished: &'a SolvedSlices,
    method: Method,
}

impl<'a> SlicePair<'a> {
    /// Solves a slice and its twin. Calls `solved` with the number of positions finished, a few at a time.
    pub(crate) fn solve(
        material: Material,
        finished: &'a SolvedSlices,
        method: Method,
        solved: &(impl Fn(u64) + Sync),
    ) -> [Vec<u8>; 2] {
        let indices = [SliceIndex::new(material), SliceIndex::new(material.turned())];
        let blank = |indexing: &SliceIndex| {
            (0..indexing.positions()).map(|_| AtomicU8::new(Value::UNKNOWN.0)).collect::<Box<[_]>>()
        };
        // A slice that is its own twin has one set of cells.
        let twin = if material == material.turned() { Box::default() } else { blank(&indices[1]) };
        let pair = SlicePair { indices, cells: [blank(&indices[0]), twin], finished, method };
        for layer in pair.layers() {
            pair.solve_layer(&layer, solved);
        }
        pair.cells.map(|cells| cells.into_iter().map(AtomicU8::into_inner).collect())
    }

    fn is_own_twin(&self) -> bool {
        self.cells[1].is_empty()
    }

    /// The indices of the placements of men, in layers that only lead to earlier ones. If the slice is its own twin,
    /// one of each pair of mirrored placements is enough.
    fn layers(&self) -> Vec<Vec<u32>> {
        let mut layers = Vec::new();
        for index in 0..self.indices[0].men() {
            let (own, opp) = self.indices[0].men_at(index);
            if self.is_own_twin() && self.indices[1].men_index(opp.reverse_bits(), own.reverse_bits()) < index
            {
                continue;
            }
            let steps_made = rows(own) + rows(opp.reverse_bits());
            if layers.len() <= steps_made {
                layers.resize(steps_made + 1, Vec::new());
            }
            layers[steps_made].push(index);
        }
        layers.reverse();
        layers
    }

    fn solve_layer(&self, layer: &[u32], solved: &(impl Fn(u64) + Sync)) {
        let next = AtomicUsize::new(0);
        let batch = (BATCH_POSITIONS / self.indices[0].kings()).max(1) as usize;
        let work = || {
            let mut subslice = Subslice::new(self);
            loop {
                let start = next.fetch_add(batch, Ordering::Relaxed);
                let Some(rest) = layer.get(start..) else { break };
                for &men in &rest[..batch.min(rest.len())] {
                    solved(subslice.solve(men));
                }
            }
        };
        let threads = self.method.threads.min(layer.len().div_ceil(batch));
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
    }

    /// The value of a board outside the subslice under analysis.
    fn value(&self, board: Board) -> Value {
        if board.own() == 0 {
            return Value::LOST;
        }
        let material = Material::of(board);
        let half = if material == self.indices[0].material() {
            0
        } else if material == self.indices[1].material() {
            1
        } else {
            return self.finished.value(board);
        };
        let value = Value(self.cells[half][self.indices[half].index(board) as usize].load(Ordering::Relaxed));
        debug_assert_ne!(value, Value::UNKNOWN, "a subslice was read before it was solved");
        value
    }
}

/// The sum of the rows that the men stand on.
fn rows(men: u32) -> usize {
    bits(men).map(|man| man.trailing_zeros() as usize / 4).sum()
}
