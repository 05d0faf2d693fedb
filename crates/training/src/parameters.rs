//! The floating-point parameters of the network with forward pass, backward pass and quantization. They are one flat
//! list, so that the optimizer need not know their structure.

use crownhead_engine::{Features, Network, Weights, WeightsError};
use crownhead_rules::Rng;

const HIDDEN: usize = Network::HIDDEN;
const INPUT: usize = HIDDEN;
const OUTPUT: usize = INPUT + Features::COUNT * HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + Features::BUCKETS * HIDDEN;
const COUNT: usize = OUTPUT_BIAS + Features::BUCKETS;

/// Weights into the hidden layer stay below this, so that the accumulator of any position fits into its integers: 24
/// pieces and the bias sum to less than 32.
const MAX_INPUT_WEIGHT: f32 = 1.25;

/// One number for each parameter of the network: the parameter itself, its gradient, or a moment of its gradient.
#[derive(Clone)]
pub(crate) struct Parameters(Vec<f32>);

/// The result of a forward pass.
pub(crate) struct Forward {
    /// The inputs of the hidden units, before their activation.
    hidden: [f32; HIDDEN],
    /// The expected result of the game, 0 to 1.
    pub(crate) expected: f32,
}

impl Parameters {
    pub(crate) fn zero() -> Parameters {
        Parameters(vec![0.0; COUNT])
    }

    /// Small random parameters to start from. Weights of features that never occur are never trained, so they are zero.
    pub(crate) fn random(rng: &mut Rng) -> Parameters {
        let mut parameters = Parameters::zero();
        let mut uniform =
            |mean: f32, radius: f32| mean + radius * ((rng.below(1 << 24) as f32) / (1 << 23) as f32 - 1.0);
        let output_radius = (3.0 / HIDDEN as f32).sqrt();
        for (index, parameter) in parameters.0.iter_mut().enumerate() {
            *parameter = match index {
                ..INPUT => uniform(0.3, 0.2),
                INPUT..OUTPUT => uniform(0.0, 0.25),
                OUTPUT..OUTPUT_BIAS => uniform(0.0, output_radius),
                _ => 0.0,
            };
        }
        for unused in (0..Features::COUNT).filter(|&input| !Features::can_occur(input)) {
            parameters.0[INPUT + unused * HIDDEN..][..HIDDEN].fill(0.0);
        }
        parameters
    }

    pub(crate) fn as_slice(&self) -> &[f32] {
        &self.0
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.0
    }

    /// Clips the weights into the hidden layer, so that they can be quantized.
    pub(crate) fn clip(&mut self) {
        for parameter in &mut self.0[..OUTPUT] {
            *parameter = parameter.clamp(-MAX_INPUT_WEIGHT, MAX_INPUT_WEIGHT);
        }
    }

    /// The forward pass.
    pub(crate) fn forward(&self, features: Features) -> Forward {
        let mut hidden: [f32; HIDDEN] = self.row(0).try_into().expect("a row has one entry per hidden unit");
        for input in features.active() {
            for (sum, weight) in hidden.iter_mut().zip(self.row(INPUT + input * HIDDEN)) {
                *sum += weight;
            }
        }
        let bucket = features.bucket();
        // Eight partial sums, which the processor adds with one instruction.
        let mut output = [0.0; 8];
        for (sums, weights) in
            hidden.as_chunks().0.iter().zip(self.row(OUTPUT + bucket * HIDDEN).as_chunks().0)
        {
            for ((output, sum), weight) in output.iter_mut().zip::<&[f32; 8]>(sums).zip::<&[f32; 8]>(weights)
            {
                let unit = sum.clamp(0.0, 1.0);
                *output += unit * unit * weight;
            }
        }
        let output = self.0[OUTPUT_BIAS + bucket] + output.iter().sum::<f32>();
        Forward { hidden, expected: sigmoid(output) }
    }

    /// The backward pass: adds to this gradient that of the loss by each parameter of `network`. `error` is the
    /// derivative of the loss by the output.
    pub(crate) fn add_gradient(
        &mut self,
        network: &Parameters,
        features: Features,
        forward: &Forward,
        error: f32,
    ) {
        let bucket = features.bucket();
        self.0[OUTPUT_BIAS + bucket] += error;
        let mut hidden_gradient = [0.0; HIDDEN];
        let output = OUTPUT + bucket * HIDDEN;
        let (gradients, weights) = (&mut self.0[output..][..HIDDEN], network.row(output));
        for (((gradient, weight), sum), hidden) in
            gradients.iter_mut().zip(weights).zip(&forward.hidden).zip(&mut hidden_gradient)
        {
            let unit = sum.clamp(0.0, 1.0);
            *gradient += error * unit * unit;
            *hidden = if (0.0..1.0).contains(sum) { 2.0 * error * weight * unit } else { 0.0 };
        }
        for start in [0].into_iter().chain(features.active().map(|input| INPUT + input * HIDDEN)) {
            for (gradient, hidden) in self.0[start..][..HIDDEN].iter_mut().zip(&hidden_gradient) {
                *gradient += hidden;
            }
        }
    }

    /// The network in integers.
    pub(crate) fn quantized(&self) -> Result<Network, WeightsError> {
        let row = |start: usize, one: f32| {
            let mut units = [0; HIDDEN];
            for (unit, &parameter) in units.iter_mut().zip(self.row(start)) {
                *unit = quantize(parameter, one)?;
            }
            Ok(units)
        };
        let (one, output_one) = (f32::from(Network::ONE), Network::OUTPUT_ONE as f32);
        let biases = self.0[OUTPUT_BIAS..].iter();
        let rows = |count: usize, start: usize, one: f32| {
            (0..count).map(|number| row(start + number * HIDDEN, one)).collect::<Result<_, _>>()
        };
        Network::new(Weights {
            bias: row(0, one)?,
            input: rows(Features::COUNT, INPUT, one)?,
            output: rows(Features::BUCKETS, OUTPUT, output_one)?,
            output_bias: biases
                .map(|&bias| quantize(bias, Network::ONE_VALUE as f32))
                .collect::<Result<_, _>>()?,
        })
    }

    /// One number for each hidden unit.
    fn row(&self, start: usize) -> &[f32] {
        &self.0[start..][..HIDDEN]
    }
}

/// A parameter as an integer, where `one` stands for 1. NaN and numbers that do not fit have none.
fn quantize<T: TryFrom<i64>>(parameter: f32, one: f32) -> Result<T, WeightsError> {
    let scaled = (parameter * one).round();
    if scaled.is_nan() {
        return Err(WeightsError::TooLarge);
    }
    T::try_from(scaled as i64).map_err(|_| WeightsError::TooLarge)
}

/// The expected result for an output of the network.
pub(crate) fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_that_never_occur_have_zero_weights_from_the_start() {
        let network = Parameters::random(&mut Rng::new(1)).quantized().unwrap();
        for (input, units) in network.weights().input.iter().enumerate() {
            assert_eq!(units.iter().all(|&unit| unit == 0), !Features::can_occur(input), "{input}");
        }
    }

    #[test]
    fn parameters_that_do_not_fit_into_integers_are_rejected() {
        let parameters = Parameters::random(&mut Rng::new(1));
        assert!(parameters.quantized().is_ok());
        for index in [0, INPUT, OUTPUT, OUTPUT_BIAS] {
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, 600.0, -600.0] {
                let mut parameters = parameters.clone();
                parameters.0[index] = value;
                assert_eq!(parameters.quantized(), Err(WeightsError::TooLarge), "{value} at {index}");
            }
        }
        // The sum would fit, but the weight does not.
        let mut parameters = Parameters::zero();
        parameters.0[OUTPUT] = 40.0;
        assert_eq!(parameters.quantized(), Err(WeightsError::TooLarge));
    }
}
