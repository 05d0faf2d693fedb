//! Which positions have a stored value, and how the values of the others are derived.
//!
//! If a capture is due, the value follows from smaller tables. Compact tables leave out a second kind: positions in
//! which the other side threatens to capture, provided that each move leads to a capture or to a quiet position.
//! Tactics make their values irregular and hard to compress; without them the files of 6 pieces are a quarter smaller,
//! but each of these positions takes about ten probes.

use crate::board::Board;

/// How the value of a position is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// It is stored.
    Stored,
    /// It is the best value after a capture; all of these have fewer pieces.
    ByCaptures,
    /// It is the best value after a move; all of these are stored or found by captures.
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

    /// Is every position after a move quiet, or is a capture due in it? Otherwise threats could answer threats
    /// endlessly.
    fn moves_settle(board: Board) -> bool {
        let mut settled = true;
        board.each_quiet(&mut |after| settled &= !after.is_threatened() || after.is_capture_due());
        settled
    }
}
