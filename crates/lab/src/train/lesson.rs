//! What is to be learnt from a game: for each quiet position, the result that it promises.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::num::NonZeroU16;
use std::ops::RangeInclusive;

use crownhead_engine::{Features, Network};
use crownhead_rules::{Position, Side};
use crownhead_tablebase::Tablebase;

use super::parameters::logistic;
use super::sample::Sample;
use crate::rating::Point;

/// A position as the side to move sees it, and what it is to expect from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    pub(super) view: Features,
    /// 0 for a loss, 1 for a win.
    pub(super) target: f32,
}

/// Why nothing can be learnt from games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LessonsError {
    /// There is none.
    #[error("these files hold no positions; play more games with `train play`")]
    Nothing,
    /// There are some, but not to learn from.
    #[error("these files hold so few games that all of them are held out; play more with `train play`")]
    AllHeldOut,
    /// Some weights of a phase would stay what they were by chance.
    #[error(
        "too few positions to learn from have {fewest} to {most} pieces: {count} of at least {LEAST_OF_PHASE}; add more \
         games, and if tables ended them before, games with smaller tables (`train play` with an empty folder as \
         --tablebase)"
    )]
    SparsePhase {
        /// The positions that there are.
        count: usize,
        /// The fewest pieces of the phase.
        fewest: u32,
        /// The most.
        most: u32,
    },
    /// Nobody could tell when to stop.
    #[error("there are too few games to hold some out; play more with `train play`")]
    NothingHeldOut,
}

/// The fewest positions to learn a phase from: as many as it has weights of its own.
const LEAST_OF_PHASE: usize = Network::HIDDEN + 1;

/// Pieces on the board, at the least and at the most, while there is something to think about.
const PIECES: RangeInclusive<u32> = 2..=24;

/// One first position in so many is held out.
const HELD_OUT: u64 = 20;

/// The lessons of many games.
#[derive(Default)]
pub struct Lessons {
    /// To learn from.
    pub learnt: Vec<Lesson>,
    /// To see how well it was learnt: those of about one game in twenty.
    pub held_out: Vec<Lesson>,
    /// Games that were left out, because they had come before.
    pub repeated: usize,
    seen: HashSet<u64>,
}

impl Lessons {
    /// Adds the lessons of a game, unless the same one came before. `scale` is that of the scores in its recipe;
    /// `trust_result`, from 0 to 1, is how much the result counts beside the score of the search.
    pub fn add(&mut self, mut game: Vec<Sample>, scale: NonZeroU16, tables: &Tablebase, trust_result: f32) {
        let Some(first) = game.first() else { return };
        let is_held_out = is_held_out(&first.position);
        if !self.seen.insert(fingerprint(&game)) {
            self.repeated += 1;
            return;
        }
        rescore(&mut game, tables);
        let set = if is_held_out { &mut self.held_out } else { &mut self.learnt };
        set.extend(game.iter().map(|sample| Lesson::of(sample, scale, trust_result)));
    }

    /// When all games are there, takes from those held out the positions that are learnt from other games. What is held
    /// out is to be new.
    pub fn hold_out_only_new_positions(&mut self) {
        let mut new: HashSet<Features> = self.held_out.iter().map(|lesson| lesson.view).collect();
        for lesson in &self.learnt {
            new.remove(&lesson.view);
        }
        self.held_out.retain(|lesson| new.contains(&lesson.view));
    }

    /// Is there enough to learn from?
    ///
    /// # Errors
    /// If not.
    pub fn check(&self) -> Result<(), LessonsError> {
        if self.learnt.is_empty() {
            let is_nothing = self.held_out.is_empty();
            return Err(if is_nothing { LessonsError::Nothing } else { LessonsError::AllHeldOut });
        }
        let mut counts = [0; Features::BUCKETS];
        for lesson in &self.learnt {
            counts[lesson.view.bucket()] += 1;
        }
        if let Some(phase) = counts.iter().position(|&count| count < LEAST_OF_PHASE) {
            let mut pieces = PIECES.filter(|&pieces| Features::bucket_of(pieces) == phase);
            let fewest = pieces.next().expect("each phase has its pieces");
            let most = pieces.next_back().unwrap_or(fewest);
            return Err(LessonsError::SparsePhase { count: counts[phase], fewest, most });
        }
        if self.held_out.is_empty() {
            return Err(LessonsError::NothingHeldOut);
        }
        Ok(())
    }
}

/// Are games held out that begin with this position? It alone decides, with either side to move: games from the same
/// position are much alike, and those held out would tell nothing if some of their kind had been learnt.
fn is_held_out(first: &Position) -> bool {
    let seen_by_black = if first.side_to_move() == Side::Black { *first } else { first.turned() };
    seen_by_black.zobrist_hash().is_multiple_of(HELD_OUT)
}

fn fingerprint(game: &[Sample]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for sample in game {
        hasher.write(&sample.to_bytes());
    }
    hasher.finish()
}

impl Lesson {
    fn of(sample: &Sample, scale: NonZeroU16, trust_result: f32) -> Lesson {
        let result = match sample.result {
            Point::Win => 1.0,
            Point::Draw => 0.5,
            Point::Loss => 0.0,
        };
        let expected = logistic(f32::from(sample.score) / f32::from(scale.get()));
        let target = trust_result * result + (1.0 - trust_result) * expected;
        Lesson { view: Features::of(&sample.position), target }
    }
}

/// Puts right the result of a game by what the tables say. A position that they know has their value, and so have those
/// before it: what was spoilt later is not held against them.
fn rescore(game: &mut [Sample], tables: &Tablebase) {
    let mut known = None;
    for sample in game.iter_mut().rev() {
        let side = sample.position.side_to_move();
        if let Some(value) = tables.probe(&sample.position) {
            known = Some((side, Point::from(value)));
        }
        if let Some((of, point)) = known {
            sample.result = if of == side { point } else { point.reversed() };
        }
    }
}

#[cfg(test)]
mod tests {
    use crownhead_rules::{Piece, Setup};

    use super::*;

    const SCALE: NonZeroU16 = NonZeroU16::new(100).unwrap();

    fn sample(fen: &str, result: Point) -> Sample {
        Sample { position: fen.parse().unwrap(), score: 0, result }
    }

    #[test]
    fn a_result_that_was_spoilt_later_is_put_right_by_the_tables() {
        let before = sample("W:W21,22,23,30,31:B1,2,3", Point::Draw);
        let won = sample("B:WK18,K19,K14:BK1", Point::Draw);
        let mut game = [before, won];
        rescore(&mut game, &Tablebase::embedded());
        assert_eq!(game[1].result, Point::Loss);
        assert_eq!(game[0].result, Point::Win);
    }

    #[test]
    fn a_game_that_no_table_knows_keeps_its_result() {
        let mut game = [Sample { position: Position::start(), score: 3, result: Point::Win }];
        rescore(&mut game, &Tablebase::embedded());
        assert_eq!(game[0].result, Point::Win);
    }

    #[test]
    fn result_and_score_are_blended_as_told() {
        let sample = Sample { position: Position::start(), score: 0, result: Point::Win };
        let percent = |trust: f32| (100.0 * Lesson::of(&sample, SCALE, trust).target).round() as i32;
        assert_eq!([percent(1.0), percent(0.5), percent(0.0)], [100, 75, 50]);
    }

    #[test]
    fn a_score_counts_by_the_scale_that_it_was_told_in() {
        let percent = |score: i16, scale: u16| {
            let sample = Sample { position: Position::start(), score, result: Point::Draw };
            let lesson = Lesson::of(&sample, NonZeroU16::new(scale).unwrap(), 0.0);
            (100.0 * lesson.target).round() as i32
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
    fn games_from_one_position_are_all_learnt_or_all_held_out() {
        let openings = openings();
        let mut held_out = 0;
        for position in &openings {
            let mut lessons = Lessons::default();
            for score in 0..3 {
                for position in [*position, position.turned()] {
                    let game = vec![Sample { position, score, result: Point::Draw }];
                    lessons.add(game, SCALE, &Tablebase::empty(), 0.5);
                }
            }
            let counts = (lessons.learnt.len(), lessons.held_out.len());
            assert!([(6, 0), (0, 6)].contains(&counts), "{counts:?} from {position}");
            held_out += usize::from(counts.0 == 0);
        }
        let share = held_out as f64 / openings.len() as f64;
        assert!((0.03..0.07).contains(&share), "{share} of {} openings", openings.len());
    }

    #[test]
    fn a_position_that_is_learnt_is_not_held_out() {
        let (held_out, learnt): (Vec<_>, Vec<_>) = openings().into_iter().partition(is_held_out);
        let sample = |position: Position| Sample { position, score: 0, result: Point::Draw };
        let shared = sample("B:WK30:BK1".parse().unwrap());
        let turned = sample(shared.position.turned());
        let mut lessons = Lessons::default();
        lessons.add(
            vec![sample(held_out[0]), shared, turned, sample(held_out[1])],
            SCALE,
            &Tablebase::empty(),
            1.0,
        );
        lessons.add(vec![sample(learnt[0]), shared], SCALE, &Tablebase::empty(), 1.0);
        lessons.hold_out_only_new_positions();
        let held_out = [held_out[0], held_out[1]].map(|position| Lesson::of(&sample(position), SCALE, 1.0));
        assert_eq!(lessons.held_out, held_out);
        assert_eq!(lessons.learnt.len(), 2);
    }

    /// A lesson with so many kings on the board.
    fn kings(pieces: u32) -> Lesson {
        let mut setup = Setup::empty(Side::Black);
        for (square, side) in (0..pieces as usize).zip(Side::BOTH.into_iter().cycle()) {
            setup.pieces[square] = Some(Piece::king(side));
        }
        Lesson { view: Features::of(&setup.to_position().unwrap()), target: 0.5 }
    }

    #[test]
    fn a_phase_with_too_few_lessons_is_told_by_its_pieces() {
        let mut lessons = Lessons { held_out: vec![kings(9)], ..Lessons::default() };
        for (fewest, most) in [(2, 6), (7, 9), (22, 24)] {
            let others = PIECES.filter(|pieces| !(fewest..=most).contains(pieces));
            lessons.learnt = others.flat_map(|pieces| vec![kings(pieces); LEAST_OF_PHASE]).collect();
            for count in 0..LEAST_OF_PHASE {
                let sparse = LessonsError::SparsePhase { count, fewest, most };
                assert_eq!(lessons.check(), Err(sparse));
                lessons.learnt.push(kings(fewest));
            }
            assert_eq!(lessons.check(), Ok(()));
        }
    }

    #[test]
    fn no_lessons_and_lessons_that_are_all_held_out_are_told_apart() {
        let mut lessons = Lessons::default();
        assert_eq!(lessons.check(), Err(LessonsError::Nothing));
        lessons.held_out.push(kings(9));
        assert_eq!(lessons.check(), Err(LessonsError::AllHeldOut));
    }

    #[test]
    fn lessons_of_which_none_is_held_out_are_refused() {
        let learnt = PIECES.flat_map(|pieces| vec![kings(pieces); LEAST_OF_PHASE]).collect();
        let lessons = Lessons { learnt, ..Lessons::default() };
        assert_eq!(lessons.check(), Err(LessonsError::NothingHeldOut));
    }

    #[test]
    fn a_game_that_comes_again_is_left_out() {
        let game = |score| vec![Sample { position: Position::start(), score, result: Point::Draw }; 2];
        let mut lessons = Lessons::default();
        for score in [1, 2, 1, 1] {
            lessons.add(game(score), SCALE, &Tablebase::empty(), 1.0);
        }
        assert_eq!(lessons.learnt.len() + lessons.held_out.len(), 4);
        assert_eq!(lessons.repeated, 2);
    }
}
