//! The dataset of a training run: features and targets of many games, with a validation split.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::num::NonZeroU16;
use std::ops::RangeInclusive;

use crownhead_engine::{Features, Network};
use crownhead_rules::{Position, Side};
use crownhead_tablebase::{Tablebase, Wdl};

use crate::parameters::sigmoid;
use crate::sample::Sample;

/// A training example: the features of a position and the expected result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    pub(crate) features: Features,
    /// From 0 for a loss to 1 for a win.
    pub(crate) target: f32,
}

/// Why a dataset cannot be trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatasetError {
    /// It is empty.
    #[error("these files hold no positions; play more games with `train play`")]
    Empty,
    /// All games fell into the validation set.
    #[error(
        "these files hold too few games: all of them are in the validation set; play more with `train play`"
    )]
    NoTraining,
    /// Some weights of a bucket would keep their random initial values.
    #[error(
        "too few training positions have {fewest} to {most} pieces: {count}, and {MIN_BUCKET_EXAMPLES} are needed; add games, \
         and if tables ended the games before, play some with smaller tables (`train play` with an empty folder as \
         --tablebase)"
    )]
    SparseBucket {
        /// How many positions there are.
        count: usize,
        /// The fewest pieces of the bucket.
        fewest: u32,
        /// The most pieces of the bucket.
        most: u32,
    },
    /// Without validation set, training does not know when to stop.
    #[error("there are too few games for a validation set; play more with `train play`")]
    NoValidation,
}

/// The fewest examples to train a bucket on: as many as it has weights of its own.
const MIN_BUCKET_EXAMPLES: usize = Network::HIDDEN + 1;

/// Possible numbers of pieces in a position to search.
const PIECES: RangeInclusive<u32> = 2..=24;

/// One opening in this many belongs to the validation set.
const VALIDATION_SPLIT: u64 = 20;

/// The examples of many games.
#[derive(Default)]
pub struct Dataset {
    /// The training set.
    pub training: Vec<Example>,
    /// The validation set: the examples of about one game in twenty.
    pub validation: Vec<Example>,
    /// Duplicate games that were left out.
    pub duplicates: usize,
    seen: HashSet<u64>,
}

impl Dataset {
    /// Adds the examples of a game, unless it is a duplicate. `scale` is that of the scores in its recipe;
    /// `result_weight`, from 0 to 1, is the weight of the game's result against the score of the search in the target.
    pub fn add(&mut self, mut game: Vec<Sample>, scale: NonZeroU16, tables: &Tablebase, result_weight: f32) {
        let Some(first) = game.first() else { return };
        let is_validation = is_validation(&first.position);
        if !self.seen.insert(fingerprint(&game)) {
            self.duplicates += 1;
            return;
        }
        rescore(&mut game, tables);
        let set = if is_validation { &mut self.validation } else { &mut self.training };
        set.extend(game.iter().map(|sample| Example::new(sample, scale, result_weight)));
    }

    /// Removes from the validation set all positions that are in the training set as well, once all games have been
    /// added.
    pub fn remove_leaks(&mut self) {
        let mut unseen: HashSet<Features> = self.validation.iter().map(|example| example.features).collect();
        for example in &self.training {
            unseen.remove(&example.features);
        }
        self.validation.retain(|example| unseen.contains(&example.features));
    }

    /// Is the dataset large enough to train on?
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self) -> Result<(), DatasetError> {
        if self.training.is_empty() {
            let is_empty = self.validation.is_empty();
            return Err(if is_empty { DatasetError::Empty } else { DatasetError::NoTraining });
        }
        let mut counts = [0; Features::BUCKETS];
        for example in &self.training {
            counts[example.features.bucket()] += 1;
        }
        if let Some(bucket) = counts.iter().position(|&count| count < MIN_BUCKET_EXAMPLES) {
            let mut pieces = PIECES.filter(|&pieces| Features::bucket_of(pieces) == bucket);
            let fewest = pieces.next().expect("each bucket has some numbers of pieces");
            let most = pieces.next_back().unwrap_or(fewest);
            return Err(DatasetError::SparseBucket { count: counts[bucket], fewest, most });
        }
        if self.validation.is_empty() {
            return Err(DatasetError::NoValidation);
        }
        Ok(())
    }
}

/// Do games that begin with this position belong to the validation set? The position alone decides, with either side to
/// move: games from one position are much alike, so validation would mean little if it shared openings with training.
fn is_validation(first: &Position) -> bool {
    let seen_by_black = if first.side_to_move() == Side::Black { *first } else { first.turned() };
    seen_by_black.zobrist_hash().is_multiple_of(VALIDATION_SPLIT)
}

fn fingerprint(game: &[Sample]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for sample in game {
        hasher.write(&sample.to_bytes());
    }
    hasher.finish()
}

impl Example {
    fn new(sample: &Sample, scale: NonZeroU16, result_weight: f32) -> Example {
        let result = match sample.result {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        };
        let expected = sigmoid(f32::from(sample.score) / f32::from(scale.get()));
        let target = result_weight * result + (1.0 - result_weight) * expected;
        Example { features: Features::of(&sample.position), target }
    }
}

/// Corrects the results of a game with the tablebase. A position in the tables gets its exact value, which also
/// becomes the result of the positions before it, so that a later blunder does not count against them.
fn rescore(game: &mut [Sample], tables: &Tablebase) {
    let mut known = None;
    for sample in game.iter_mut().rev() {
        let side = sample.position.side_to_move();
        if let Some(value) = tables.probe(&sample.position) {
            known = Some((side, value));
        }
        if let Some((of, value)) = known {
            sample.result = if of == side { value } else { -value };
        }
    }
}

#[cfg(test)]
mod tests {
    use crownhead_rules::{Piece, Setup};

    use super::*;

    const SCALE: NonZeroU16 = NonZeroU16::new(100).unwrap();

    fn sample(fen: &str, result: Wdl) -> Sample {
        Sample { position: fen.parse().unwrap(), score: 0, result }
    }

    #[test]
    fn the_tables_correct_a_result_that_was_spoilt_later() {
        let before = sample("W:W21,22,23,30,31:B1,2,3", Wdl::Draw);
        let won = sample("B:WK18,K19,K14:BK1", Wdl::Draw);
        let mut game = [before, won];
        rescore(&mut game, &Tablebase::embedded());
        assert_eq!(game[1].result, Wdl::Loss);
        assert_eq!(game[0].result, Wdl::Win);
    }

    #[test]
    fn a_game_outside_the_tables_keeps_its_result() {
        let mut game = [Sample { position: Position::start(), score: 3, result: Wdl::Win }];
        rescore(&mut game, &Tablebase::embedded());
        assert_eq!(game[0].result, Wdl::Win);
    }

    #[test]
    fn the_target_blends_result_and_score() {
        let sample = Sample { position: Position::start(), score: 0, result: Wdl::Win };
        let percent = |weight: f32| (100.0 * Example::new(&sample, SCALE, weight).target).round() as i32;
        assert_eq!([percent(1.0), percent(0.5), percent(0.0)], [100, 75, 50]);
    }

    #[test]
    fn a_score_counts_by_the_scale_of_its_recipe() {
        let percent = |score: i16, scale: u16| {
            let sample = Sample { position: Position::start(), score, result: Wdl::Draw };
            let example = Example::new(&sample, NonZeroU16::new(scale).unwrap(), 0.0);
            (100.0 * example.target).round() as i32
        };
        // One in `e` + 1 is 27 %.
        assert_eq!([percent(86, 86), percent(60, 60), percent(-60, 60)], [73, 73, 27]);
        assert_eq!(percent(60, 86), 67);
    }

    /// Positions after three moves from the start.
    fn openings() -> Vec<Position> {
        let mut positions = vec![Position::start()];
        for _ in 0..3 {
            let after = |position: Position| {
                position.distinct_moves().into_iter().map(move |mv| position.play_unchecked(mv))
            };
            positions = positions.into_iter().flat_map(after).collect();
        }
        positions
    }

    #[test]
    fn games_from_one_opening_are_all_in_one_set() {
        let openings = openings();
        let mut validation = 0;
        for position in &openings {
            let mut dataset = Dataset::default();
            for score in 0..3 {
                for position in [*position, position.turned()] {
                    let game = vec![Sample { position, score, result: Wdl::Draw }];
                    dataset.add(game, SCALE, &Tablebase::empty(), 0.5);
                }
            }
            let counts = (dataset.training.len(), dataset.validation.len());
            assert!([(6, 0), (0, 6)].contains(&counts), "{counts:?} from {position}");
            validation += usize::from(counts.0 == 0);
        }
        let share = validation as f64 / openings.len() as f64;
        assert!((0.03..0.07).contains(&share), "{share} of {} openings", openings.len());
    }

    #[test]
    fn a_position_of_the_training_set_is_not_in_the_validation_set() {
        let (validation, training): (Vec<_>, Vec<_>) = openings().into_iter().partition(is_validation);
        let sample = |position: Position| Sample { position, score: 0, result: Wdl::Draw };
        let shared = sample("B:WK30:BK1".parse().unwrap());
        let turned = sample(shared.position.turned());
        let mut dataset = Dataset::default();
        dataset.add(
            vec![sample(validation[0]), shared, turned, sample(validation[1])],
            SCALE,
            &Tablebase::empty(),
            1.0,
        );
        dataset.add(vec![sample(training[0]), shared], SCALE, &Tablebase::empty(), 1.0);
        dataset.remove_leaks();
        let validation =
            [validation[0], validation[1]].map(|position| Example::new(&sample(position), SCALE, 1.0));
        assert_eq!(dataset.validation, validation);
        assert_eq!(dataset.training.len(), 2);
    }

    /// An example with this many kings on the board.
    fn kings(pieces: u32) -> Example {
        let mut setup = Setup::empty(Side::Black);
        for (square, side) in (0..pieces as usize).zip(Side::BOTH.into_iter().cycle()) {
            setup.pieces[square] = Some(Piece::king(side));
        }
        Example { features: Features::of(&setup.to_position().unwrap()), target: 0.5 }
    }

    #[test]
    fn a_bucket_with_too_few_examples_is_named_by_its_pieces() {
        let mut dataset = Dataset { validation: vec![kings(9)], ..Dataset::default() };
        for (fewest, most) in [(2, 6), (7, 9), (22, 24)] {
            let others = PIECES.filter(|pieces| !(fewest..=most).contains(pieces));
            dataset.training = others.flat_map(|pieces| vec![kings(pieces); MIN_BUCKET_EXAMPLES]).collect();
            for count in 0..MIN_BUCKET_EXAMPLES {
                let sparse = DatasetError::SparseBucket { count, fewest, most };
                assert_eq!(dataset.check(), Err(sparse));
                dataset.training.push(kings(fewest));
            }
            assert_eq!(dataset.check(), Ok(()));
        }
    }

    #[test]
    fn an_empty_dataset_and_one_without_training_set_are_told_apart() {
        let mut dataset = Dataset::default();
        assert_eq!(dataset.check(), Err(DatasetError::Empty));
        dataset.validation.push(kings(9));
        assert_eq!(dataset.check(), Err(DatasetError::NoTraining));
    }

    #[test]
    fn a_dataset_without_validation_set_is_rejected() {
        let training = PIECES.flat_map(|pieces| vec![kings(pieces); MIN_BUCKET_EXAMPLES]).collect();
        let dataset = Dataset { training, ..Dataset::default() };
        assert_eq!(dataset.check(), Err(DatasetError::NoValidation));
    }

    #[test]
    fn a_duplicate_game_is_left_out() {
        let game = |score| vec![Sample { position: Position::start(), score, result: Wdl::Draw }; 2];
        let mut dataset = Dataset::default();
        for score in [1, 2, 1, 1] {
            dataset.add(game(score), SCALE, &Tablebase::empty(), 1.0);
        }
        assert_eq!(dataset.training.len() + dataset.validation.len(), 4);
        assert_eq!(dataset.duplicates, 2);
    }
}
