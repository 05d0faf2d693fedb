//! The bare board as the side to move sees it, and what a move does to it. The hot core of the crate.

use crate::side::Side;
use crate::square::Direction;
use crate::squares::{Squares, shift};

/// Three words: the pieces of the side to move, those of the opponent, and which of all of them are kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) own: u64,
    pub(crate) opp: u64,
    pub(crate) kings: u64,
}

/// A side to move as a type, so that the generator is compiled once for each and never asks which it is.
pub(crate) trait Turn {
    type Other: Turn<Other = Self>;
    const SIDE: Side;
    /// The directions in which a man goes.
    const AHEAD: [Direction; 2];
    const KING_ROW: u64 = Self::SIDE.king_row().word();
}

pub(crate) struct BlackToMove;
pub(crate) struct WhiteToMove;

impl Turn for BlackToMove {
    type Other = WhiteToMove;
    const SIDE: Side = Side::Black;
    const AHEAD: [Direction; 2] = [Direction::DownLeft, Direction::DownRight];
}

impl Turn for WhiteToMove {
    type Other = BlackToMove;
    const SIDE: Side = Side::White;
    const AHEAD: [Direction; 2] = [Direction::UpRight, Direction::UpLeft];
}

/// What a move does to a board. `from` and `to` are single bits, and the same one where a king's capture
/// comes full circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) captured: u64,
    /// Was the piece a king before it moved?
    pub(crate) king: bool,
    /// The directions of the jumps, two bits each behind a leading 1; the bare 1 for a quiet move.
    pub(crate) jumps: u32,
}

impl Board {
    #[inline]
    pub(crate) fn empty(self) -> u64 {
        Squares::ALL.word() & !(self.own | self.opp)
    }

    #[inline]
    fn men(self) -> u64 {
        self.own & !self.kings
    }

    #[inline]
    fn own_kings(self) -> u64 {
        self.own & self.kings
    }

    /// The board after a change, as the opponent sees it.
    #[inline]
    pub(crate) fn after<T: Turn>(self, change: Change) -> Board {
        let Change { from, to, captured, king, .. } = change;
        let crowned = if king { to } else { to & T::KING_ROW };
        Board {
            own: self.opp & !captured,
            opp: self.own & !from | to,
            kings: self.kings & !(from | captured) | crowned,
        }
    }

    /// The pieces of the side to move that have a capture. If there are any, only they may move.
    #[inline]
    pub(crate) fn jumpers<T: Turn>(self) -> u64 {
        let empty = self.empty();
        let can_jump = |d: Direction| shift(shift(empty, d.back()) & self.opp, d.back());
        let [left, right] = T::AHEAD;
        // Kings jump forward too, so every piece is asked ahead and only kings are asked back.
        let ahead = self.own & (can_jump(left) | can_jump(right));
        let kings = self.own_kings();
        if kings == 0 { ahead } else { ahead | kings & (can_jump(left.back()) | can_jump(right.back())) }
    }

    /// How many legal moves there are, paths of capture counted one by one.
    #[inline]
    pub(crate) fn count_moves<T: Turn>(self) -> u64 {
        let jumpers = self.jumpers::<T>();
        if jumpers != 0 {
            let mut count = 0;
            self.each_capture::<T>(jumpers, &mut |_| count += 1);
            return count;
        }
        let empty = self.empty();
        let steps = |pieces: u64, d: Direction| u64::from((shift(pieces, d) & empty).count_ones());
        let [left, right] = T::AHEAD;
        let ahead = steps(self.own, left) + steps(self.own, right);
        let kings = self.own_kings();
        if kings == 0 { ahead } else { ahead + steps(kings, left.back()) + steps(kings, right.back()) }
    }

    /// Visits every legal move.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the visitor has to melt into the loop; perft is 1.7 times as fast"
    )]
    pub(crate) fn each_move<T: Turn>(self, visit: &mut impl FnMut(Change)) {
        let jumpers = self.jumpers::<T>();
        if jumpers == 0 {
            self.each_quiet::<T>(visit);
        } else {
            self.each_capture::<T>(jumpers, visit);
        }
    }

    #[inline]
    fn each_quiet<T: Turn>(self, visit: &mut impl FnMut(Change)) {
        let empty = self.empty();
        let mut steps = |pieces: u64, d: Direction, king: bool| {
            for to in each_bit(shift(pieces, d) & empty) {
                visit(Change { from: shift(to, d.back()), to, captured: 0, king, jumps: 1 });
            }
        };
        for direction in T::AHEAD {
            steps(self.men(), direction, false);
        }
        if self.own_kings() != 0 {
            for direction in Direction::ALL {
                steps(self.own_kings(), direction, true);
            }
        }
    }

    #[inline]
    pub(crate) fn each_capture<T: Turn>(self, jumpers: u64, visit: &mut impl FnMut(Change)) {
        for from in each_bit(jumpers) {
            let king = self.kings & from != 0;
            self.carry_on::<T>(Change { from, to: from, captured: 0, king, jumps: 1 }, visit);
        }
    }

    /// Goes on jumping from where the piece stands, and visits every way to the end.
    fn carry_on<T: Turn>(self, so_far: Change, visit: &mut impl FnMut(Change)) {
        // The piece has left its first square, so it may land there; jumped pieces still stand and block.
        let empty = self.empty() | so_far.from;
        let directions = if so_far.king { &Direction::ALL[..] } else { &T::AHEAD[..] };
        let mut ended = true;
        for &direction in directions {
            let over = shift(so_far.to, direction) & self.opp & !so_far.captured;
            let to = shift(over, direction) & empty;
            if to == 0 {
                continue;
            }
            ended = false;
            let jumps = so_far.jumps << 2 | direction as u32;
            let next = Change { to, captured: so_far.captured | over, jumps, ..so_far };
            if !so_far.king && to & T::KING_ROW != 0 {
                visit(next);
            } else {
                self.carry_on::<T>(next, visit);
            }
        }
        if ended {
            visit(so_far);
        }
    }
}

/// The bits of a word one by one, lowest first.
#[inline]
pub(crate) fn each_bit(mut word: u64) -> impl Iterator<Item = u64> {
    core::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word &= word.wrapping_sub(1);
        (bit != 0).then_some(bit)
    })
}
