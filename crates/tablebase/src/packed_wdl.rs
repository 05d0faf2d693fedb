//! Packed WDL values: two bits each, four in a byte.

use crate::cache::Block;
use crate::value::Value;

/// The two bits of a draw; a loss is 0 and a win is 1, as their plies are in [`Value`].
const DRAW: u8 = 2;

/// A row of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackedWdl(Box<[u8]>);

impl PackedWdl {
    pub(crate) fn new(len: usize) -> PackedWdl {
        PackedWdl(vec![0; len.div_ceil(4)].into())
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Value {
        value(self.0[index / 4] >> (index % 4 * 2) & 3)
    }

    /// Sets a run of values that have not been set before.
    pub(crate) fn fill(&mut self, mut start: usize, end: usize, value: Value) {
        let code = code(value);
        while start < end && !start.is_multiple_of(4) {
            self.0[start / 4] |= code << (start % 4 * 2);
            start += 1;
        }
        if start < end {
            self.0[start / 4..end / 4].fill(code * 0b0101_0101);
            for index in (end & !3).max(start)..end {
                self.0[index / 4] |= code << (index % 4 * 2);
            }
        }
    }
}

impl Block for PackedWdl {
    fn size(&self) -> usize {
        self.0.len()
    }
}

/// Packs values and drops their distances.
impl FromIterator<Value> for PackedWdl {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> PackedWdl {
        let mut bytes = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            if index.is_multiple_of(4) {
                bytes.push(0);
            }
            *bytes.last_mut().expect("just pushed") |= code(value) << (index % 4 * 2);
        }
        PackedWdl(bytes.into())
    }
}

/// The two bits of a value.
#[inline]
pub(crate) const fn code(value: Value) -> u8 {
    match value.plies() {
        Some(plies) => plies & 1,
        None => DRAW,
    }
}

/// The value with these two bits.
#[inline]
pub(crate) const fn value(code: u8) -> Value {
    if code == 0 || code == 1 { Value(code) } else { Value::DRAW }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_fill_what_single_values_would() {
        let values = [Value(0), Value(1), Value::DRAW];
        for (start, end) in (0..14).flat_map(|start| (start..14).map(move |end| (start, end))) {
            for middle in values {
                let row = |i| if (start..end).contains(&i) { middle } else { Value(1) };
                let mut filled = PackedWdl::new(14);
                filled.fill(0, start, Value(1));
                filled.fill(start, end, middle);
                filled.fill(end, 14, Value(1));
                assert_eq!(filled, (0..14).map(row).collect());
                assert!((0..14).all(|i| filled.get(i) == row(i)));
            }
        }
    }
}
