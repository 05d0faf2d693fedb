//! Verification of the tables: derives every value again from the values of its successors.
//!
//! With distances, this is a proof: a win in 5 rests on a loss in 4, and so on down to positions without a move.
//! Without them, it shows that no value contradicts its successors, and that compression and the disk have damaged
//! nothing.

use crownhead_rules::{Position, Rng, Side};

use crate::Wdl;
use crate::board::Board;
use crate::board_cursor::BoardCursor;
use crate::error::Error;
use crate::expand::{expand, value_after};
use crate::index::SliceIndex;
use crate::material::Material;
use crate::section::{BLOCK, LongestDtw, WdlCounts, block_len};
use crate::solved_slices::SolvedSlices;
use crate::tablebase::Tablebase;
use crate::threads;
use crate::value::{BestOfMoves, Value};

impl Tablebase {
    /// Derives every value again. Calls `done` with the number of positions checked, a few at a time.
    ///
    /// # Errors
    /// The first position found whose value is wrong, or a slice whose stored counts do not match its positions.
    pub fn verify(&self, threads: usize, done: &(impl Fn(u64) + Sync)) -> Result<(), Error> {
        let mut solved = SolvedSlices::new();
        for pieces in 2..=self.max_pieces() {
            let distances = pieces <= self.max_distance_pieces();
            if !distances {
                solved.drop_distances();
            }
            for pair in Material::pairs(pieces) {
                if pieces == self.max_pieces() {
                    // No larger table follows, and quiet moves lead to slices with as many men or one fewer.
                    solved.retain(|m| m.pieces() < pieces || m.men() + 1 >= pair[0].men());
                }
                let packed: Vec<_> = pair.iter().filter_map(|&m| self.loaded.packed(m, distances)).collect();
                let values = expand(&packed, &solved, threads);
                let pair = UnpackedPair { materials: &pair, values: &values, solved: &solved };
                pair.verify(self, distances, threads, done)?;
                let materials = pair.materials.to_vec();
                for (material, values) in materials.into_iter().zip(values) {
                    solved.insert(material, values, distances);
                }
            }
        }
        Ok(())
    }

    /// Derives the values of `count` random positions again, drawn from the seed. Probes through the public interface,
    /// and generates moves with `crownhead-rules` instead of the crate's own generator.
    ///
    /// # Errors
    /// The first position found whose value is wrong.
    pub fn verify_sample(&self, count: u64, seed: u64, done: &impl Fn(u64)) -> Result<(), Error> {
        let indices: Vec<_> = (2..=self.max_pieces()).flat_map(Material::all).map(SliceIndex::new).collect();
        let total: u64 = indices.iter().map(SliceIndex::positions).sum();
        let mut rng = Rng::new(seed);
        for _ in 0..count {
            let mut index = rng.below(total);
            let indexing = indices.iter().find(|indexing| match index.checked_sub(indexing.positions()) {
                Some(rest) => {
                    index = rest;
                    false
                }
                None => true,
            });
            let board = indexing.expect("the index is below the total").board(index);
            let side = if rng.next_u64().is_multiple_of(2) { Side::Black } else { Side::White };
            self.verify_position(&board.to_position(side))?;
            done(1);
        }
        Ok(())
    }

    fn verify_position(&self, position: &Position) -> Result<(), Error> {
        let wrong =
            |stored: String, derived: String| Error::Wrong { fen: position.to_string(), stored, derived };
        let successors: Vec<_> = position.moves().into_iter().map(|mv| position.play_unchecked(mv)).collect();
        let stored = self.probe(position);
        let derived = successors.iter().map(|after| self.probe(after).map(|wdl| -wdl));
        let derived = derived.max().unwrap_or(Some(Wdl::Loss));
        if stored != derived {
            return Err(wrong(describe(stored), describe(derived)));
        }
        let Some(plies) = self.distance(position) else { return Ok(()) };
        let after = successors
            .iter()
            .filter(|after| self.probe(after).map(|wdl| -wdl) == stored)
            .map(|after| self.distance(after).map_or(0, |plies| plies + 1));
        let derived = if stored == Some(Wdl::Win) { after.min() } else { after.max() }.unwrap_or(0);
        if plies == derived {
            Ok(())
        } else {
            Err(wrong(
                format!("{} in {plies}", describe(stored)),
                format!("{} in {derived}", describe(stored)),
            ))
        }
    }
}

fn describe(value: Option<Wdl>) -> String {
    value.map_or("position without a value".into(), |wdl| wdl.to_string())
}

/// A slice and its twin, with all slices that they lead to.
struct UnpackedPair<'a> {
    materials: &'a [Material],
    values: &'a [Vec<u8>],
    solved: &'a SolvedSlices,
}

impl UnpackedPair<'_> {
    fn verify(
        &self,
        tables: &Tablebase,
        distances: bool,
        threads: usize,
        done: &(impl Fn(u64) + Sync),
    ) -> Result<(), Error> {
        let indices: Vec<_> = self.materials.iter().map(|&material| SliceIndex::new(material)).collect();
        for (indexing, values) in indices.iter().zip(self.values) {
            let blocks = values.len().div_ceil(BLOCK);
            let wrong = threads::map(threads, blocks, |block| {
                let wrong = self.first_wrong(&indices, indexing, values, block, distances);
                done(block_len(indexing, block) as u64);
                wrong
            });
            wrong.into_iter().flatten().next().map_or(Ok(()), Err)?;
            let slice = tables.loaded.slice(indexing.material());
            let right = slice.is_some_and(|slice| {
                slice.wdl.section().counts == WdlCounts::of(values)
                    && (!distances
                        || slice.dtw.as_ref().is_some_and(|p| p.section().longest == LongestDtw::of(values)))
            });
            if !right {
                return Err(Error::Miscounted(indexing.material().to_string()));
            }
        }
        Ok(())
    }

    fn first_wrong(
        &self,
        indices: &[SliceIndex],
        indexing: &SliceIndex,
        values: &[u8],
        block: usize,
        distances: bool,
    ) -> Option<Error> {
        let start = block * BLOCK;
        let mut cursor = BoardCursor::new(indexing, start as u64);
        values[start..start + block_len(indexing, block)].iter().find_map(|&stored| {
            let board = cursor.board();
            cursor.step();
            let mut best = BestOfMoves::default();
            board.each_move(&mut |after| best.add(self.value_after(indices, after)));
            let derived = if distances { best.value() } else { best.value().without_distance() };
            let describe = |value: Value| match value.plies() {
                Some(plies) if distances => format!("{} in {plies}", value.wdl()),
                _ => value.wdl().to_string(),
            };
            let fen = || board.to_position(Side::Black).to_string();
            (derived.0 != stored).then(|| Error::Wrong {
                fen: fen(),
                stored: describe(Value(stored)),
                derived: describe(derived),
            })
        })
    }

    fn value_after(&self, indices: &[SliceIndex], board: Board) -> Value {
        let material = Material::of(board);
        match indices.iter().position(|indexing| indexing.material() == material) {
            Some(half) => Value(self.values[half][indices[half].index(board) as usize]),
            None => value_after(board, self.solved),
        }
    }
}
