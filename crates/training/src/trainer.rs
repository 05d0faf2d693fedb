//! Trains a network on a dataset by mini-batch gradient descent (Adam), one epoch after the other.
//!
//! The same dataset and hyperparameters give the same network, whatever the number of cores.

use std::thread;

use crownhead_engine::{Network, WeightsError};
use crownhead_rules::Rng;

use crate::dataset::Example;
use crate::parameters::{Parameters, sigmoid};

/// How a network is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperparameters {
    /// The seed of the initial parameters and of the order of the examples.
    pub seed: u64,
    /// How many times to go through the training set.
    pub epochs: usize,
    /// The learning rate at the start; it falls along half a cosine wave until the end.
    pub learning_rate: f32,
}

/// The mean loss of an epoch: the cross-entropy of target and prediction, in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// On the training set, while it is being learnt.
    pub training: f64,
    /// On the validation set after the epoch, by the quantized network.
    pub validation: f64,
}

/// A network in training.
pub struct Trainer {
    hyperparameters: Hyperparameters,
    rng: Rng,
    parameters: Parameters,
    /// Adam's running means of the gradient and of its square.
    moments: [Parameters; 2],
    steps: usize,
}

/// Examples per step.
const BATCH_SIZE: usize = 2048;
/// Chunks of a batch, which run in parallel and are summed in order, so that the sum is the same on every machine.
const CHUNKS: usize = 4;
/// Adam's decay rates of the two moments.
const BETAS: [f32; 2] = [0.9, 0.999];
/// Adam's term against division by zero.
const EPSILON: f32 = 1e-8;
/// The learning rate never falls below this fraction of its start.
const MIN_LEARNING_RATE: f32 = 0.01;

impl Trainer {
    /// Starts from small random parameters.
    pub fn new(hyperparameters: Hyperparameters) -> Trainer {
        let mut rng = Rng::new(hyperparameters.seed);
        let parameters = Parameters::random(&mut rng);
        let moments = [Parameters::zero(), Parameters::zero()];
        Trainer { hyperparameters, rng, parameters, moments, steps: 0 }
    }

    /// Goes through the training set once, in a new order. `done` is called after each batch with the number of
    /// examples so far.
    pub fn epoch(
        &mut self,
        training: &mut [Example],
        validation: &[Example],
        done: &mut dyn FnMut(usize),
    ) -> Losses {
        self.rng.shuffle(training);
        let total_steps = self.hyperparameters.epochs * training.len().div_ceil(BATCH_SIZE);
        let mut loss = 0.0;
        for (number, batch) in training.chunks(BATCH_SIZE).enumerate() {
            let (batch_loss, gradient) = self.gradient(batch);
            loss += batch_loss;
            self.step(&gradient, batch.len(), total_steps);
            done(number * BATCH_SIZE + batch.len());
        }
        Losses { training: loss / training.len().max(1) as f64, validation: self.validation_loss(validation) }
    }

    /// The network as it is, quantized.
    ///
    /// # Errors
    /// If the weights are too large to be quantized.
    pub fn network(&self) -> Result<Network, WeightsError> {
        self.parameters.quantized()
    }

    /// The summed loss of a batch and its summed gradient.
    fn gradient(&self, batch: &[Example]) -> (f64, Parameters) {
        let chunks = in_parallel(batch, |chunk| {
            let mut gradient = Parameters::zero();
            let mut loss = 0.0;
            for example in chunk {
                let forward = self.parameters.forward(example.features);
                loss += cross_entropy(forward.expected, example.target);
                let error = forward.expected - example.target;
                gradient.add_gradient(&self.parameters, example.features, &forward, error);
            }
            (loss, gradient)
        });
        let mut sum = (0.0, Parameters::zero());
        for (loss, gradient) in chunks {
            sum.0 += loss;
            for (sum, gradient) in sum.1.as_mut_slice().iter_mut().zip(gradient.as_slice()) {
                *sum += gradient;
            }
        }
        sum
    }

    /// One step of Adam with the summed gradient of a batch.
    fn step(&mut self, gradient: &Parameters, batch_size: usize, total_steps: usize) {
        self.steps += 1;
        let angle = self.steps as f32 / total_steps as f32 * core::f32::consts::PI;
        let learning_rate =
            self.hyperparameters.learning_rate * (0.5 + 0.5 * angle.cos()).max(MIN_LEARNING_RATE);
        // The moments start at zero; this corrects their bias.
        let [first_correction, second_correction] = BETAS.map(|beta| 1.0 - beta.powi(self.steps as i32));
        let [first, second] = &mut self.moments;
        let parameters = self.parameters.as_mut_slice().iter_mut();
        let moments = first.as_mut_slice().iter_mut().zip(second.as_mut_slice());
        for ((parameter, gradient), (first, second)) in parameters.zip(gradient.as_slice()).zip(moments) {
            let gradient = gradient / batch_size as f32;
            *first = BETAS[0] * *first + (1.0 - BETAS[0]) * gradient;
            *second = BETAS[1] * *second + (1.0 - BETAS[1]) * gradient * gradient;
            *parameter -= learning_rate * (*first / first_correction)
                / ((*second / second_correction).sqrt() + EPSILON);
        }
        self.parameters.clip();
    }

    /// The mean loss of the quantized network, since that is the one that plays. Parameters that cannot be quantized
    /// are used as they are.
    fn validation_loss(&self, examples: &[Example]) -> f64 {
        let network = self.network();
        let expected = |features| match &network {
            Ok(network) => sigmoid(network.evaluate(features) as f32 / Network::HUNDREDTHS as f32),
            Err(_) => self.parameters.forward(features).expected,
        };
        let chunks = in_parallel(examples, |chunk| {
            chunk.iter().map(|example| cross_entropy(expected(example.features), example.target)).sum::<f64>()
        });
        chunks.into_iter().sum::<f64>() / examples.len().max(1) as f64
    }
}

/// Works on the chunks of a list in parallel, or on this thread where no other can be started. The results are in
/// order.
fn in_parallel<T: Sync, R: Send>(list: &[T], work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let chunks = list.chunks(list.len().div_ceil(CHUNKS).max(1));
        let start = |chunk| (chunk, thread::Builder::new().spawn_scoped(scope, move || work(chunk)));
        let threads: Vec<_> = chunks.map(start).collect();
        let done = threads.into_iter().map(|(chunk, thread)| match thread {
            Ok(thread) => thread.join().expect("training does not panic"),
            Err(_) => work(chunk),
        });
        done.collect()
    })
}

/// The cross-entropy of a target and a prediction, in nats.
fn cross_entropy(predicted: f32, target: f32) -> f64 {
    let predicted = f64::from(predicted).clamp(1e-6, 1.0 - 1e-6);
    let target = f64::from(target);
    -(target * predicted.ln() + (1.0 - target) * (1.0 - predicted).ln())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;
    use std::sync::Arc;

    use crownhead_engine::{Engine, Evaluation, Features, Limits, Timeless};
    use crownhead_rules::{History, Position, Rulebook};
    use crownhead_tablebase::{Tablebase, Wdl};

    use super::*;
    use crate::dataset::Dataset;
    use crate::sample::Sample;

    /// Enough for games to begin with different positions.
    const OPENING_PLIES: usize = 6;

    /// Random positions in which the side with more pieces wins.
    fn dataset(games: usize) -> Dataset {
        let mut rng = Rng::new(5);
        let mut dataset = Dataset::default();
        for _ in 0..games {
            let mut position = Position::start();
            for _ in 0..OPENING_PLIES {
                position = position.play_unchecked(*rng.pick(&position.distinct_moves()));
            }
            let mut game = Vec::new();
            while let [_, ..] = *position.distinct_moves() {
                position = position.play_unchecked(*rng.pick(&position.distinct_moves()));
                let side = position.side_to_move();
                let result = match position.pieces(side).len().cmp(&position.pieces(!side).len()) {
                    core::cmp::Ordering::Less => Wdl::Loss,
                    core::cmp::Ordering::Equal => Wdl::Draw,
                    core::cmp::Ordering::Greater => Wdl::Win,
                };
                game.push(Sample { position, score: 0, result });
            }
            dataset.add(game, NonZeroU16::MIN, &Tablebase::empty(), 1.0);
        }
        dataset
    }

    /// The finite difference by which a gradient is checked.
    const STEP: f32 = 2e-3;
    /// The precision of a slope measured by such a difference in 32-bit floats.
    const SLOPE_ERROR: f64 = 5e-4;

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let examples = dataset(20).training;
        let mut trainer = Trainer::new(HYPERPARAMETERS);
        for bucket in 0..Features::BUCKETS {
            let is_won = |example: &&Example| example.features.bucket() == bucket && example.target > 0.5;
            let example = *examples.iter().find(is_won).expect("games go through all buckets");
            let (loss, gradient) = trainer.gradient(&[example]);
            for (index, &gradient) in gradient.as_slice().iter().enumerate() {
                let parameter = trainer.parameters.as_slice()[index];
                let errors = [-STEP, STEP].map(|step| {
                    trainer.parameters.as_mut_slice()[index] = parameter + step;
                    let moved =
                        cross_entropy(trainer.parameters.forward(example.features).expected, example.target);
                    ((moved - loss) / f64::from(step) - f64::from(gradient)).abs()
                });
                trainer.parameters.as_mut_slice()[index] = parameter;
                // The slope breaks where a hidden unit saturates, and the gradient is that of one side.
                let error = errors[0].min(errors[1]);
                assert!(error < SLOPE_ERROR, "{error} at {index} in bucket {bucket}, gradient {gradient}");
            }
        }
    }

    #[test]
    fn the_quantized_network_agrees_with_its_parameters() {
        let mut dataset = dataset(40);
        let mut trainer = Trainer::new(HYPERPARAMETERS);
        for epoch in 0..HYPERPARAMETERS.epochs {
            let network = trainer.network().unwrap();
            for example in &dataset.validation {
                let expected = trainer.parameters.forward(example.features).expected;
                let hundredths = (expected / (1.0 - expected)).ln() * Network::HUNDREDTHS as f32;
                let value = network.evaluate(example.features);
                assert!(
                    (value as f32 - hundredths).abs() < 2.0,
                    "{value}, not {hundredths} in epoch {epoch}"
                );
            }
            trainer.epoch(&mut dataset.training, &[], &mut |_| {});
        }
    }

    const HYPERPARAMETERS: Hyperparameters = Hyperparameters { seed: 1, epochs: 3, learning_rate: 0.01 };

    fn train(dataset: &mut Dataset) -> (Vec<Losses>, Network) {
        let mut trainer = Trainer::new(HYPERPARAMETERS);
        let losses = (0..HYPERPARAMETERS.epochs)
            .map(|_| trainer.epoch(&mut dataset.training, &dataset.validation, &mut |_| {}));
        (losses.collect(), trainer.network().unwrap())
    }

    #[test]
    fn the_validation_loss_is_that_of_the_network_that_ships() {
        let mut dataset = dataset(40);
        let (losses, network) = train(&mut dataset);
        let examples = dataset.validation.iter().map(|example| {
            let value = network.evaluate(example.features) as f32 / Network::HUNDREDTHS as f32;
            cross_entropy(sigmoid(value), example.target)
        });
        let mean = examples.sum::<f64>() / dataset.validation.len() as f64;
        assert!((losses[2].validation - mean).abs() < 1e-9, "{losses:?}, not {mean}");
    }

    #[test]
    fn training_generalizes_to_unseen_positions() {
        let (losses, network) = train(&mut dataset(200));
        // A network that knows nothing has a loss of ln 2.
        assert!(losses[2].validation < losses[0].validation && losses[0].validation < 0.69, "{losses:?}");
        let mut engine = Engine::new(1 << 16).unwrap();
        engine.set_evaluation(Evaluation::Network(Arc::new(network)));
        let mut value = |fen: &str| {
            let game = History::new(fen.parse().unwrap());
            let found = engine.search(&game, &Rulebook::default(), &Limits::depth(1), &Timeless, &mut |_| {});
            found.unwrap().score().hundredths()
        };
        let (more, fewer) = (value("B:W29-32:B1-8"), value("B:W25-32:B1-4"));
        assert!(more > 20 && fewer < -20, "{more} with more pieces, {fewer} with fewer");
    }

    #[test]
    fn the_same_dataset_gives_the_same_network() {
        assert_eq!(train(&mut dataset(20)).1, train(&mut dataset(20)).1);
    }
}
