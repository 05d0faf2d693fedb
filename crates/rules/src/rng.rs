//! `SplitMix64`: the seeded random number generator of the workspace.

/// A pseudorandom number generator (`SplitMix64`). A seed gives the same sequence on every machine and in every version.
///
/// It is fast and passes statistical tests, but it is not cryptographic: one number is enough to compute the rest.
///
/// ```
/// use crownhead_rules::{Position, Rng};
///
/// let mut rng = Rng::new(2026);
/// let mv = *rng.pick(&Position::start().moves());
/// assert!(Position::start().is_legal(mv));
/// assert!(rng.below(6) < 6);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator with this seed. No seed is better than another.
    #[inline]
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number from 0 to `bound - 1`, by multiplication rather than by remainder. The bias is below `bound / 2^64`.
    /// A bound of 0 gives 0.
    #[inline]
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next_u64() as u128 * bound as u128) >> 64) as u64
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    #[inline]
    pub const fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        assert!(!items.is_empty(), "nothing to pick from");
        &items[self.below(items.len() as u64) as usize]
    }

    /// Puts the items in random order (Fisher–Yates).
    pub const fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut last = items.len();
        while last > 1 {
            last -= 1;
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of Sebastiano Vigna's reference implementation.
    #[test]
    fn the_sequence_is_the_published_one() {
        let first = |seed| {
            let mut rng = Rng::new(seed);
            [(); 5].map(|()| rng.next_u64())
        };
        assert_eq!(
            first(1_234_567),
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
        assert_eq!(first(0)[..2], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_every_value() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
        assert_eq!(rng.below(1), 0);
        assert!(rng.below(u64::MAX) < u64::MAX);
    }

    #[test]
    fn shuffling_keeps_every_item_and_moves_some() {
        let mut items: [u8; 32] = core::array::from_fn(|n| n as u8);
        let sorted = items;
        Rng::new(1).shuffle(&mut items);
        assert_ne!(items, sorted);
        items.sort_unstable();
        assert_eq!(items, sorted);
    }
}
