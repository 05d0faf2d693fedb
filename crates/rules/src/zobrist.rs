//! The random words that a position's hash is made of.

use crate::{Rank, Side};

/// One word for each side, rank and place on the board.
static PIECES: [[[u64; 35]; 2]; 2] = pieces();

/// Flipped with every turn.
pub(crate) const TURN: u64 = mix(0);

/// The word of a piece at a place of [`Squares`](crate::Squares).
#[inline]
pub(crate) fn piece(side: Side, rank: Rank, place: u32) -> u64 {
    PIECES[side.index()][rank as usize][place as usize]
}

const fn pieces() -> [[[u64; 35]; 2]; 2] {
    let mut words = [[[0; 35]; 2]; 2];
    let mut i = 0;
    while i < 2 * 2 * 35 {
        words[i / 70][i / 35 % 2][i % 35] = mix(i as u64 + 1);
        i += 1;
    }
    words
}

/// The `n`th word of the `SplitMix64` sequence that starts at 0: the same on every machine.
const fn mix(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
