//! The index of a board within its slice, and its inverse: one combinadic formula for every slice.
//!
//! An index is a mixed-radix number with four digits: own men, men of the other side, own kings, kings of the other
//! side. Each digit is the rank of a combination (the combinatorial number system) among the squares that the digits
//! before it left free, so every index is one placement and there are no gaps. Own men are grouped by the number of
//! them on their first row, where no man of the other side can stand: within a group, the men of the other side always
//! have the same number of squares.

use crate::board::{Board, bits};
use crate::material::{MAX_PIECES, Material};

/// The number of squares in a row.
const ROW: u32 = 4;
/// The row where own men start. Men of the other side never stand there: they would be crowned.
const FIRST_ROW: u32 = 0x0000_000f;
/// The number of squares on which men of both sides can stand.
const SHARED: u32 = 24;
/// The number of squares on which men of one side can stand.
const MEN_SQUARES: u32 = 28;
const SQUARES: u32 = 32;

const CHOICES: usize = MAX_PIECES as usize;
static BINOMIALS: [[u32; CHOICES]; SQUARES as usize + 1] = binomials();

const fn binomials() -> [[u32; CHOICES]; SQUARES as usize + 1] {
    let mut table = [[0; CHOICES]; SQUARES as usize + 1];
    let mut n = 0;
    while n <= SQUARES as usize {
        table[n][0] = 1;
        let mut k = 1;
        while k < CHOICES && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of ways to choose `k` of `n`.
#[inline]
pub(crate) fn choose(n: u32, k: u32) -> u32 {
    BINOMIALS[n as usize][k as usize]
}

/// The rank of a set among the sets of its size, ignoring the squares in `taken`.
#[inline]
fn rank(set: u32, taken: u32) -> u32 {
    let mut sum = 0;
    for (k, bit) in (1..).zip(bits(set)) {
        let below = bit - 1;
        sum += choose(bit.trailing_zeros() - (taken & below).count_ones(), k);
    }
    sum
}

/// The set with this rank among the sets of `size` squares, ignoring the squares in `taken`.
fn unrank(mut rank: u32, size: u32, taken: u32) -> u32 {
    let mut set = 0;
    let mut n = SQUARES;
    for k in (1..=size).rev() {
        n = (0..n).rev().find(|&n| choose(n, k) <= rank).expect("a rank is at least 0");
        rank -= choose(n, k);
        set |= nth_free(n, taken);
    }
    set
}

/// The free square with `n` free squares below it.
fn nth_free(n: u32, taken: u32) -> u32 {
    bits(!taken).nth(n as usize).expect("ranks are below the number of sets")
}

/// The sizes of the digits of one slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceIndex {
    material: Material,
    /// The first men index of each group of own men, by the number of them on the first row.
    groups: [u32; ROW as usize + 2],
    own_kings: u32,
    opp_kings: u32,
}

impl SliceIndex {
    pub(crate) fn new(material: Material) -> SliceIndex {
        let mut groups = [0; ROW as usize + 2];
        for first in 0..=ROW {
            let size = if first <= material.own_men {
                choose(ROW, first)
                    * choose(SHARED, material.own_men - first)
                    * choose(MEN_SQUARES - (material.own_men - first), material.opp_men)
            } else {
                0
            };
            groups[first as usize + 1] = groups[first as usize] + size;
        }
        let free = SQUARES - material.men();
        SliceIndex {
            material,
            groups,
            own_kings: choose(free, material.own_kings),
            opp_kings: choose(free - material.own_kings, material.opp_kings),
        }
    }

    pub(crate) const fn material(&self) -> Material {
        self.material
    }

    /// The number of placements of the men.
    pub(crate) const fn men(&self) -> u32 {
        self.groups[ROW as usize + 1]
    }

    /// The number of placements of the kings for each placement of the men.
    pub(crate) const fn kings(&self) -> u64 {
        self.own_kings as u64 * self.opp_kings as u64
    }

    /// The number of placements of the other side's kings for each placement of all other pieces.
    pub(crate) const fn opp_kings(&self) -> u32 {
        self.opp_kings
    }

    /// The difference between the indices of two boards that differ by one in the second-fastest digit. Digits with a
    /// single value do not count.
    pub(crate) fn stride(&self) -> usize {
        let men = choose(MEN_SQUARES - self.material.own_men, self.material.opp_men);
        let digits = [self.opp_kings, self.own_kings, men];
        digits.into_iter().find(|&digit| digit > 1).unwrap_or(1) as usize
    }

    /// The number of positions.
    pub(crate) const fn positions(&self) -> u64 {
        self.men() as u64 * self.kings()
    }

    /// The index of a board of this material.
    #[inline]
    pub(crate) fn index(&self, board: Board) -> u64 {
        debug_assert_eq!(Material::of(board), self.material);
        u64::from(self.men_index(board.own_men, board.opp_men)) * self.kings() + self.kings_index(board)
    }

    /// The index of a placement of men.
    #[inline]
    pub(crate) fn men_index(&self, own: u32, opp: u32) -> u32 {
        let first = own & FIRST_ROW;
        let shared = own & !FIRST_ROW;
        let count = self.material.own_men - first.count_ones();
        let own_rank = rank(first, 0) * choose(SHARED, count) + rank(shared, FIRST_ROW);
        self.groups[first.count_ones() as usize]
            + own_rank * choose(MEN_SQUARES - count, self.material.opp_men)
            + rank(opp, own | FIRST_ROW)
    }

    /// The index of a placement of kings among those with the same men.
    #[inline]
    pub(crate) fn kings_index(&self, board: Board) -> u64 {
        let men = board.own_men | board.opp_men;
        let own = u64::from(rank(board.own_kings, men));
        own * u64::from(self.opp_kings) + u64::from(rank(board.opp_kings, men | board.own_kings))
    }

    /// The kings with this index among the placements with these men: own ones, then those of the other side.
    pub(crate) fn kings_at(&self, men: Board, index: u64) -> (u32, u32) {
        let men = men.own_men | men.opp_men;
        let own = unrank((index / u64::from(self.opp_kings)) as u32, self.material.own_kings, men);
        let opp_rank = (index % u64::from(self.opp_kings)) as u32;
        (own, unrank(opp_rank, self.material.opp_kings, men | own))
    }

    /// The board with this index, which is below [`positions`](SliceIndex::positions).
    pub(crate) fn board(&self, index: u64) -> Board {
        let (own_men, opp_men) = self.men_at((index / self.kings()) as u32);
        let men = Board { own_men, opp_men, ..Board::default() };
        let (own_kings, opp_kings) = self.kings_at(men, index % self.kings());
        Board { own_kings, opp_kings, ..men }
    }

    /// The men with this index, which is below [`men`](SliceIndex::men): own ones, then those of the other side.
    pub(crate) fn men_at(&self, index: u32) -> (u32, u32) {
        let first = (0..=ROW).rfind(|&first| self.groups[first as usize] <= index);
        let first = first.expect("the first group begins at 0");
        let count = self.material.own_men - first;
        let index = index - self.groups[first as usize];
        let opp_ranks = choose(MEN_SQUARES - count, self.material.opp_men);
        let (own_rank, opp_rank) = (index / opp_ranks, index % opp_ranks);
        let shared_ranks = choose(SHARED, count);
        let own =
            unrank(own_rank / shared_ranks, first, 0) | unrank(own_rank % shared_ranks, count, FIRST_ROW);
        (own, unrank(opp_rank, self.material.opp_men, own | FIRST_ROW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_positions_as_published() {
        let count =
            |pieces| Material::all(pieces).into_iter().map(|m| SliceIndex::new(m).positions()).sum::<u64>();
        assert_eq!(count(2), 3_488);
        assert_eq!(count(3), 196_032);
        assert_eq!(count(4), 6_209_316);
        assert_eq!(count(5), 139_450_808);
        assert_eq!(count(6), 2_426_085_676);
        assert_eq!(count(7), 34_243_113_624);
        assert_eq!(count(8), 403_190_250_561);
    }

    #[test]
    fn every_number_of_up_to_four_pieces_is_one_board() {
        for material in (2..=4).flat_map(Material::all) {
            let indexing = SliceIndex::new(material);
            for index in 0..indexing.positions() {
                let board = indexing.board(index);
                assert_eq!(Material::of(board), material);
                assert_eq!(indexing.index(board), index);
            }
        }
    }

    #[test]
    fn numbers_of_larger_slices_lead_back_to_themselves() {
        for material in (5..=MAX_PIECES).flat_map(Material::all) {
            let indexing = SliceIndex::new(material);
            // About a thousand indices, spread evenly over the slice.
            for index in (0..indexing.positions()).step_by(indexing.positions() as usize / 997 + 1) {
                let board = indexing.board(index);
                assert_eq!(Material::of(board), material);
                assert_eq!(indexing.index(board), index);
            }
        }
    }
}
