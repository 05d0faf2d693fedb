//! Bitboard move generation: the board as the side to move sees it, and the effect of a move. The hot core of the
//! crate.
//!
//! It implements the rules of movement: captures are compulsory ([`Board::jumpers`] first, steps only if there are
//! none), a jump must be completed ([`Board::carry_on`]), a piece is jumped only once and a man stops on its king row
//! ([`Board::jump_on`]), men move forward only ([`Turn::AHEAD`]), and crowning is in [`Board::after`].

use crate::side::Side;
use crate::spot::{Spot, each_spot};
use crate::square::Direction;
use crate::squares::{Squares, shift};

/// Three words: the pieces of the side to move, those of the opponent, and the kings of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) own: u64,
    pub(crate) opp: u64,
    pub(crate) kings: u64,
}

/// The side to move as a type, so that the generator is compiled once for each side and never tests which it is.
pub(crate) trait Turn {
    type Other: Turn<Other = Self>;
    const SIDE: Side;
    /// The directions in which a man moves.
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

/// The effect of a move on a board. `from` and `to` are equal if a king's capture ends where it began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) from: Spot,
    pub(crate) to: Spot,
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
    fn own_kings(self) -> u64 {
        self.own & self.kings
    }

    /// The board after a change, as the opponent sees it.
    #[inline]
    pub(crate) fn after<T: Turn>(self, change: Change) -> Board {
        let Change { from: Spot { bit: from, .. }, to: Spot { bit: to, .. }, captured, king, .. } = change;
        // A man never returns to its first square, a king may; the shorter code for men pays off.
        let (opp, kings) = if king {
            (self.own & !from | to, self.kings & !from | to)
        } else {
            (self.own ^ from ^ to, self.kings | to & T::KING_ROW)
        };
        Board { own: self.opp & !captured, opp, kings: kings & !captured }
    }

    /// The pieces of the side to move that have a capture. If there are any, only they may move.
    #[inline]
    pub(crate) fn jumpers<T: Turn>(self) -> u64 {
        let [left, right] = T::AHEAD;
        let kings = self.own_kings();
        // Kings jump forward too, so all pieces are tested forward and only kings backward.
        let ahead = self.own & (self.jumps(left) | self.jumps(right));
        if kings == 0 { ahead } else { ahead | kings & (self.jumps(left.back()) | self.jumps(right.back())) }
    }

    /// The squares from which a piece of the side to move could step in a direction.
    #[inline]
    fn steps(self, direction: Direction) -> u64 {
        shift(self.empty(), direction.back())
    }

    /// The squares from which a piece of the side to move could jump in a direction.
    #[inline]
    fn jumps(self, direction: Direction) -> u64 {
        shift(self.opp & self.steps(direction), direction.back())
    }

    /// The number of legal moves, counting each path of a capture.
    #[inline]
    pub(crate) fn count_moves<T: Turn>(self) -> u64 {
        if self.own_kings() != 0 {
            return self.count_with_kings::<T>();
        }
        let [jumps_left, jumps_right] = T::AHEAD.map(|d| self.own & self.jumps(d));
        if self.some_jump_goes_on::<T>() {
            return self.count_long_jumps::<T>();
        }
        let [steps_left, steps_right] = T::AHEAD.map(|d| self.own & self.steps(d));
        let (left, right) =
            if jumps_left | jumps_right == 0 { (steps_left, steps_right) } else { (jumps_left, jumps_right) };
        ones(left) + ones(right)
    }

    /// Can a man jump more than once? Men move forward only, so the second jump can be tested on the unchanged board.
    #[inline]
    fn some_jump_goes_on<T: Turn>(self) -> bool {
        let [left, right] = T::AHEAD.map(|d| self.jumps(d));
        let landings = far(self.own & left, T::AHEAD[0]) | far(self.own & right, T::AHEAD[1]);
        landings & (left | right) != 0
    }

    /// Counts the captures of men, a whole set of men at a time: each word holds the men that have jumped along one
    /// path of directions. A man jumps at most three times, from its own first row to the last row but one.
    fn count_long_jumps<T: Turn>(self) -> u64 {
        let [left, right] = T::AHEAD.map(|d| self.jumps(d));
        let onward = |men: u64| [far(men & left, T::AHEAD[0]), far(men & right, T::AHEAD[1])];
        let ended = |men: u64| ones(men & !(left | right));
        let mut count = 0;
        for once in onward(self.own) {
            count += ended(once);
            for twice in onward(once) {
                count += ended(twice) + onward(twice).map(ones).iter().sum::<u64>();
            }
        }
        count
    }

    #[inline(never)]
    fn count_with_kings<T: Turn>(self) -> u64 {
        let mut count = 0;
        let jumpers = self.jumpers::<T>();
        if jumpers == 0 {
            let [left, right] = T::AHEAD;
            let kings = self.own_kings();
            return ones(self.own & self.steps(left))
                + ones(self.own & self.steps(right))
                + ones(kings & self.steps(left.back()))
                + ones(kings & self.steps(right.back()));
        }
        self.each_capture::<T>(jumpers, &mut |_| count += 1);
        count
    }

    /// Visits every legal move: captures if there are any, because they are compulsory, otherwise steps.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the visitor has to melt into the loop; perft is 1.7 times as fast"
    )]
    pub(crate) fn each_move<T: Turn>(self, visit: &mut impl FnMut(Change)) {
        if self.own_kings() != 0 || self.some_jump_goes_on::<T>() {
            return self.each_move_of_any_piece::<T>(visit);
        }
        // Only men, and every capture is a single jump.
        let jumpers = T::AHEAD.map(|d| self.own & self.jumps(d));
        if jumpers == [0, 0] {
            self.each_step(T::AHEAD, self.own, false, visit);
        } else {
            for (direction, jumpers) in T::AHEAD.into_iter().zip(jumpers) {
                for from in each_spot(jumpers) {
                    let over = from.next(direction);
                    let jumps = 1 << 2 | direction as u32;
                    visit(Change { from, to: over.next(direction), captured: over.bit, king: false, jumps });
                }
            }
        }
    }

    /// The general case of [`each_move`](Board::each_move), correct for every position.
    #[inline(never)]
    fn each_move_of_any_piece<T: Turn>(self, visit: &mut impl FnMut(Change)) {
        let jumpers = self.jumpers::<T>();
        if jumpers != 0 {
            return self.each_capture::<T>(jumpers, visit);
        }
        self.each_step(T::AHEAD, self.own & !self.kings, false, visit);
        self.each_step(Direction::ALL, self.own_kings(), true, visit);
    }

    #[inline]
    fn each_step<const N: usize>(
        self,
        directions: [Direction; N],
        pieces: u64,
        king: bool,
        visit: &mut impl FnMut(Change),
    ) {
        for direction in directions {
            for from in each_spot(pieces & self.steps(direction)) {
                visit(Change { from, to: from.next(direction), captured: 0, king, jumps: 1 });
            }
        }
    }

    #[inline]
    fn each_capture<T: Turn>(self, jumpers: u64, visit: &mut impl FnMut(Change)) {
        for from in each_spot(jumpers) {
            let king = self.kings & from.bit != 0;
            self.carry_on::<T>(Change { from, to: from, captured: 0, king, jumps: 1 }, visit);
        }
    }

    /// Continues jumping from where the piece stands, and visits every complete capture.
    fn carry_on<T: Turn>(self, so_far: Change, visit: &mut impl FnMut(Change)) {
        let [left, right] = T::AHEAD;
        let mut ended = !self.jump_on::<T>(so_far, left, visit);
        ended &= !self.jump_on::<T>(so_far, right, visit);
        if so_far.king {
            ended &= !self.jump_on::<T>(so_far, left.back(), visit);
            ended &= !self.jump_on::<T>(so_far, right.back(), visit);
        }
        if ended {
            visit(so_far);
        }
    }

    /// Continues jumping in one direction, if possible.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the direction has to become a constant")]
    fn jump_on<T: Turn>(self, so_far: Change, direction: Direction, visit: &mut impl FnMut(Change)) -> bool {
        // A piece is jumped only once.
        let over = so_far.to.next(direction);
        let may_jump = over.bit & self.opp & !so_far.captured;
        // The piece has left its first square, so it may land there.
        let to = over.next(direction);
        if shift(may_jump, direction) & (self.empty() | so_far.from.bit) == 0 {
            return false;
        }
        let jumps = so_far.jumps << 2 | direction as u32;
        let next = Change { to, captured: so_far.captured | over.bit, jumps, ..so_far };
        if !so_far.king && to.bit & T::KING_ROW != 0 {
            // A man that reaches the king row stops there.
            visit(next);
        } else {
            self.carry_on::<T>(next, visit);
        }
        true
    }
}

/// The men of a set after a jump.
#[inline]
fn far(men: u64, direction: Direction) -> u64 {
    shift(shift(men, direction), direction)
}

#[inline]
fn ones(word: u64) -> u64 {
    u64::from(word.count_ones())
}
