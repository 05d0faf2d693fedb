//! DTW compression: the distances of lost positions in a block, coded as differences from a prediction.
//!
//! The table stores only losses in which no capture is due. A win is one ply longer than the shortest loss that it
//! leads to, a position with a capture follows from smaller tables, and a draw has no distance. A loss takes an even
//! number of plies, so the code stores half of it.

use crate::cache::Block;
use crate::model::{BitCoder, Code, Model};
use crate::value::Value;

/// The number of context classes for the difference between two neighbours.
const CLASSES: usize = 9;
/// Prediction errors below this size have a probability each; all larger ones share the last.
const STEPS: usize = 14;

/// The index of the first probability of each kind.
const HIT: usize = 0;
const SHORTER: usize = HIT + CLASSES * CLASSES;
const STEP: usize = SHORTER + CLASSES * CLASSES;
pub(crate) const PROBABILITIES: usize = STEP + CLASSES * 2 * STEPS;

/// The probabilities of a slice's distances.
pub(crate) type DtwModel = Model<PROBABILITIES>;

/// Marks a position without a stored distance.
const NONE: u8 = u8::MAX;
/// The prediction before the first distance of a block.
const FIRST_GUESS: u8 = 10;
/// The longest loss that can be stored, in pairs of plies.
const LONGEST: i32 = Value::MAX_PLIES as i32 / 2;

/// Half the plies of each lost position of a block, or [`NONE`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LossDistances {
    halves: Box<[u8]>,
    /// See [`SliceIndex::stride`](crate::index::SliceIndex::stride).
    stride: usize,
}

impl LossDistances {
    /// The losses among the values of a block.
    pub(crate) fn new(values: impl Iterator<Item = Option<Value>>, stride: usize) -> LossDistances {
        let half = |value: Option<Value>| value.filter(|v| v.is_loss()).map_or(NONE, |loss| loss.0 / 2);
        LossDistances { halves: values.map(half).collect(), stride }
    }

    /// A block without a stored loss.
    pub(crate) fn none(len: usize) -> LossDistances {
        LossDistances { halves: vec![NONE; len].into(), stride: 1 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.halves.iter().all(|&half| half == NONE)
    }

    /// The value of a stored loss.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Value> {
        Some(self.halves[index]).filter(|&half| half != NONE).map(|half| Value(half * 2))
    }
}

impl Block for LossDistances {
    fn size(&self) -> usize {
        self.halves.len()
    }
}

impl Code for LossDistances {
    fn pass(&self, through: &mut impl BitCoder) {
        let mut past = Past::new(self.halves.len(), self.stride);
        for &half in &self.halves {
            past.push((half != NONE).then(|| past.pass(through, half)));
        }
    }
}

/// Decodes the losses of a block; `stored` says for each position whether it is one. Accepts any bytes.
pub(crate) fn decode(
    model: &DtwModel,
    bytes: &[u8],
    stride: usize,
    stored: impl ExactSizeIterator<Item = bool>,
) -> LossDistances {
    let mut reader = model.reader(bytes);
    let mut past = Past::new(stored.len(), stride);
    let halves = stored.map(|stored| {
        let half = stored.then(|| past.pass(&mut reader, 0));
        past.push(half);
        half.unwrap_or(NONE)
    });
    LossDistances { halves: halves.collect(), stride }
}

/// The distances so far; a position without a stored one repeats the one before it.
struct Past {
    halves: Vec<u8>,
    stride: usize,
}

impl Past {
    fn new(len: usize, stride: usize) -> Past {
        Past { halves: Vec::with_capacity(len), stride }
    }

    fn push(&mut self, half: Option<u8>) {
        self.halves.push(half.unwrap_or_else(|| self.back(1, FIRST_GUESS)));
    }

    fn back(&self, steps: usize, otherwise: u8) -> u8 {
        self.halves.len().checked_sub(steps).map_or(otherwise, |index| self.halves[index])
    }

    /// Codes or decodes the next distance, and returns it.
    fn pass(&self, through: &mut impl BitCoder, half: u8) -> u8 {
        let left = i32::from(self.back(1, FIRST_GUESS));
        let above = i32::from(self.back(self.stride, left as u8));
        let corner = i32::from(self.back(self.stride + 1, above as u8));
        // The predictor of JPEG-LS: the plane through the three neighbours, clamped to the range of the nearest two.
        let guess = (left + above - corner).clamp(left.min(above), left.max(above));
        let slope = class(left - above);
        let context = slope * CLASSES + class(above - corner);
        if through.pass(i32::from(half) == guess, HIT + context) {
            return guess as u8;
        }
        let shorter = through.pass(i32::from(half) < guess, SHORTER + context);
        let places = STEP + (slope * 2 + usize::from(shorter)) * STEPS;
        let limit = if shorter { guess } else { LONGEST - guess };
        let mut steps = 1;
        while steps < limit
            && !through.pass((i32::from(half) - guess).abs() == steps, places + STEPS.min(steps as usize) - 1)
        {
            steps += 1;
        }
        (if shorter { guess - steps } else { guess + steps }).clamp(0, LONGEST) as u8
    }
}

/// The context class of a difference, one of [`CLASSES`]; small differences have a class each.
fn class(difference: i32) -> usize {
    match difference {
        ..=-5 => 0,
        -4 | -3 => 1,
        -2..=2 => (difference + 4) as usize,
        3 | 4 => 7,
        5.. => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(halves: impl IntoIterator<Item = u8>, stride: usize) -> LossDistances {
        LossDistances { halves: halves.into_iter().collect(), stride }
    }

    #[test]
    fn distances_come_back() {
        let mut rows = vec![vec![], vec![NONE; 4], vec![0, 126, NONE, 0, 126, 126], vec![9; 100]];
        rows.push(
            (0..4000_usize).map(|i| if i % 5 == 0 { NONE } else { (i * i / 31 % 127) as u8 }).collect(),
        );
        for row in rows {
            for stride in [1, 7, 100_000] {
                let losses = losses(row.clone(), stride);
                let model = DtwModel::fit([&losses].into_iter());
                let stored = row.iter().map(|&half| half != NONE);
                assert_eq!(decode(&model, &model.encode(&losses), stride, stored), losses);
            }
        }
    }

    #[test]
    fn damaged_bytes_give_distances_that_can_be() {
        let model = DtwModel::fit([&losses([3, 90, 2], 2)].into_iter());
        for bytes in [&[][..], &[0xff; 40], &[7, 3, 0, 200]] {
            let losses = decode(&model, bytes, 3, [true; 1000].into_iter());
            assert!(losses.halves.iter().all(|&half| i32::from(half) <= LONGEST));
        }
    }
}
