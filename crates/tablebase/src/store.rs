//! Finished slices in memory, unpacked: what the solver looks its successors up in.

use crate::board::Board;
use crate::index::Layout;
use crate::material::Material;
use crate::solve::Finished;
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
    /// With distances, a byte each.
    Bytes(Vec<u8>),
    /// Win, draw and loss only: four in a byte, as 1, 2 and 0.
    Quarters(Vec<u8>),
}

impl Store {
    pub(crate) fn new() -> Store {
        Store { slices: (0..Material::CODES).map(|_| None).collect() }
    }

    /// Adds a slice given as a byte for each value.
    pub(crate) fn insert(&mut self, material: Material, values: Vec<u8>, distances: bool) {
        let layout = Layout::new(material);
        debug_assert_eq!(values.len() as u64, layout.positions());
        let values = if distances {
            Values::Bytes(values)
        } else {
            Values::Quarters(values.chunks(4).map(pack_quarters).collect())
        };
        self.slices[material.code()] = Some(Slice { layout, values });
    }
}

fn pack_quarters(values: &[u8]) -> u8 {
    values
        .iter()
        .rev()
        .fold(0, |byte, &value| byte << 2 | if Value(value) == Value::DRAW { 2 } else { value & 1 })
}

impl Finished for Store {
    #[inline]
    fn value(&self, board: Board) -> Value {
        let slice = self.slices[Material::of(board).code()].as_ref();
        let slice = slice.expect("slices are solved after all those that they lead to");
        let index = slice.layout.index(board) as usize;
        match &slice.values {
            Values::Bytes(bytes) => Value(bytes[index]),
            Values::Quarters(quarters) => match quarters[index / 4] >> (index % 4 * 2) & 3 {
                2 => Value::DRAW,
                plies => Value(plies),
            },
        }
    }
}
