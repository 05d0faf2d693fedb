//! A square in the inner loops, as a bit mask and as a bit index: words are tested by mask, tables are indexed.

use crate::square::Direction;
use crate::squares::shift;

/// A bit of a board's word as mask and index. Both are kept because a step is one cheap operation on each; the compiler
/// drops the one that is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) bit: u64,
    pub(crate) place: u32,
}

impl Spot {
    #[inline]
    pub(crate) const fn at(place: u32) -> Spot {
        Spot { bit: 1 << place, place }
    }

    /// The next spot in a direction. Beyond the edge of the board it is not a square.
    #[inline]
    pub(crate) const fn next(self, direction: Direction) -> Spot {
        let place = match direction {
            Direction::DownLeft => self.place.wrapping_add(4),
            Direction::DownRight => self.place.wrapping_add(5),
            Direction::UpRight => self.place.wrapping_sub(4),
            Direction::UpLeft => self.place.wrapping_sub(5),
        };
        Spot { bit: shift(self.bit, direction), place }
    }
}

/// The spots of a word, lowest first.
#[inline]
pub(crate) fn each_spot(word: u64) -> Spots {
    Spots(word)
}

pub(crate) struct Spots(u64);

impl Iterator for Spots {
    type Item = Spot;

    #[inline]
    fn next(&mut self) -> Option<Spot> {
        if self.0 == 0 {
            return None;
        }
        let lowest = Spot { bit: self.0 & self.0.wrapping_neg(), place: self.0.trailing_zeros() };
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}
