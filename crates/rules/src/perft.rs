//! Counting all lines of play to a depth: the proof of a move generator, and the measure of its speed.

use crate::board::{BlackToMove, Board, Turn, WhiteToMove};
use crate::{Position, Side};

/// The number of lines of play of exactly `depth` moves. Paths of capture count one by one, as in published
/// counts; lines that end earlier count nothing. The last move of each line is counted without being made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Side::Black => count::<BlackToMove>(position.board(), depth),
        Side::White => count::<WhiteToMove>(position.board(), depth),
    }
}

fn count<T: Turn>(board: Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_moves::<T>(),
        _ => {
            let mut nodes = 0;
            board.each_move::<T>(&mut |change| {
                nodes += count::<T::Other>(board.after::<T>(change), depth - 1);
            });
            nodes
        }
    }
}

/// What [`perft_every_move`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of lines, as [`perft`] counts them.
    pub nodes: u64,
    /// The sum of the hashes of the positions at the end of the lines, so that none can be left out.
    pub checksum: u64,
}

impl core::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.nodes += other.nodes;
        self.checksum = self.checksum.wrapping_add(other.checksum);
    }
}

/// As [`perft`], but makes every move, the last ones too, and sums up the positions it reaches.
pub fn perft_every_move(position: &Position, depth: u32) -> Tally {
    let mut tally = Tally::default();
    match position.side_to_move() {
        Side::Black => walk::<BlackToMove>(position, depth, &mut tally),
        Side::White => walk::<WhiteToMove>(position, depth, &mut tally),
    }
    tally
}

fn walk<T: Turn>(position: &Position, depth: u32, tally: &mut Tally) {
    if depth == 0 {
        tally.nodes += 1;
        tally.checksum = tally.checksum.wrapping_add(position.hash());
        return;
    }
    position.board().each_move::<T>(&mut |change| {
        walk::<T::Other>(&position.apply::<T>(change), depth - 1, tally);
    });
}
