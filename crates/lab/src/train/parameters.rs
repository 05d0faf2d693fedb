//! The numbers of a network while it learns: one list of fractions, so that learning need not know what they are for.

use crownhead_engine::{Dice, Features, Network, Weights, WeightsError};

const HIDDEN: usize = Network::HIDDEN;
const INPUT: usize = HIDDEN;
const OUTPUT: usize = INPUT + Features::COUNT * HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + Features::BUCKETS * HIDDEN;
const COUNT: usize = OUTPUT_BIAS + Features::BUCKETS;

/// Weights into the hidden units stay below this, so that whatever stands on the board their sum fits into its integer:
/// 24 pieces and the number it begins with are less than 32.
const LARGEST: f32 = 1.25;

/// All numbers of a network, or something about each of them: how it is pulled, how it was pulled before.
#[derive(Clone)]
pub(super) struct Parameters(Vec<f32>);

/// What the network makes of a position.
pub(super) struct Thought {
    /// The sums of the hidden units.
    sums: [f32; HIDDEN],
    /// The expected result, 0 to 1.
    pub(super) expected: f32,
}

impl Parameters {
    pub(super) fn zero() -> Parameters {
        Parameters(vec![0.0; COUNT])
    }

    /// Small random numbers to begin with. Weights of what is never seen are never learnt either, so they are zero.
    pub(super) fn random(dice: &mut Dice) -> Parameters {
        let mut parameters = Parameters::zero();
        let mut around = |middle: f32, reach: f32| {
            middle + reach * ((dice.below(1 << 24) as f32) / (1 << 23) as f32 - 1.0)
        };
        let output_reach = (3.0 / HIDDEN as f32).sqrt();
        for (at, number) in parameters.0.iter_mut().enumerate() {
            *number = match at {
                ..INPUT => around(0.3, 0.2),
                INPUT..OUTPUT => around(0.0, 0.25),
                OUTPUT..OUTPUT_BIAS => around(0.0, output_reach),
                _ => 0.0,
            };
        }
        for unseen in (0..Features::COUNT).filter(|&input| !Features::can_occur(input)) {
            parameters.0[INPUT + unseen * HIDDEN..][..HIDDEN].fill(0.0);
        }
        parameters
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.0
    }

    /// Keeps the weights into the hidden units small enough for their integers.
    pub(super) fn hold_back(&mut self) {
        for number in &mut self.0[..OUTPUT] {
            *number = number.clamp(-LARGEST, LARGEST);
        }
    }

    pub(super) fn as_slice(&self) -> &[f32] {
        &self.0
    }

    pub(super) fn think(&self, view: Features) -> Thought {
        let mut sums: [f32; HIDDEN] = self.units(0).try_into().expect("there are so many hidden units");
        for input in view.active() {
            for (sum, weight) in sums.iter_mut().zip(self.units(INPUT + input * HIDDEN)) {
                *sum += weight;
            }
        }
        let phase = view.bucket();
        // Eight sums side by side, which the processor adds at once.
        let mut value = [0.0; 8];
        for (sums, weights) in
            sums.as_chunks().0.iter().zip(self.units(OUTPUT + phase * HIDDEN).as_chunks().0)
        {
            for ((value, sum), weight) in value.iter_mut().zip::<&[f32; 8]>(sums).zip::<&[f32; 8]>(weights) {
                let unit = sum.clamp(0.0, 1.0);
                *value += unit * unit * weight;
            }
        }
        let value = self.0[OUTPUT_BIAS + phase] + value.iter().sum::<f32>();
        Thought { sums, expected: logistic(value) }
    }

    /// Adds to these pulls how an error in what was thought of a view pulls at each number of `of`.
    pub(super) fn add_pulls(&mut self, of: &Parameters, view: Features, thought: &Thought, error: f32) {
        let phase = view.bucket();
        self.0[OUTPUT_BIAS + phase] += error;
        let mut at_sums = [0.0; HIDDEN];
        let output = OUTPUT + phase * HIDDEN;
        let (pulls, weights) = (&mut self.0[output..][..HIDDEN], of.units(output));
        for (((pull, weight), sum), at_sum) in
            pulls.iter_mut().zip(weights).zip(&thought.sums).zip(&mut at_sums)
        {
            let unit = sum.clamp(0.0, 1.0);
            *pull += error * unit * unit;
            *at_sum = if (0.0..1.0).contains(sum) { 2.0 * error * weight * unit } else { 0.0 };
        }
        for start in [0].into_iter().chain(view.active().map(|input| INPUT + input * HIDDEN)) {
            for (pull, at_sum) in self.0[start..][..HIDDEN].iter_mut().zip(&at_sums) {
                *pull += at_sum;
            }
        }
    }

    /// The network in integers.
    pub(super) fn network(&self) -> Result<Network, WeightsError> {
        let units = |start: usize, one: f32| {
            let mut units = [0; HIDDEN];
            for (unit, &number) in units.iter_mut().zip(self.units(start)) {
                *unit = rounded(number, one)?;
            }
            Ok(units)
        };
        let (one, output_one) = (f32::from(Network::ONE), Network::OUTPUT_ONE as f32);
        let biases = self.0[OUTPUT_BIAS..].iter();
        let all = |count: usize, start: usize, one: f32| {
            (0..count).map(|number| units(start + number * HIDDEN, one)).collect::<Result<_, _>>()
        };
        Network::new(Weights {
            bias: units(0, one)?,
            input: all(Features::COUNT, INPUT, one)?,
            output: all(Features::BUCKETS, OUTPUT, output_one)?,
            output_bias: biases
                .map(|&bias| rounded(bias, Network::ONE_VALUE as f32))
                .collect::<Result<_, _>>()?,
        })
    }

    fn units(&self, start: usize) -> &[f32] {
        &self.0[start..][..HIDDEN]
    }
}

/// A number as an integer of its kind, if it has one: what was never a number has none either.
fn rounded<T: TryFrom<i64>>(number: f32, one: f32) -> Result<T, WeightsError> {
    let number = (number * one).round();
    if number.is_nan() {
        return Err(WeightsError::TooLarge);
    }
    T::try_from(number as i64).map_err(|_| WeightsError::TooLarge)
}

/// The result to be expected from a value.
pub(super) fn logistic(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_never_seen_weighs_nothing_from_the_start() {
        let network = Parameters::random(&mut Dice::new(1)).network().unwrap();
        for (input, units) in network.weights().input.iter().enumerate() {
            assert_eq!(units.iter().all(|&unit| unit == 0), !Features::can_occur(input), "{input}");
        }
    }

    #[test]
    fn numbers_without_an_integer_make_no_network() {
        let parameters = Parameters::random(&mut Dice::new(1));
        assert!(parameters.network().is_ok());
        for place in [0, INPUT, OUTPUT, OUTPUT_BIAS] {
            for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, 600.0, -600.0] {
                let mut parameters = parameters.clone();
                parameters.0[place] = number;
                assert_eq!(parameters.network(), Err(WeightsError::TooLarge), "{number} at {place}");
            }
        }
        // As large as a sum may be with it, but not as a weight.
        let mut parameters = Parameters::zero();
        parameters.0[OUTPUT] = 40.0;
        assert_eq!(parameters.network(), Err(WeightsError::TooLarge));
    }
}
