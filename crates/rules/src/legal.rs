//! The legality of a single move, tested without generating all moves.

use crate::board::{BlackToMove, Board, Turn, WhiteToMove};
use crate::square::Direction;
use crate::squares::shift;
use crate::{Move, Position, Side};

impl Position {
    /// Is this one of the legal moves? For moves from elsewhere, such as the transposition table of an engine.
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move() {
            Side::Black => allows::<BlackToMove>(self.board(), mv),
            Side::White => allows::<WhiteToMove>(self.board(), mv),
        }
    }
}

fn allows<T: Turn>(board: Board, mv: Move) -> bool {
    let (from, to) = mv.ends();
    let king = board.kings & from != 0;
    board.own & from != 0
        && if mv.is_capture() {
            follows_jumps::<T>(board, mv, king)
        } else {
            board.empty() & to != 0
                && board.jumpers::<T>() == 0
                && directions::<T>(king).iter().any(|&direction| shift(from, direction) == to)
        }
}

/// Can the piece jump along the whole path, and is the capture then complete?
fn follows_jumps<T: Turn>(board: Board, mv: Move, king: bool) -> bool {
    let (from, to) = mv.ends();
    let empty = board.empty() | from;
    let landing = |at: u64, captured: u64, direction: Direction| {
        let over = shift(at, direction) & board.opp & !captured;
        (over, shift(over, direction) & empty)
    };
    let crowned = |at: u64| !king && at & T::KING_ROW != 0;
    let (mut at, mut captured) = (from, 0);
    for direction in mv.directions() {
        let (over, next) = landing(at, captured, direction);
        if next == 0 || crowned(at) || !directions::<T>(king).contains(&direction) {
            return false;
        }
        captured |= over;
        at = next;
    }
    at == to && (crowned(at) || directions::<T>(king).iter().all(|&d| landing(at, captured, d).1 == 0))
}

fn directions<T: Turn>(king: bool) -> &'static [Direction] {
    if king { &Direction::ALL } else { &T::AHEAD }
}
