//! The value of a position in one byte: the distance to the end in plies, whose parity gives win or loss, or a draw.

use crate::Wdl;

/// The plies to the end with best play. The side to move has won if they are odd and lost if they are even.
///
/// Where only win, draw and loss are asked for, every win is in 1 and every loss in 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) u8);

impl Value {
    /// The side to move has no move.
    pub(crate) const LOST: Value = Value(0);
    /// The longest way to an end that can be stored.
    pub(crate) const MAX_PLIES: u8 = 252;
    /// One ply more than can be stored: such a table is not finished.
    pub(crate) const TOO_FAR: Value = Value(253);
    pub(crate) const DRAW: Value = Value(254);
    /// Not known yet. Only while a table is built.
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

    /// The same value when distances are not asked for.
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

/// The best of what the moves of a position lead to: the shortest win, else a draw, else the longest loss.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BestOfMoves {
    win: Option<u8>,
    draw: bool,
    longest_loss: u8,
}

impl BestOfMoves {
    /// Adds what a move leads to, as the other side, then to move, sees it.
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

    /// A win, if there is one so far.
    #[inline]
    pub(crate) fn win(self) -> Option<Value> {
        self.win.map(Value)
    }

    /// Has there been a draw?
    #[inline]
    pub(crate) fn has_draw(self) -> bool {
        self.draw
    }

    /// The plies of the longest loss so far.
    #[inline]
    pub(crate) fn longest_loss(self) -> u8 {
        self.longest_loss
    }

    /// The value, all moves having been added. Without any, the position is lost.
    #[inline]
    pub(crate) fn value(self) -> Value {
        match self.win {
            Some(plies) => Value(plies),
            None if self.draw => Value::DRAW,
            None => Value(self.longest_loss),
        }
    }
}
