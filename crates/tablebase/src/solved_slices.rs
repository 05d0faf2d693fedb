//! Solved slices in memory, unpacked: retrograde analysis and verification look up successors here.

use crate::board::Board;
use crate::cache::Block;
use crate::expand::expand;
use crate::index::SliceIndex;
use crate::material::Material;
use crate::packed_wdl::PackedWdl;
use crate::tablebase::Tablebase;
use crate::value::Value;

/// Slices by their material.
pub(crate) struct SolvedSlices {
    slices: Vec<Option<Slice>>,
}

struct Slice {
    indexing: SliceIndex,
    values: Values,
}

/// The values of a slice, by index.
enum Values {
    /// With distances.
    Bytes(Vec<u8>),
    /// Win, draw and loss only.
    Packed(PackedWdl),
}

impl SolvedSlices {
    pub(crate) fn new() -> SolvedSlices {
        SolvedSlices { slices: (0..Material::CODES).map(|_| None).collect() }
    }

    pub(crate) fn contains(&self, material: Material) -> bool {
        self.slices[material.code()].is_some()
    }

    /// Adds a slice; `values` has one byte for each position.
    pub(crate) fn insert(&mut self, material: Material, values: Vec<u8>, distances: bool) {
        let indexing = SliceIndex::new(material);
        debug_assert_eq!(values.len() as u64, indexing.positions());
        let values = if distances { Values::Bytes(values) } else { Values::packed(&values) };
        self.slices[material.code()] = Some(Slice { indexing, values });
    }

    /// Adds the slices of up to this many pieces from finished tables, except those that are already loaded.
    pub(crate) fn load(&mut self, tables: &Tablebase, pieces: u32, distances: bool, threads: usize) {
        for pair in (2..=pieces).flat_map(Material::pairs) {
            if pair.iter().all(|&material| self.contains(material)) {
                continue;
            }
            let packed: Vec<_> = pair.iter().filter_map(|&m| tables.loaded.packed(m, distances)).collect();
            for (material, values) in pair.into_iter().zip(expand(&packed, self, threads)) {
                self.insert(material, values, distances);
            }
        }
    }

    /// Reduces all slices to win, draw and loss, in a quarter of the memory.
    pub(crate) fn drop_distances(&mut self) {
        for slice in self.slices.iter_mut().flatten() {
            if let Values::Bytes(bytes) = &slice.values {
                slice.values = Values::packed(bytes);
            }
        }
    }

    /// Drops all slices for which `keep` is false.
    pub(crate) fn retain(&mut self, keep: impl Fn(Material) -> bool) {
        for slot in &mut self.slices {
            slot.take_if(|slice| !keep(slice.indexing.material()));
        }
    }

    /// The memory of the slices, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let size = |slice: &Slice| match &slice.values {
            Values::Bytes(bytes) => bytes.len(),
            Values::Packed(packed_wdl) => packed_wdl.size(),
        };
        self.slices.iter().flatten().map(|slice| size(slice) as u64).sum()
    }
}

impl Values {
    fn packed(bytes: &[u8]) -> Values {
        Values::Packed(bytes.iter().copied().map(Value).collect())
    }
}

impl SolvedSlices {
    /// The value of a board on which both sides have pieces.
    #[inline]
    pub(crate) fn value(&self, board: Board) -> Value {
        let slice = self.slices[Material::of(board).code()].as_ref();
        let slice = slice.expect("slices are solved after all those that they lead to");
        let index = slice.indexing.index(board) as usize;
        match &slice.values {
            Values::Bytes(bytes) => Value(bytes[index]),
            Values::Packed(packed_wdl) => packed_wdl.get(index),
        }
    }
}
