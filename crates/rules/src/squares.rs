//! A set of squares as a bitboard, laid out so that every step in one direction is the same shift.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use crate::square::{Direction, Square};

/// A set of squares, or bitboard.
///
/// The word holds the 32 squares in the order of their numbers, with a spare bit after each eight. With this padding a
/// step down the board is a shift by 4 or 5 from every row, and a step over the edge falls on a spare bit, which is
/// never a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Squares(u64);

impl Squares {
    /// The empty set.
    pub const EMPTY: Squares = Squares(0);

    /// All 32 squares.
    pub const ALL: Squares = Squares(0x7_fbfd_feff);

    /// The four squares of a row, 0 (squares 1–4) to 7 (squares 29–32).
    #[inline]
    pub const fn row(row: u32) -> Squares {
        assert!(row < 8);
        Squares(0xf << (row * 4 + row / 2))
    }

    /// The set of the squares with these numbers.
    ///
    /// # Panics
    /// If a number is not between 1 and 32. Meant for constants.
    pub const fn numbered(numbers: &[u8]) -> Squares {
        let mut word = 0;
        let mut i = 0;
        while i < numbers.len() {
            word |= Squares::one(Square::new(numbers[i]).expect("squares are numbered 1 to 32")).0;
            i += 1;
        }
        Squares(word)
    }

    /// The set of one square.
    #[inline]
    pub const fn one(square: Square) -> Squares {
        Squares(1 << square.place())
    }

    /// The set with this word; bits that are not squares are dropped.
    #[inline]
    pub(crate) const fn from_word(word: u64) -> Squares {
        Squares(word & Squares::ALL.0)
    }

    /// The word of the set.
    #[inline]
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// The set as 32 bits without the spare ones: bit 0 is square 1, bit 31 is square 32.
    #[inline]
    pub const fn bits(self) -> u32 {
        let w = self.0;
        (w & 0xff | w >> 1 & 0xff00 | w >> 2 & 0xff_0000 | w >> 3 & 0xff00_0000) as u32
    }

    /// The set from 32 bits; bit 0 is square 1.
    #[inline]
    pub const fn from_bits(bits: u32) -> Squares {
        let b = bits as u64;
        Squares(b & 0xff | (b & 0xff00) << 1 | (b & 0xff_0000) << 2 | (b & 0xff00_0000) << 3)
    }

    /// Is the square in the set?
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.place() & 1 != 0
    }

    /// Is the set empty?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_place(self.0.trailing_zeros())) }
    }

    /// The squares of the set, lowest number first.
    #[inline]
    pub const fn iter(self) -> SquaresIter {
        SquaresIter(self)
    }

    /// Every square of the set moved one step; those that would leave the board are dropped.
    #[inline]
    pub const fn step(self, direction: Direction) -> Squares {
        Squares::from_word(shift(self.0, direction))
    }

    /// The set after turning the board by 180°.
    #[inline]
    pub const fn turned(self) -> Squares {
        Squares(self.0.reverse_bits() >> 29)
    }
}

/// One step of a whole word. Squares that leave the board fall on a spare bit or beyond the last square.
#[inline]
pub(crate) const fn shift(word: u64, direction: Direction) -> u64 {
    match direction {
        Direction::DownLeft => word << 4,
        Direction::DownRight => word << 5,
        Direction::UpRight => word >> 4,
        Direction::UpLeft => word >> 5,
    }
}

/// The squares of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct SquaresIter(Squares);

impl Iterator for SquaresIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for SquaresIter {}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = SquaresIter;

    #[inline]
    fn into_iter(self) -> SquaresIter {
        SquaresIter(self)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | Squares::one(square))
    }
}

impl From<Square> for Squares {
    fn from(square: Square) -> Squares {
        Squares::one(square)
    }
}

impl BitOr for Squares {
    type Output = Squares;

    #[inline]
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitOrAssign for Squares {
    #[inline]
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}

impl BitAnd for Squares {
    type Output = Squares;

    #[inline]
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitAndAssign for Squares {
    #[inline]
    fn bitand_assign(&mut self, other: Squares) {
        self.0 &= other.0;
    }
}

impl BitXor for Squares {
    type Output = Squares;

    #[inline]
    fn bitxor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }
}

impl Sub for Squares {
    type Output = Squares;

    #[inline]
    fn sub(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }
}

impl Not for Squares {
    type Output = Squares;

    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0 & Squares::ALL.0)
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Square::number)).finish()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_set_knows_its_squares() {
        let set = Squares::numbered(&[1, 8, 9, 32]);
        assert_eq!(set.iter().map(Square::number).collect::<Vec<_>>(), [1, 8, 9, 32]);
        assert_eq!(set.bits(), 1 | 1 << 7 | 1 << 8 | 1 << 31);
        assert_eq!(Squares::from_bits(set.bits()), set);
        assert_eq!(set.turned(), Squares::numbered(&[32, 25, 24, 1]));
        assert_eq!((!set).len(), 28);
        assert_eq!(Square::all().collect::<Squares>(), Squares::ALL);
    }

    #[test]
    fn a_step_of_the_set_is_the_step_of_each_square() {
        for direction in Direction::ALL {
            for square in Square::all() {
                let expected = square.neighbour(direction).map_or(Squares::EMPTY, Squares::one);
                assert_eq!(Squares::one(square).step(direction), expected, "{square} {direction:?}");
            }
        }
    }

    #[test]
    fn rows_are_four_squares_each() {
        assert_eq!(Squares::row(0), Squares::numbered(&[1, 2, 3, 4]));
        assert_eq!(Squares::row(7), Squares::numbered(&[29, 30, 31, 32]));
        assert_eq!((0..8).map(Squares::row).fold(Squares::EMPTY, |a, b| a | b), Squares::ALL);
    }
}
