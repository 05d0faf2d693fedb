//! Decompression of a slice and its twin (the same material with the other side to move).
//!
//! It derives values that are not stored from captures and moves, and the distances of wins from the losses that they
//! lead to.

use crate::board::Board;
use crate::board_cursor::BoardCursor;
use crate::dtw::LossDistances;
use crate::index::SliceIndex;
use crate::material::Material;
use crate::packed_wdl::PackedWdl;
use crate::section::{BLOCK, DtwSection, WdlSection};
use crate::solved_slices::SolvedSlices;
use crate::threads;
use crate::value::{BestOfMoves, Value};
use crate::value_source::ValueSource;

/// The packed values of a slice: each section with the bytes of its file.
pub(crate) struct Packed<'a> {
    pub(crate) indexing: SliceIndex,
    pub(crate) wdl: (&'a [u8], &'a WdlSection),
    pub(crate) dtw: Option<(&'a [u8], &'a DtwSection)>,
}

impl Packed<'_> {
    /// All values that are stored or found by captures. Values found by moves are still unknown, and stored wins lack
    /// their distance.
    fn unpack(&self, smaller: &SolvedSlices, threads: usize) -> Vec<u8> {
        let mut values = vec![0; self.indexing.positions() as usize];
        threads::fill(threads, &mut values, BLOCK, |block, values| {
            let (file, section) = self.wdl;
            let wdl = section.decode(file, &self.indexing, block);
            let losses = self.dtw.map(|(file, section)| section.decode(file, &self.indexing, block, &wdl));
            let mut cursor = BoardCursor::new(&self.indexing, (block * BLOCK) as u64);
            for (index, value) in values.iter_mut().enumerate() {
                let board = cursor.board();
                cursor.step();
                *value = match ValueSource::of(board, section.compact) {
                    ValueSource::Stored => stored(&wdl, losses.as_ref(), index).0,
                    ValueSource::ByMoves => Value::UNKNOWN.0,
                    ValueSource::ByCaptures => {
                        let mut best = BestOfMoves::default();
                        board.each_capture(&mut |after| best.add(value_after(after, smaller)));
                        if losses.is_some() { best.value().0 } else { best.value().without_distance().0 }
                    }
                };
            }
        });
        values
    }

    /// Completes the values that depend on others with the same number of pieces: those found by moves and, if
    /// distances are known, wins, which are one ply longer than the shortest loss that they lead to.
    fn complete(&self, values: &[u8], after: &(impl Fn(Board) -> Value + Sync), threads: usize) -> Vec<u8> {
        let mut complete = values.to_vec();
        threads::fill(threads, &mut complete, BLOCK, |block, values| {
            let mut cursor = BoardCursor::new(&self.indexing, (block * BLOCK) as u64);
            for value in values {
                let board = cursor.board();
                cursor.step();
                let unknown = Value(*value) == Value::UNKNOWN;
                let unmeasured = self.dtw.is_some() && Value(*value).is_win() && !board.is_capture_due();
                if unknown || unmeasured {
                    let mut best = BestOfMoves::default();
                    board.each_move(&mut |board| best.add(after(board)));
                    *value = if unknown {
                        best.value().without_distance().0
                    } else {
                        best.win().unwrap_or(Value(*value)).0
                    };
                }
            }
        });
        complete
    }
}

/// The value of a stored position.
fn stored(wdl: &PackedWdl, losses: Option<&LossDistances>, index: usize) -> Value {
    losses.and_then(|losses| losses.get(index)).unwrap_or(wdl.get(index))
}

/// The values of all positions of a slice and of its twin, if it has one. All other slices that they lead to must be in
/// `finished`.
pub(crate) fn expand(pair: &[Packed], finished: &SolvedSlices, threads: usize) -> Vec<Vec<u8>> {
    let values: Vec<_> = pair.iter().map(|packed| packed.unpack(finished, threads)).collect();
    let distances = pair.iter().all(|packed| packed.dtw.is_some());
    let after = |board: Board| {
        let material = Material::of(board);
        match pair.iter().position(|packed| packed.indexing.material() == material) {
            Some(half) => {
                let value = Value(values[half][pair[half].indexing.index(board) as usize]);
                // A win may have no distance yet; with distances, only losses matter here.
                if distances && value.is_win() { Value::DRAW } else { value }
            }
            None => value_after(board, finished),
        }
    };
    pair.iter().zip(&values).map(|(packed, values)| packed.complete(values, &after, threads)).collect()
}

/// The value of a board after a move.
#[inline]
pub(crate) fn value_after(board: Board, finished: &SolvedSlices) -> Value {
    if board.own() == 0 { Value::LOST } else { finished.value(board) }
}
