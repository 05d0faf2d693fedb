//! Zobrist keys: the random words that make up the hash of a position.

use crate::spot::Spot;
use crate::{Rng, Side};

/// A key for each bit of a word, including bits that are not squares, so that no index is out of bounds.
type Words = [u64; 64];

/// The keys of a piece of either rank, by side.
static PIECES: [Words; 2] = [words(1), words(2)];

/// The additional keys of a king of either side.
static CROWNS: Words = words(3);

/// The key of the side to move, toggled with every move.
pub(crate) const TURN: u64 = words(0)[0];

/// The key of a side's piece on a square.
#[inline]
pub(crate) fn piece(side: Side, spot: Spot) -> u64 {
    PIECES[side.index()][index(spot)]
}

/// The key that makes the piece on a square a king.
#[inline]
pub(crate) fn crown(spot: Spot) -> u64 {
    CROWNS[index(spot)]
}

#[inline]
fn index(spot: Spot) -> usize {
    (spot.place & 63) as usize
}

/// The numbers from `64 * block` on of the sequence with seed 0; the first of them is [`TURN`].
const fn words(block: u64) -> Words {
    let mut rng = Rng::new(0);
    let mut skipped = 0;
    while skipped < 64 * block {
        rng.next_u64();
        skipped += 1;
    }
    let mut words = [0; 64];
    let mut place = 0;
    while place < 64 {
        words[place] = rng.next_u64();
        place += 1;
    }
    words
}
