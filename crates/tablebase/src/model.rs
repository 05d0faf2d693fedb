//! The probability model of the arithmetic coder: measured over a slice, stored with it, adapted further in each block.

use crate::coder::{Decoder, Encoder, Probability};

/// The `N` initial probabilities for every block of a slice, a byte each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model<const N: usize>([u8; N]);

/// A block that is coded bit by bit.
pub(crate) trait Code {
    /// Passes all its bits to a coder.
    fn pass(&self, through: &mut impl BitCoder);
}

/// Counts, writes or reads bits, each with the index of its probability.
pub(crate) trait BitCoder {
    /// Counts or writes a bit and returns it. A reader ignores `bit` and returns the one that it decodes.
    fn pass(&mut self, bit: bool, place: usize) -> bool;
}

impl<const N: usize> Model<N> {
    /// The model in the first `N` bytes, and the bytes after it.
    pub(crate) fn split_from(bytes: &[u8]) -> Option<(Model<N>, &[u8])> {
        bytes.split_first_chunk().map(|(probabilities, rest)| (Model(*probabilities), rest))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The model with the frequencies of the bits in these blocks.
    pub(crate) fn fit<'a>(blocks: impl Iterator<Item = &'a (impl Code + 'a)>) -> Model<N> {
        let mut counts = Counts([[0; 2]; N]);
        blocks.for_each(|block| block.pass(&mut counts));
        Model(counts.0.map(|[zeros, ones]| Probability::byte_for(ones, zeros + ones)))
    }

    pub(crate) fn encode(&self, block: &impl Code) -> Vec<u8> {
        let mut writer =
            Writer { encoder: Encoder::new(), probabilities: self.0.map(Probability::from_byte) };
        block.pass(&mut writer);
        writer.encoder.finish()
    }

    /// A reader of what [`encode`](Model::encode) wrote. Accepts any bytes.
    pub(crate) fn reader<'a>(&self, bytes: &'a [u8]) -> Reader<'a, N> {
        Reader { decoder: Decoder::new(bytes), probabilities: self.0.map(Probability::from_byte) }
    }
}

struct Counts<const N: usize>([[u64; 2]; N]);

impl<const N: usize> BitCoder for Counts<N> {
    #[inline]
    fn pass(&mut self, bit: bool, place: usize) -> bool {
        self.0[place][usize::from(bit)] += 1;
        bit
    }
}

struct Writer<const N: usize> {
    encoder: Encoder,
    probabilities: [Probability; N],
}

impl<const N: usize> BitCoder for Writer<N> {
    #[inline]
    fn pass(&mut self, bit: bool, place: usize) -> bool {
        self.encoder.put(bit, &mut self.probabilities[place]);
        bit
    }
}

/// The bits of a block, one after another.
pub(crate) struct Reader<'a, const N: usize> {
    decoder: Decoder<'a>,
    probabilities: [Probability; N],
}

impl<const N: usize> BitCoder for Reader<'_, N> {
    #[inline]
    fn pass(&mut self, _: bool, place: usize) -> bool {
        self.decoder.get(&mut self.probabilities[place])
    }
}

/// Codes or decodes the lowest `count` bits of a number, the highest first (a bit tree): the probability of each
/// depends on the bits before it. Uses the probabilities `tree + 1` to `tree + 2^count - 1`.
#[inline]
pub(crate) fn pass_bits(through: &mut impl BitCoder, number: u32, count: u32, tree: usize) -> u32 {
    let mut node = 1;
    for bit in (0..count).rev() {
        node = node << 1 | u32::from(through.pass(number >> bit & 1 != 0, tree + node as usize));
    }
    node - (1 << count)
}
