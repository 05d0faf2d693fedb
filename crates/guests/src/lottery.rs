//! Random numbers from a seed, so that every run can be had again.

/// A step of `SplitMix64` for each number.
#[derive(Clone, Debug)]
pub struct Lottery(u64);

impl Lottery {
    /// The numbers that follow from a seed.
    pub fn new(seed: u64) -> Lottery {
        Lottery(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The next number, below a bound that is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound.max(1) as u64) as usize
    }
}
