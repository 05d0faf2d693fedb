//! A cursor over the boards of a slice in index order, faster than unranking each index.

use crate::board::{Board, bits};
use crate::index::SliceIndex;

/// A board of a slice, from which it steps to the next.
#[derive(Clone, Debug)]
pub(crate) struct BoardCursor<'a> {
    indexing: &'a SliceIndex,
    board: Board,
    men_index: u32,
}

impl<'a> BoardCursor<'a> {
    /// A cursor on the board with this index.
    pub(crate) fn new(indexing: &'a SliceIndex, index: u64) -> BoardCursor<'a> {
        BoardCursor { indexing, board: indexing.board(index), men_index: (index / indexing.kings()) as u32 }
    }

    /// A cursor on the first board with these men, whose index is `men_index`.
    pub(crate) fn at_men(indexing: &'a SliceIndex, men: Board, men_index: u32) -> BoardCursor<'a> {
        let material = indexing.material();
        let taken = men.own_men | men.opp_men;
        let own_kings = lowest(material.own_kings, !taken);
        let opp_kings = lowest(material.opp_kings, !(taken | own_kings));
        BoardCursor { indexing, board: Board { own_kings, opp_kings, ..men }, men_index }
    }

    #[inline]
    pub(crate) fn board(&self) -> Board {
        self.board
    }

    /// Steps to the next board. After the last one it stays where it is.
    #[inline]
    pub(crate) fn step(&mut self) {
        let Board { own_men, own_kings, opp_men, opp_kings } = self.board;
        let men = own_men | opp_men;
        if let Some(next) = next_set(opp_kings, !(men | own_kings)) {
            self.board.opp_kings = next;
        } else {
            self.step_own_kings(men);
        }
    }

    fn step_own_kings(&mut self, men: u32) {
        let material = self.indexing.material();
        if let Some(next) = next_set(self.board.own_kings, !men) {
            self.board.own_kings = next;
            self.board.opp_kings = lowest(material.opp_kings, !(men | next));
        } else if self.men_index + 1 < self.indexing.men() {
            let (own_men, opp_men) = self.indexing.men_at(self.men_index + 1);
            let men = Board { own_men, opp_men, ..Board::default() };
            *self = BoardCursor::at_men(self.indexing, men, self.men_index + 1);
        }
    }
}

/// The set after this one among those of its size within `free`, in the order of their rank.
#[inline]
fn next_set(set: u32, free: u32) -> Option<u32> {
    let first = set & set.wrapping_neg();
    // Squares that are not free are filled, so the carry runs to the first free square above the lowest run.
    let (sum, beyond) = (set | !free).overflowing_add(first);
    if beyond || first == 0 {
        return None;
    }
    let moved = sum & free;
    Some(moved | lowest(set.count_ones() - moved.count_ones(), free))
}

/// The lowest squares of a set.
#[inline]
fn lowest(count: u32, set: u32) -> u32 {
    bits(set).take(count as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn steps_follow_the_index() {
        for material in (2..=6).flat_map(Material::all) {
            let indexing = SliceIndex::new(material);
            let positions = indexing.positions();
            for start in [0, positions / 3, positions.saturating_sub(5000)] {
                let mut cursor = BoardCursor::new(&indexing, start);
                for index in start..positions.min(start + 5000) {
                    assert_eq!(indexing.index(cursor.board()), index, "{material}");
                    cursor.step();
                }
            }
        }
    }
}
