//! Fitting a network to games, one pass over all of them after the other.
//!
//! The same lessons and settings give the same network, whatever the number of cores.

use std::thread;

use crownhead_engine::{Dice, Network, WeightsError};

use super::lesson::Lesson;
use super::parameters::{Parameters, logistic};

/// How a network is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The numbers to begin with, and the order of the lessons.
    pub seed: u64,
    /// How often to go over all lessons.
    pub passes: usize,
    /// How far a number moves at first; less and less until the end.
    pub rate: f32,
}

/// The mean loss of a pass: how many nats the results are a surprise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// On the lessons that were learnt, while learning them.
    pub learnt: f64,
    /// On those that were held out, by the network in integers.
    pub held_out: f64,
}

/// A network on the way.
pub struct Fitting {
    fit: Fit,
    dice: Dice,
    parameters: Parameters,
    /// The running mean of the pulls at each number, and of their squares.
    pulls: [Parameters; 2],
    steps: usize,
}

/// Lessons between two corrections.
const BATCH: usize = 2048;
/// A batch is cut into so many parts, which are worked on at the same time and added up in order.
const PARTS: usize = 4;
/// What the running means keep at each step.
const KEEP: [f32; 2] = [0.9, 0.999];
/// The rate never falls below this part of what it was.
const LEAST_RATE: f32 = 0.01;

impl Fitting {
    /// Begins with small random numbers.
    pub fn new(fit: Fit) -> Fitting {
        let mut dice = Dice::new(fit.seed);
        let parameters = Parameters::random(&mut dice);
        Fitting { fit, dice, parameters, pulls: [Parameters::zero(), Parameters::zero()], steps: 0 }
    }

    /// Goes over all lessons once, in a new order, and tells after each batch how many are done.
    pub fn pass(
        &mut self,
        lessons: &mut [Lesson],
        held_out: &[Lesson],
        done: &mut dyn FnMut(usize),
    ) -> Losses {
        self.dice.shuffle(lessons);
        let steps = self.fit.passes * lessons.len().div_ceil(BATCH);
        let mut loss = 0.0;
        for (number, batch) in lessons.chunks(BATCH).enumerate() {
            let (batch_loss, pulls) = self.study(batch);
            loss += batch_loss;
            self.correct(&pulls, batch.len(), steps);
            done(number * BATCH + batch.len());
        }
        Losses { learnt: loss / lessons.len().max(1) as f64, held_out: self.loss(held_out) }
    }

    /// The network as it is, in integers.
    ///
    /// # Errors
    /// If its numbers have grown too large for them.
    pub fn network(&self) -> Result<Network, WeightsError> {
        self.parameters.network()
    }

    /// The summed loss of a batch, and how it pulls at each number.
    fn study(&self, batch: &[Lesson]) -> (f64, Parameters) {
        let parts = in_parts(batch, |part| {
            let mut pulls = Parameters::zero();
            let mut loss = 0.0;
            for lesson in part {
                let thought = self.parameters.think(lesson.view);
                loss += surprise(thought.expected, lesson.target);
                pulls.add_pulls(&self.parameters, lesson.view, &thought, thought.expected - lesson.target);
            }
            (loss, pulls)
        });
        let mut sum = (0.0, Parameters::zero());
        for (loss, pulls) in parts {
            sum.0 += loss;
            for (sum, pull) in sum.1.as_mut_slice().iter_mut().zip(pulls.as_slice()) {
                *sum += pull;
            }
        }
        sum
    }

    /// Moves every number against its pull, in steps that are alike whether it is pulled strongly or weakly (Adam).
    fn correct(&mut self, pulls: &Parameters, lessons: usize, all_steps: usize) {
        self.steps += 1;
        let way = self.steps as f32 / all_steps as f32 * core::f32::consts::PI;
        let rate = self.fit.rate * (0.5 + 0.5 * way.cos()).max(LEAST_RATE);
        // The means began at zero; this undoes it.
        let [fresh, fresh_square] = KEEP.map(|keep| 1.0 - keep.powi(self.steps as i32));
        let [means, squares] = &mut self.pulls;
        let numbers = self.parameters.as_mut_slice().iter_mut();
        let means = means.as_mut_slice().iter_mut().zip(squares.as_mut_slice());
        for ((number, pull), (mean, square)) in numbers.zip(pulls.as_slice()).zip(means) {
            let pull = pull / lessons as f32;
            *mean = KEEP[0] * *mean + (1.0 - KEEP[0]) * pull;
            *square = KEEP[1] * *square + (1.0 - KEEP[1]) * pull * pull;
            *number -= rate * (*mean / fresh) / ((*square / fresh_square).sqrt() + 1e-8);
        }
        self.parameters.hold_back();
    }

    /// The mean loss without learning anything: that of the network in integers, since it is the one that plays. Numbers
    /// too large for one are taken as they are.
    fn loss(&self, lessons: &[Lesson]) -> f64 {
        let network = self.network();
        let expected = |view| match &network {
            Ok(network) => logistic(network.evaluate(view) as f32 / Network::HUNDREDTHS as f32),
            Err(_) => self.parameters.think(view).expected,
        };
        let parts = in_parts(lessons, |part| {
            part.iter().map(|lesson| surprise(expected(lesson.view), lesson.target)).sum::<f64>()
        });
        parts.into_iter().sum::<f64>() / lessons.len().max(1) as f64
    }
}

/// Works on the parts of a list at the same time, or here where there is no room for a thread.
fn in_parts<T: Sync, R: Send>(list: &[T], work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let parts = list.chunks(list.len().div_ceil(PARTS).max(1));
        let start = |part| (part, thread::Builder::new().spawn_scoped(scope, move || work(part)));
        let threads: Vec<_> = parts.map(start).collect();
        let done = threads.into_iter().map(|(part, thread)| match thread {
            Ok(thread) => thread.join().expect("learning does not panic"),
            Err(_) => work(part),
        });
        done.collect()
    })
}

/// How much of a surprise a result is, in nats.
fn surprise(expected: f32, result: f32) -> f64 {
    let expected = f64::from(expected).clamp(1e-6, 1.0 - 1e-6);
    let result = f64::from(result);
    -(result * expected.ln() + (1.0 - result) * (1.0 - expected).ln())
}

#[cfg(test)]
mod tests {
    use crownhead_engine::{Engine, Evaluation, Features, Limits, Timeless};
    use crownhead_rules::{History, Position, Rulebook};
    use crownhead_tablebase::Tablebase;
    use std::num::NonZeroU16;
    use std::sync::Arc;

    use super::super::lesson::Lessons;
    use super::super::sample::Sample;
    use super::*;
    use crate::rating::Point;

    /// Enough for the games to begin with different positions.
    const OPENING_PLIES: usize = 6;

    /// Random positions, in which whoever has more pieces wins.
    fn lessons(games: usize) -> Lessons {
        let mut dice = Dice::new(5);
        let mut lessons = Lessons::default();
        for _ in 0..games {
            let mut position = Position::start();
            for _ in 0..OPENING_PLIES {
                position = position.play_unchecked(*dice.pick(&position.distinct_moves()));
            }
            let mut game = Vec::new();
            while let [_, ..] = *position.distinct_moves() {
                position = position.play_unchecked(*dice.pick(&position.distinct_moves()));
                let side = position.side_to_move();
                let result = match position.pieces(side).len().cmp(&position.pieces(!side).len()) {
                    core::cmp::Ordering::Less => Point::Loss,
                    core::cmp::Ordering::Equal => Point::Draw,
                    core::cmp::Ordering::Greater => Point::Win,
                };
                game.push(Sample { position, score: 0, result });
            }
            lessons.add(game, NonZeroU16::MIN, &Tablebase::empty(), 1.0);
        }
        lessons
    }

    /// A number is moved so far to see how the loss follows.
    const STEP: f32 = 2e-3;
    /// With such a step fractions tell the slope to so much.
    const SLOPE_ERROR: f64 = 5e-4;

    #[test]
    fn each_number_is_pulled_as_the_loss_follows_it() {
        let lessons = lessons(20).learnt;
        let mut fitting = Fitting::new(FIT);
        for phase in 0..Features::BUCKETS {
            let is_won = |lesson: &&Lesson| lesson.view.bucket() == phase && lesson.target > 0.5;
            let lesson = *lessons.iter().find(is_won).expect("games go through all phases");
            let (loss, pulls) = fitting.study(&[lesson]);
            for (place, &pull) in pulls.as_slice().iter().enumerate() {
                let number = fitting.parameters.as_slice()[place];
                let errors = [-STEP, STEP].map(|step| {
                    fitting.parameters.as_mut_slice()[place] = number + step;
                    let moved = surprise(fitting.parameters.think(lesson.view).expected, lesson.target);
                    ((moved - loss) / f64::from(step) - f64::from(pull)).abs()
                });
                fitting.parameters.as_mut_slice()[place] = number;
                // Where a hidden unit comes to one the slope breaks, and the pull is that of one side.
                let error = errors[0].min(errors[1]);
                assert!(error < SLOPE_ERROR, "{error} at {place} in phase {phase}, pulled by {pull}");
            }
        }
    }

    #[test]
    fn the_network_in_integers_values_positions_as_its_fractions_do() {
        let mut lessons = lessons(40);
        let mut fitting = Fitting::new(FIT);
        for pass in 0..FIT.passes {
            let network = fitting.network().unwrap();
            for lesson in &lessons.held_out {
                let expected = fitting.parameters.think(lesson.view).expected;
                let hundredths = (expected / (1.0 - expected)).ln() * Network::HUNDREDTHS as f32;
                let value = network.evaluate(lesson.view);
                assert!((value as f32 - hundredths).abs() < 2.0, "{value}, not {hundredths} in pass {pass}");
            }
            fitting.pass(&mut lessons.learnt, &[], &mut |_| {});
        }
    }

    const FIT: Fit = Fit { seed: 1, passes: 3, rate: 0.01 };

    fn fitted(lessons: &mut Lessons) -> (Vec<Losses>, Network) {
        let mut fitting = Fitting::new(FIT);
        let losses =
            (0..FIT.passes).map(|_| fitting.pass(&mut lessons.learnt, &lessons.held_out, &mut |_| {}));
        (losses.collect(), fitting.network().unwrap())
    }

    #[test]
    fn what_is_held_out_is_valued_by_the_network_that_ships() {
        let mut lessons = lessons(40);
        let (losses, network) = fitted(&mut lessons);
        let surprises = lessons.held_out.iter().map(|lesson| {
            let value = network.evaluate(lesson.view) as f32 / Network::HUNDREDTHS as f32;
            surprise(logistic(value), lesson.target)
        });
        let mean = surprises.sum::<f64>() / lessons.held_out.len() as f64;
        assert!((losses[2].held_out - mean).abs() < 1e-9, "{losses:?}, not {mean}");
    }

    #[test]
    fn what_is_learnt_holds_for_positions_never_seen() {
        let (losses, network) = fitted(&mut lessons(200));
        // Who knows nothing is surprised by ln 2.
        assert!(losses[2].held_out < losses[0].held_out && losses[0].held_out < 0.69, "{losses:?}");
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
    fn the_same_lessons_make_the_same_network() {
        assert_eq!(fitted(&mut lessons(20)).1, fitted(&mut lessons(20)).1);
    }
}
