//! The random words that a position's hash is made of.

use crate::Side;
use crate::spot::Spot;

/// A word for each place on the board, and some more, so that no place is ever outside the table.
type Words = [u64; 64];

/// For a piece of either rank, by side.
static PIECES: [Words; 2] = [words(1), words(2)];

/// In addition, for a king of either side.
static CROWNS: Words = words(3);

/// Flipped with every turn.
pub(crate) const TURN: u64 = mix(0);

/// The word of a piece of a side on a square.
#[inline]
pub(crate) fn piece(side: Side, spot: Spot) -> u64 {
    PIECES[side.index()][index(spot)]
}

/// The word that makes the piece on a square a king.
#[inline]
pub(crate) fn crown(spot: Spot) -> u64 {
    CROWNS[index(spot)]
}

#[inline]
fn index(spot: Spot) -> usize {
    (spot.place & 63) as usize
}

const fn words(block: u64) -> Words {
    let mut words = [0; 64];
    let mut place = 0;
    while place < 64 {
        words[place] = mix(block * 64 + place as u64);
        place += 1;
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
