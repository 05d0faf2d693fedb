//! One byte for what a position is worth: how many plies to the end, or a draw.

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
    pub(crate) const MAX_PLIES: u8 = 253;
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
