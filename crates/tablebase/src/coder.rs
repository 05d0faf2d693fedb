//! An adaptive binary arithmetic coder, which learns the probabilities of bits while coding.
//!
//! A likely bit costs a fraction of a bit. The decoder accepts any bytes and reads zeros beyond their end, so damage
//! yields wrong bits, which the checksum of the file detects.

/// The probability that a bit is set, in 65,536ths. It moves towards every bit that is coded with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probability(u16);

/// The adaptation rate: each bit moves its probability by 1/32 of the remaining distance. Measured: 1/32 makes the
/// smallest files.
const LEARNING_SHIFT: u32 = 5;

impl Probability {
    /// The probability stored in a byte of a table.
    #[inline]
    pub(crate) const fn from_byte(byte: u8) -> Probability {
        Probability((byte as u16) << 8 | 0x80)
    }

    /// The byte for `ones` set bits among `all`.
    pub(crate) fn byte_for(ones: u64, all: u64) -> u8 {
        // Adds half a bit of each kind, so that no bit is considered impossible.
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

/// The end of the part of the interval that stands for a set bit.
#[inline]
fn middle(low: u32, high: u32, probability: Probability) -> u32 {
    low + ((u64::from(high - low) * u64::from(probability.0)) >> 16) as u32
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

    pub(crate) fn put(&mut self, bit: bool, probability: &mut Probability) {
        let middle = middle(self.low, self.high, *probability);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        probability.learn(bit);
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
    }

    /// The bytes without trailing zeros, which the decoder supplies itself.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        // The value within the interval that has the most trailing zero bytes.
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
    pub(crate) fn get(&mut self, probability: &mut Probability) -> bool {
        let middle = middle(self.low, self.high, *probability);
        let bit = self.code <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        probability.learn(bit);
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

    /// Random bits from a fixed seed, of which one in `rarity` is set.
    fn bits(rarity: u64, count: usize) -> Vec<bool> {
        let mut rng = Rng::new(1);
        (0..count).map(|_| rng.below(rarity) == 0).collect()
    }

    fn encode(bits: &[bool]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        let mut probability = Probability::from_byte(128);
        for &bit in bits {
            encoder.put(bit, &mut probability);
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
                let mut probability = Probability::from_byte(128);
                assert!(bits.iter().all(|&bit| decoder.get(&mut probability) == bit), "{rarity} {count}");
            }
        }
    }

    #[test]
    fn rare_bits_cost_little() {
        // One in a hundred has 0.081 bits of information.
        let bytes = encode(&bits(100, 100_000)).len();
        assert!((1010..1300).contains(&bytes), "{bytes} bytes");
        assert!(encode(&[]).is_empty());
    }

    #[test]
    fn a_decoder_takes_any_bytes() {
        for bytes in [&[][..], &[0xff; 3], &[0x12, 0, 0xff, 0x80, 0x7f]] {
            let mut decoder = Decoder::new(bytes);
            let mut probability = Probability::from_byte(3);
            (0..1000).for_each(|_| _ = decoder.get(&mut probability));
        }
    }
}
