//! Finished slices in memory, unpacked: what the solver looks its successors up in.

use crate::board::Board;
use crate::cache::Block;
use crate::expand::expand;
use crate::index::Layout;
use crate::material::Material;
use crate::quarters::Quarters;
use crate::solve::Finished;
use crate::tablebase::Tablebase;
use crate::value::Value;

/// Slices by their material.
pub(crate) struct Store {
    slices: Vec<Option<Slice>>,
}

struct Slice {
    layout: Layout,
    values: Values,
}

/// The values of a slice, by index.
enum Values {
    /// With distances.
    Bytes(Vec<u8>),
    /// Win, draw and loss only.
    Quarters(Quarters),
}

impl Store {
    pub(crate) fn new() -> Store {
        Store { slices: (0..Material::CODES).map(|_| None).collect() }
    }

    pub(crate) fn contains(&self, material: Material) -> bool {
        self.slices[material.code()].is_some()
    }

    /// Adds a slice given as a byte for each value.
    pub(crate) fn insert(&mut self, material: Material, values: Vec<u8>, distances: bool) {
        let layout = Layout::new(material);
        debug_assert_eq!(values.len() as u64, layout.positions());
        let values = if distances { Values::Bytes(values) } else { Values::quarters(&values) };
        self.slices[material.code()] = Some(Slice { layout, values });
    }

    /// Adds the slices of up to so many pieces from finished tables, unless they are there.
    pub(crate) fn load(&mut self, tables: &Tablebase, pieces: u32, distances: bool, threads: usize) {
        for pair in (2..=pieces).flat_map(Material::pairs) {
            if pair.iter().all(|&material| self.contains(material)) {
                continue;
            }
            let packed: Vec<_> = pair.iter().filter_map(|&m| tables.shelf.packed(m, distances)).collect();
            for (material, values) in pair.into_iter().zip(expand(&packed, self, threads)) {
                self.insert(material, values, distances);
            }
        }
    }

    /// From now on win, draw and loss will do.
    pub(crate) fn drop_distances(&mut self) {
        for slice in self.slices.iter_mut().flatten() {
            if let Values::Bytes(bytes) = &slice.values {
                slice.values = Values::quarters(bytes);
            }
        }
    }

    /// Drops all other slices.
    pub(crate) fn retain(&mut self, keep: impl Fn(Material) -> bool) {
        for slot in &mut self.slices {
            slot.take_if(|slice| !keep(slice.layout.material()));
        }
    }

    /// The bytes that the slices take.
    pub(crate) fn bytes(&self) -> u64 {
        let size = |slice: &Slice| match &slice.values {
            Values::Bytes(bytes) => bytes.len(),
            Values::Quarters(quarters) => quarters.size(),
        };
        self.slices.iter().flatten().map(|slice| size(slice) as u64).sum()
    }
}

impl Values {
    fn quarters(bytes: &[u8]) -> Values {
        Values::Quarters(bytes.iter().copied().map(Value).collect())
    }
}

impl Finished for Store {
    #[inline]
    fn value(&self, board: Board) -> Value {
        let slice = self.slices[Material::of(board).code()].as_ref();
        let slice = slice.expect("slices are solved after all those that they lead to");
        let index = slice.layout.index(board) as usize;
        match &slice.values {
            Values::Bytes(bytes) => Value(bytes[index]),
            Values::Quarters(quarters) => quarters.get(index),
        }
    }
}
