//! Material: the numbers of men and kings of each side, which define the slices of the tables.

use std::fmt;

use crate::board::Board;
use crate::index::SliceIndex;

/// The largest number of pieces, of both sides together, that the index supports.
pub const MAX_PIECES: u32 = 8;

/// The pieces on the board, regardless of their squares. `own` is the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Men of the side to move.
    pub own_men: u32,
    /// Kings of the side to move.
    pub own_kings: u32,
    /// Men of the other side.
    pub opp_men: u32,
    /// Kings of the other side.
    pub opp_kings: u32,
}

impl Material {
    #[inline]
    pub(crate) fn of(board: Board) -> Material {
        Material {
            own_men: board.own_men.count_ones(),
            own_kings: board.own_kings.count_ones(),
            opp_men: board.opp_men.count_ones(),
            opp_kings: board.opp_kings.count_ones(),
        }
    }

    /// Every slice of this many pieces with both sides present. Each comes after all slices that its positions lead to
    /// without a capture, except its twin: the same material with the other side to move.
    pub fn all(pieces: u32) -> Vec<Material> {
        let mut all: Vec<_> = (1..pieces)
            .flat_map(|own| (0..=own).map(move |own_men| (own, own_men)))
            .flat_map(|(own, own_men)| {
                let opp = pieces - own;
                (0..=opp).map(move |opp_men| Material {
                    own_men,
                    own_kings: own - own_men,
                    opp_men,
                    opp_kings: opp - opp_men,
                })
            })
            .collect();
        // A quiet move keeps the material or crowns a man.
        all.sort_by_key(|material| (material.men(), *material.min(&material.turned()), *material));
        all
    }

    /// The number of positions with this many pieces.
    pub fn positions(pieces: u32) -> u64 {
        Material::all(pieces).into_iter().map(|material| SliceIndex::new(material).positions()).sum()
    }

    /// This slice and its twin, which are solved together; one entry if they are the same.
    pub(crate) fn twins(self) -> Vec<Material> {
        if self == self.turned() { vec![self] } else { vec![self, self.turned()] }
    }

    /// Every slice of [`all`](Material::all) with its twin, in the same order.
    pub(crate) fn pairs(pieces: u32) -> impl Iterator<Item = Vec<Material>> {
        let first_of_twins = |material: &Material| *material <= material.turned();
        Material::all(pieces).into_iter().filter(first_of_twins).map(Material::twins)
    }

    /// The slice after the side to move crowns a man.
    pub(crate) fn crowned(self) -> Option<Material> {
        let own_men = self.own_men.checked_sub(1)?;
        Some(Material { own_men, own_kings: self.own_kings + 1, ..self }.turned())
    }

    /// The number of pieces.
    #[inline]
    pub const fn pieces(self) -> u32 {
        self.own_men + self.own_kings + self.opp_men + self.opp_kings
    }

    /// The number of men.
    #[inline]
    pub const fn men(self) -> u32 {
        self.own_men + self.opp_men
    }

    /// The same material with the other side to move.
    #[inline]
    pub const fn turned(self) -> Material {
        Material {
            own_men: self.opp_men,
            own_kings: self.opp_kings,
            opp_men: self.own_men,
            opp_kings: self.own_kings,
        }
    }

    /// An index into an array of [`Material::CODES`] elements.
    #[inline]
    pub(crate) const fn code(self) -> usize {
        let base = MAX_PIECES as usize;
        ((self.own_men as usize * base + self.own_kings as usize) * base + self.opp_men as usize) * base
            + self.opp_kings as usize
    }

    /// One more than the greatest code; no side has all [`MAX_PIECES`] pieces, so seven is the largest digit.
    pub(crate) const CODES: usize = (MAX_PIECES * MAX_PIECES * MAX_PIECES * MAX_PIECES) as usize;
}

/// Four digits: own men, own kings, men and kings of the other side.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}{}", self.own_men, self.own_kings, self.opp_men, self.opp_kings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_slices_as_ways_to_divide_the_pieces() {
        assert_eq!([2, 3, 4, 5, 6].map(|pieces| Material::all(pieces).len()), [4, 12, 25, 44, 70]);
    }

    #[test]
    fn a_slice_comes_after_those_it_promotes_to() {
        let all = Material::all(5);
        for (at, &material) in all.iter().enumerate() {
            let place = |wanted: Material| all.iter().position(|&other| other == wanted).unwrap();
            if material.own_men > 0 {
                let crowned =
                    Material { own_men: material.own_men - 1, own_kings: material.own_kings + 1, ..material };
                assert!(place(crowned) < at && place(crowned.turned()) < at, "{material}");
            }
            assert!(place(material.turned()).abs_diff(at) <= 1, "{material}");
        }
    }
}
