//! Perft: counts all lines of play to a depth, to verify a move generator and to measure its speed.
//!
//! [`perft()`] counts in bulk; compare it with published numbers. [`perft_no_bulk`] makes every move and returns a
//! checksum of the final positions, so that two generators, or two builds of one, can be compared in full.
//!
//! ```
//! use crownhead_rules::Position;
//! use crownhead_rules::perft::{perft, perft_no_bulk};
//!
//! assert_eq!(perft(&Position::start(), 6), 36_768);
//! assert_eq!(perft_no_bulk(&Position::start(), 6).nodes, 36_768);
//! ```

use crate::board::{BlackToMove, Board, Turn, WhiteToMove};
use crate::{Position, Side};

/// The number of lines of play of exactly `depth` moves. Each path of a capture counts, as in published counts; lines
/// that end earlier do not count. The last move of each line is counted without being made.
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
        2 => count_two_plies::<T>(board),
        _ => {
            let mut nodes = 0;
            board.each_move::<T>(&mut |change| {
                nodes += count::<T::Other>(board.after::<T>(change), depth - 1);
            });
            nodes
        }
    }
}

/// Nearly all the time is spent here: a separate loop keeps the whole board in registers.
#[inline(never)]
fn count_two_plies<T: Turn>(board: Board) -> u64 {
    let mut nodes = 0;
    board.each_move::<T>(&mut |change| nodes += board.after::<T>(change).count_moves::<T::Other>());
    nodes
}

/// The result of [`perft_no_bulk`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftCount {
    /// The number of lines, as [`perft()`] counts them.
    pub nodes: u64,
    /// A sum over the hashes and the three words of the boards at the end of the lines, which can only be computed by
    /// making every position in full.
    pub checksum: u64,
}

impl PerftCount {
    #[inline]
    fn add(&mut self, position: &Position) {
        let Board { own, opp, kings } = position.board();
        let words = own.wrapping_sub(opp).wrapping_add(kings);
        self.nodes += 1;
        self.checksum = self.checksum.wrapping_add(position.zobrist_hash()).wrapping_add(words);
    }
}

impl core::ops::AddAssign for PerftCount {
    #[inline]
    fn add_assign(&mut self, other: PerftCount) {
        self.nodes += other.nodes;
        self.checksum = self.checksum.wrapping_add(other.checksum);
    }
}

/// As [`perft()`], but makes every move, including the last, and sums up the positions it reaches.
pub fn perft_no_bulk(position: &Position, depth: u32) -> PerftCount {
    match position.side_to_move() {
        Side::Black => walk::<BlackToMove>(position, depth),
        Side::White => walk::<WhiteToMove>(position, depth),
    }
}

fn walk<T: Turn>(position: &Position, depth: u32) -> PerftCount {
    let mut tally = PerftCount::default();
    let board = position.board();
    match depth {
        0 => tally.add(position),
        1 => tally = last_ply::<T>(board.own, board.opp, board.kings, position.zobrist_hash()),
        2 => tally = last_two_plies::<T>(position),
        _ => board.each_move::<T>(&mut |change| {
            tally += walk::<T::Other>(&position.apply::<T>(change), depth - 1);
        }),
    }
    tally
}

/// The last two plies, without a check of the depth at every node.
fn last_two_plies<T: Turn>(position: &Position) -> PerftCount {
    let mut tally = PerftCount::default();
    position.board().each_move::<T>(&mut |change| {
        let next = position.apply::<T>(change);
        let Board { own, opp, kings } = next.board();
        tally += last_ply::<T::Other>(own, opp, kings, next.zobrist_hash());
    });
    tally
}

/// Like [`count_two_plies`], a separate loop where most time is spent. The position is passed as four words, which stay
/// in registers.
#[inline(never)]
fn last_ply<T: Turn>(own: u64, opp: u64, kings: u64, hash: u64) -> PerftCount {
    let position = Position::from_parts(Board { own, opp, kings }, T::SIDE, hash);
    let mut tally = PerftCount::default();
    position.board().each_move::<T>(&mut |change| tally.add(&position.apply::<T>(change)));
    tally
}
