//! Moves packed into four bytes with their path and captures, and the list of legal moves.

use core::fmt;
use core::ops::Deref;

use crate::board::Change;
use crate::spot::Spot;
use crate::square::Direction;
use crate::squares::shift;
use crate::{Square, Squares};

/// A move: the square it starts from, every square it lands on, and the pieces it captures on the way.
///
/// Packed as `from` (6 bits), `to` (6 bits) and the directions of the jumps, two bits each behind a leading 1. No
/// capture has more than nine jumps, because a king can reach only eight squares by jumping and only nine squares
/// lie between those.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

/// The most jumps in one move.
pub(crate) const MAX_JUMPS: usize = 9;

const PLACE_BITS: u32 = 6;
const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;
const JUMPS_SHIFT: u32 = 2 * PLACE_BITS;

impl Move {
    #[inline]
    pub(crate) fn of(change: Change) -> Move {
        Move(change.from.place | change.to.place << PLACE_BITS | change.jumps << JUMPS_SHIFT)
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_place(self.start_place())
    }

    /// The square that the piece ends on.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_place(self.end_place())
    }

    /// Is it a capture?
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.jumps() > 1
    }

    /// How many pieces it captures.
    #[inline]
    pub const fn capture_count(self) -> u32 {
        self.jumps().ilog2() / 2
    }

    /// The squares of the captured pieces.
    #[inline]
    pub fn captured(self) -> Squares {
        Squares::from_word(self.captured_word())
    }

    /// The landing squares in order; the last one is [`to`](Move::to). A quiet move has one.
    pub fn landings(self) -> impl ExactSizeIterator<Item = Square> + Clone {
        let mut at = self.ends().0;
        let count = self.capture_count();
        (0..count.max(1)).map(move |i| {
            if count == 0 {
                return self.to();
            }
            let direction = self.direction(count - 1 - i);
            at = shift(shift(at, direction), direction);
            Square::from_place(at.trailing_zeros())
        })
    }

    /// Do both moves lead to the same position? Their paths may differ.
    pub fn same_effect(self, other: Move) -> bool {
        self.from() == other.from() && self.to() == other.to() && self.captured() == other.captured()
    }

    /// The change that the move makes on a board with these kings.
    #[inline]
    pub(crate) fn change(self, kings: u64) -> Change {
        let (from, to) = (Spot::at(self.start_place()), Spot::at(self.end_place()));
        let captured = if self.is_capture() { self.captured_word() } else { 0 };
        Change { from, to, captured, king: kings & from.bit != 0, jumps: self.jumps() }
    }

    /// The first and the last square as bits.
    #[inline]
    pub(crate) const fn ends(self) -> (u64, u64) {
        (1 << self.start_place(), 1 << self.end_place())
    }

    /// The directions of the jumps, in order.
    #[inline]
    pub(crate) fn directions(self) -> impl Iterator<Item = Direction> {
        (0..self.capture_count()).rev().map(move |from_last| self.direction(from_last))
    }

    fn captured_word(self) -> u64 {
        let (mut at, mut captured) = (self.ends().0, 0);
        for direction in self.directions() {
            let over = shift(at, direction);
            captured |= over;
            at = shift(over, direction);
        }
        captured
    }

    #[inline]
    const fn start_place(self) -> u32 {
        self.0 & PLACE_MASK
    }

    #[inline]
    const fn end_place(self) -> u32 {
        self.0 >> PLACE_BITS & PLACE_MASK
    }

    #[inline]
    const fn jumps(self) -> u32 {
        self.0 >> JUMPS_SHIFT
    }

    /// The direction of a jump, counted from the last one.
    #[inline]
    const fn direction(self, from_last: u32) -> Direction {
        Direction::ALL[(self.jumps() >> (2 * from_last) & 3) as usize]
    }
}

/// The full path: `11-15`, `22x15x8`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_capture() { 'x' } else { '-' };
        write!(f, "{}", self.from())?;
        self.landings().try_for_each(|square| write!(f, "{sign}{square}"))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

/// The legal moves of a position, in a list that can hold as many as any position can have.
#[derive(Clone, Copy)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// No position has more moves than this (twelve kings have at most 48 quiet ones; the tests count the most
    /// captures that the geometry of the board allows).
    pub const CAPACITY: usize = 128;

    #[inline]
    pub(crate) const fn new() -> MoveList {
        MoveList { moves: [Move(0); MoveList::CAPACITY], len: 0 }
    }

    /// Keeps only the moves for which `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(Move) -> bool) {
        let all = *self;
        self.len = 0;
        all.iter().copied().filter(|&mv| keep(mv)).for_each(|mv| self.push(mv));
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl core::ops::DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = core::iter::Take<core::array::IntoIter<Move, { MoveList::CAPACITY }>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
