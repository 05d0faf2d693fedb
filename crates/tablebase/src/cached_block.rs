//! A decoded WDL block in the cache: run-length coded, or packed if runs would take more memory.
//!
//! Most blocks have few runs. All blocks of 6 pieces take a fifth of the memory that two bits per position would.

use crate::cache::Block;
use crate::packed_wdl::{self, PackedWdl};
use crate::section::BLOCK;
use crate::value::Value;

/// The bits for a value, next to the start of its run.
const CODE_BITS: u32 = 2;
const _: () = assert!(BLOCK << CODE_BITS <= 1 << u16::BITS, "a place and a value fit into a word");

/// The values of a block.
#[derive(Debug)]
pub(crate) enum CachedBlock {
    /// The start of each run, with its value in the lowest bits.
    Runs(Box<[u16]>),
    Values(PackedWdl),
}

impl CachedBlock {
    /// A block of `len` positions, given by the start and the value of each run. The first run starts at 0.
    pub(crate) fn new(runs: &[(u16, Value)], len: usize) -> CachedBlock {
        if size_of::<u16>() * runs.len() <= len / 4 {
            return CachedBlock::Runs(runs.iter().map(|&(start, value)| word(start, value)).collect());
        }
        let mut values = PackedWdl::new(len);
        let ends = runs.iter().skip(1).map(|&(start, _)| usize::from(start)).chain([len]);
        for (&(start, value), end) in runs.iter().zip(ends) {
            values.fill(usize::from(start), end, value);
        }
        CachedBlock::Values(values)
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> Value {
        match self {
            CachedBlock::Runs(words) => {
                let after = words.partition_point(|&word| usize::from(word >> CODE_BITS) <= place);
                packed_wdl::value(words[after - 1] as u8 & 3)
            }
            CachedBlock::Values(values) => values.get(place),
        }
    }
}

fn word(start: u16, value: Value) -> u16 {
    start << CODE_BITS | u16::from(packed_wdl::code(value))
}

impl Block for CachedBlock {
    fn size(&self) -> usize {
        match self {
            CachedBlock::Runs(words) => size_of_val(&**words),
            CachedBlock::Values(values) => values.size(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_however_they_are_kept() {
        for (len, step) in [(BLOCK, 1000), (BLOCK, 8), (BLOCK, 3), (77, 50), (1, 1)] {
            let all = [Value(1), Value::DRAW, Value(0)];
            let runs: Vec<_> =
                (0..len).step_by(step).map(|start| (start as u16, all[start / step % 3])).collect();
            let kept = CachedBlock::new(&runs, len);
            assert_eq!(matches!(kept, CachedBlock::Runs(_)), step >= 8 && len > 1, "{step}");
            assert!((0..len).all(|place| kept.get(place) == all[place / step % 3]));
        }
    }
}
