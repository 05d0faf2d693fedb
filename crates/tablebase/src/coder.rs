//! An arithmetic coder for single bits whose chances are learnt while coding.
//!
//! What is likely costs a fraction of a bit. Nothing a decoder reads can make it fail: beyond the end of its bytes it
//! reads zeros, so damage yields wrong bits, which checksums are there to notice.

/// The chance that a bit is set, in 65,536ths. It moves towards every bit that is coded with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chance(u16);

/// Each bit moves a chance by this part (a power of two) of what was missing. Measured: 32nds make the smallest files.
const LEARNING_SHIFT: u32 = 5;

impl Chance {
    /// The chance kept in a byte, as tables store it.
    #[inline]
    pub(crate) const fn from_byte(byte: u8) -> Chance {
        Chance((byte as u16) << 8 | 0x80)
    }

    /// The byte for `ones` set bits among `all`.
    pub(crate) fn byte_for(ones: u64, all: u64) -> u8 {
        // Half a bit of each kind is added, so that nothing is held impossible.
        ((2 * ones + 1) * 256 / (2 * all + 2)).min(255) as u8
    }

    #[inline]
    fn learn(&mut self, bit: bool) {
        if bit {
            self.0 += (u16::MAX - self.0) >> LEARNING_SHIFT;
        } else {
            self.0 -= self.0 >> LEARNING_SHIFT;
        }
    }
}

/// The part of the interval that stands for a set bit ends here.
#[inline]
fn middle(low: u32, high: u32, chance: Chance) -> u32 {
    low + ((u64::from(high - low) * u64::from(chance.0)) >> 16) as u32
}

/// Turns bits into bytes.
pub(crate) struct Encoder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Encoder {
        Encoder { low: 0, high: u32::MAX, bytes: Vec::new() }
    }

    pub(crate) fn put(&mut self, bit: bool, chance: &mut Chance) {
        let middle = middle(self.low, self.high, *chance);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        chance.learn(bit);
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
    }

    /// The bytes, without the zeros at the end, which the decoder reads anyway.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        // The value with the most zeros at its end that lies within the interval.
        let kept = (0..=32).rev().step_by(8).map(|zeros| {
            let mask = if zeros == 32 { 0 } else { u32::MAX << zeros };
            u64::from(self.low).next_multiple_of(u64::from(!mask) + 1)
        });
        let value = kept.into_iter().find(|&value| value <= u64::from(self.high));
        let value = value.expect("the lower end itself lies within") as u32;
        self.bytes.extend(value.to_be_bytes());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// Turns the bytes back into bits.
pub(crate) struct Decoder<'a> {
    low: u32,
    high: u32,
    code: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { low: 0, high: u32::MAX, code: 0, rest: bytes.iter() };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.next_byte();
        }
        decoder
    }

    #[inline]
    fn next_byte(&mut self) -> u32 {
        self.rest.next().copied().unwrap_or(0).into()
    }

    #[inline]
    pub(crate) fn get(&mut self, chance: &mut Chance) -> bool {
        let middle = middle(self.low, self.high, *chance);
        let bit = self.code <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        chance.learn(bit);
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.code = self.code << 8 | self.next_byte();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_rules::Rng;

    /// Bits that are set once in `rarity` times, from a fixed seed.
    fn bits(rarity: u64, count: usize) -> Vec<bool> {
        let mut rng = Rng::new(1);
        (0..count).map(|_| rng.below(rarity) == 0).collect()
    }

    fn encode(bits: &[bool]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        let mut chance = Chance::from_byte(128);
        for &bit in bits {
            encoder.put(bit, &mut chance);
        }
        encoder.finish()
    }

    #[test]
    fn bits_come_back_whatever_their_number_and_rarity() {
        for rarity in [1, 2, 3, 10, 1000] {
            for count in (0..40).chain([1000, 20_000]) {
                let bits = bits(rarity, count);
                let bytes = encode(&bits);
                let mut decoder = Decoder::new(&bytes);
                let mut chance = Chance::from_byte(128);
                assert!(bits.iter().all(|&bit| decoder.get(&mut chance) == bit), "{rarity} {count}");
            }
        }
    }

    #[test]
    fn rare_bits_cost_little() {
        // One in a hundred has 0.081 bits of information.
        let bytes = encode(&bits(100, 100_000)).len();
        assert!((1010..1300).contains(&bytes), "{bytes} bytes");
        assert_eq!(encode(&[]), []);
    }

    #[test]
    fn a_decoder_takes_any_bytes() {
        for bytes in [&[][..], &[0xff; 3], &[0x12, 0, 0xff, 0x80, 0x7f]] {
            let mut decoder = Decoder::new(bytes);
            let mut chance = Chance::from_byte(3);
            (0..1000).for_each(|_| _ = decoder.get(&mut chance));
        }
    }
}
