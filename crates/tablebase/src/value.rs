//! The value of a position in one byte: the distance to the end in plies, whose parity gives win or loss, or a draw.

use crate::Wdl;

/// The plies to the end with best play. The side to move wins if they are odd and loses if they are even.
///
/// Without distances, every win is a win in 1 and every loss a loss in 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) u8);

impl Value {
    /// The side to move has no move.
    pub(crate) const LOST: Value = Value(0);
    /// The longest distance that can be stored.
    pub(crate) const MAX_PLIES: u8 = 252;
    /// One ply more than can be stored. A build fails if it meets this value.
    pub(crate) const TOO_FAR: Value = Value(253);
    pub(crate) const DRAW: Value = Value(254);
    /// Not known yet. Occurs only while a table is built or unpacked.
    pub(crate) const UNKNOWN: Value = Value(255);

    #[inline]
    pub(crate) const fn plies(self) -> Option<u8> {
        if self.0 <= Value::MAX_PLIES { Some(self.0) } else { None }
    }

    #[inline]
    pub(crate) const fn is_loss(self) -> bool {
        self.0 <= Value::MAX_PLIES && self.0.is_multiple_of(2)
    }

    #[inline]
    pub(crate) const fn is_win(self) -> bool {
        self.0 <= Value::MAX_PLIES && self.0 % 2 == 1
    }

    /// The same value without its distance.
    #[inline]
    pub(crate) const fn without_distance(self) -> Value {
        if self.0 <= Value::MAX_PLIES { Value(self.0 & 1) } else { self }
    }

    #[inline]
    pub(crate) const fn wdl(self) -> Wdl {
        if self.is_win() {
            Wdl::Win
        } else if self.is_loss() {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }
}

/// The best value among the moves of a position: the shortest win, else a draw, else the longest loss.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BestOfMoves {
    win: Option<u8>,
    draw: bool,
    longest_loss: u8,
}

impl BestOfMoves {
    /// Adds the value after a move, for the other side, which is then to move.
    #[inline]
    pub(crate) fn add(&mut self, after: Value) {
        if after.is_loss() {
            self.win = Some(self.win.map_or(after.0 + 1, |win| win.min(after.0 + 1)));
        } else if after.is_win() {
            self.longest_loss = self.longest_loss.max(after.0 + 1);
        } else {
            self.draw = true;
        }
    }

    /// The shortest win so far.
    #[inline]
    pub(crate) fn win(self) -> Option<Value> {
        self.win.map(Value)
    }

    /// Does a move so far lead to a draw?
    #[inline]
    pub(crate) fn has_draw(self) -> bool {
        self.draw
    }

    /// The plies of the longest loss so far.
    #[inline]
    pub(crate) fn longest_loss(self) -> u8 {
        self.longest_loss
    }

    /// The value after all moves have been added. A position without moves is lost.
    #[inline]
    pub(crate) fn value(self) -> Value {
        match self.win {
            Some(plies) => Value(plies),
            None if self.draw => Value::DRAW,
            None => Value(self.longest_loss),
        }
    }
}
