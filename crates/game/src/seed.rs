//! Random numbers derived from the seed of a game. They have 32 bits, because JavaScript represents all of those
//! exactly.

use crownhead_rules::Rng;

/// The `n`th number derived from a seed.
pub(crate) fn derived(seed: u32, n: u32) -> u32 {
    (Rng::new(u64::from(seed) << 32 | u64::from(n)).next_u64() >> 32) as u32
}

/// What each derived number is for, so that no two random choices use the same one.
pub(crate) mod draw {
    pub(crate) const COLOUR: u32 = 1;
    pub(crate) const OPENING: u32 = 2;
    pub(crate) const NEXT_GAME: u32 = 3;
    /// The first number for moves.
    pub(crate) const MOVES: u32 = 16;
}
