//! WDL compression: a block of positions as runs of equal values (run-length coding), arithmetically coded.
//!
//! Positions without a stored value (see `value_source.rs`) join the run that they fall in.

use crate::model::{BitCoder, Code, Model, pass_bits};
use crate::packed_wdl;
use crate::value::Value;

/// The number of different values.
const VALUES: usize = 3;
/// Runs are shorter than 2 to this power.
const EXPONENTS: usize = 16;
/// This many bits after the leading one have probabilities of their own; lower ones share one.
const LEARNT_BITS: u32 = 3;

/// The index of the first probability of each kind.
const FIRST: usize = 0;
const NEXT: usize = FIRST + 2;
const EXPONENT: usize = NEXT + VALUES;
const MANTISSA: usize = EXPONENT + VALUES * EXPONENTS;
const LOW_BITS: usize = MANTISSA + (EXPONENTS << LEARNT_BITS);
pub(crate) const PROBABILITIES: usize = LOW_BITS + 1;

/// The largest number of positions in a block.
pub(crate) const MAX_BLOCK: usize = (1 << EXPONENTS) - 1;

/// A run of equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: u8,
    len: u16,
}

/// The runs of a block; `None` may become anything.
pub(crate) fn runs(values: impl Iterator<Item = Option<Value>>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Positions before the first stored value belong to the first run.
    let mut waiting = 0;
    for value in values {
        match (value.map(packed_wdl::code), runs.last_mut()) {
            (None, None) => waiting += 1,
            (None, Some(last)) => last.len += 1,
            (Some(code), Some(last)) if last.code == code => last.len += 1,
            (Some(code), _) => {
                runs.push(Run { code, len: waiting + 1 });
                waiting = 0;
            }
        }
    }
    if waiting > 0 {
        runs.push(Run { code: 0, len: waiting });
    }
    runs
}

/// The probabilities of a slice's runs.
pub(crate) type RunModel = Model<PROBABILITIES>;

impl Code for Vec<Run> {
    fn pass(&self, through: &mut impl BitCoder) {
        let mut before = None;
        for &run in self {
            pass_run(through, before, run);
            before = Some(run.code);
        }
    }
}

/// Visits the runs of a block of `len` positions: the start, the end and the value of each. Accepts any bytes.
#[inline]
pub(crate) fn decode(model: &RunModel, bytes: &[u8], len: usize, mut visit: impl FnMut(usize, usize, Value)) {
    let mut reader = model.reader(bytes);
    let mut start = 0;
    let mut before = None;
    while start < len {
        let run = pass_run(&mut reader, before, Run { code: 0, len: 1 });
        let end = len.min(start + usize::from(run.len));
        visit(start, end, packed_wdl::value(run.code));
        (start, before) = (end, Some(run.code));
    }
}

/// Codes or decodes a run, and returns it. A reader ignores `run`, which only needs a length above 0.
#[inline]
fn pass_run(through: &mut impl BitCoder, before: Option<u8>, run: Run) -> Run {
    let code = match before {
        None if through.pass(run.code == 0, FIRST) => 0,
        None if through.pass(run.code == 1, FIRST + 1) => 1,
        None => 2,
        // A run differs in value from the one before, so two values are left.
        Some(before) if through.pass(run.code == (before + 1) % 3, NEXT + before as usize) => {
            (before + 1) % 3
        }
        Some(before) => (before + 2) % 3,
    };
    let tree = EXPONENT + code as usize * EXPONENTS;
    let exponent = pass_bits(through, run.len.ilog2(), EXPONENTS.ilog2(), tree);
    let learnt = exponent.min(LEARNT_BITS);
    let tree = MANTISSA + ((exponent as usize) << LEARNT_BITS);
    let mut len = 1 << learnt | pass_bits(through, u32::from(run.len) >> (exponent - learnt), learnt, tree);
    for bit in (0..exponent - learnt).rev() {
        len = len << 1 | u32::from(through.pass(run.len >> bit & 1 != 0, LOW_BITS));
    }
    Run { code, len: len as u16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed_wdl::PackedWdl;

    const LOSS: Option<Value> = Some(Value(0));
    const WIN: Option<Value> = Some(Value(1));
    const DRAW: Option<Value> = Some(Value::DRAW);

    fn through_the_code(values: &[Option<Value>]) -> PackedWdl {
        let runs = runs(values.iter().copied());
        let model = RunModel::fit([&runs].into_iter());
        let mut decoded = PackedWdl::new(values.len());
        decode(&model, &model.encode(&runs), values.len(), |start, end, value| {
            decoded.fill(start, end, value);
        });
        decoded
    }

    #[test]
    fn values_come_back_and_gaps_take_on_anything() {
        let mut rows = vec![
            vec![],
            vec![None; 5],
            vec![None, WIN, None, None, DRAW, LOSS, None],
            [[LOSS; 7], [DRAW; 7], [WIN; 7]].concat(),
            vec![DRAW; MAX_BLOCK],
        ];
        rows.push((0..5000).map(|i| [WIN, DRAW, LOSS, None][i * i / 7 % 4]).collect());
        for row in rows {
            let decoded = through_the_code(&row);
            for (index, value) in row.iter().enumerate() {
                assert!(value.is_none_or(|value| decoded.get(index) == value), "{index}");
            }
        }
    }

    #[test]
    fn gaps_do_not_break_a_run() {
        let row = [None, WIN, None, WIN, WIN, None, DRAW, None];
        assert_eq!(runs(row.into_iter()), [Run { code: 1, len: 6 }, Run { code: 2, len: 2 }]);
    }

    #[test]
    fn damaged_bytes_give_a_block_of_the_right_length() {
        let model = RunModel::fit([&runs([WIN, DRAW, LOSS].into_iter())].into_iter());
        for bytes in [&[][..], &[0xff; 40], &[7, 3, 0, 200]] {
            let mut next = 0;
            decode(&model, bytes, 1000, |start, end, _| {
                assert!(start == next && end > start);
                next = end;
            });
            assert_eq!(next, 1000);
        }
    }
}
