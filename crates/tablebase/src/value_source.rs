//! Which positions have a stored value, and how the values of the others are derived.
//!
//! Where a capture is due the value follows from smaller tables. Compact tables leave out a second kind: positions in
//! which the other side threatens to capture, as long as each move leads to a capture or to a quiet position. Tactics
//! make their values wild and hard to compress; without them the files of 6 pieces are a quarter smaller, but each of
//! these positions takes some ten look-ups.

use crate::board::Board;

/// How the value of a position is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// It is stored.
    Stored,
    /// It is the best of what the captures lead to, all with fewer pieces.
    ByCaptures,
    /// It is the best of what the moves lead to, all stored or found by captures.
    ByMoves,
}

impl ValueSource {
    #[inline]
    pub(crate) fn of(board: Board, compact: bool) -> ValueSource {
        if board.is_capture_due() {
            ValueSource::ByCaptures
        } else if compact && board.is_threatened() && ValueSource::moves_settle(board) {
            ValueSource::ByMoves
        } else {
            ValueSource::Stored
        }
    }

    /// Is every position after a move a quiet one or one with a capture? Otherwise threats could answer threats without
    /// end.
    fn moves_settle(board: Board) -> bool {
        let mut settled = true;
        board.each_quiet(&mut |after| settled &= !after.is_threatened() || after.is_capture_due());
        settled
    }
}
