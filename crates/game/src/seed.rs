//! Chance, from a number given by whoever starts the game. 32 bits, because every number in JSON survives JavaScript.

/// The `n`th number that follows from a seed (a step of `SplitMix64`).
pub(crate) fn derived(seed: u32, n: u32) -> u32 {
    let mut z = (u64::from(seed) << 32 | u64::from(n)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ z >> 31) >> 32) as u32
}

/// What a derived number is for, so that no two draws are the same one.
pub(crate) mod draw {
    pub(crate) const COLOUR: u32 = 1;
    pub(crate) const OPENING: u32 = 2;
    pub(crate) const NEXT_GAME: u32 = 3;
    /// The first of the numbers for moves.
    pub(crate) const MOVES: u32 = 16;
}
