//! Games of the engine against itself, many at once. The same recipe gives the same games in the same order, however
//! many threads play them and however often they are interrupted.

use std::fmt;
use std::io;
use std::num::{NonZeroU8, NonZeroU16};
use std::sync::Arc;

use crownhead_engine::{Engine, EngineError, Evaluation, Limits, Network, SearchResult, Timeless};
use crownhead_rules::{History, Position, Rulebook, Side};
use crownhead_tablebase::Tablebase;

use super::in_order::in_order;
use super::opening::Openings;
use super::sample::Sample;
use crate::rating::Point;

/// The way in which games are played. It is raised whenever the same options give other games than before: when the
/// search, the openings or what ends a game change. A file of games is not gone on with in another way.
pub const PLAY_VERSION: u32 = 4;

/// A checksum over some games of this version. They are valued by hand, since other weights are another recipe.
#[cfg(test)]
const FINGERPRINT: u32 = 0xa1a7_40de;

/// What decides how the games go, and what their scores mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The seed of all openings.
    pub seed: u64,
    /// Positions to visit for each move.
    pub nodes: u64,
    /// The checksum of the weights that they are valued by; none for the evaluation written by hand.
    pub weights: Option<u32>,
    /// The tables that decide games know every position with so many pieces. None in files that do not tell. How soon
    /// they win is not asked, so that nothing else about them matters.
    pub table_pieces: Option<NonZeroU8>,
    /// A score of so many hundredths of a man means a position `e` times as likely to be won as to be lost.
    pub scale: NonZeroU16,
    /// The way of playing, see [`PLAY_VERSION`]. None in files that do not tell.
    pub play_version: Option<u32>,
}

/// The scale of the engine.
const SCALE: NonZeroU16 = NonZeroU16::new(Network::HUNDREDTHS as u16).expect("a unit is not nothing");

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, {} nodes a move, ", self.seed, self.nodes)?;
        match self.weights {
            Some(sum) => write!(f, "weights {sum:08x}")?,
            None => f.write_str("evaluation by hand")?,
        }
        match self.table_pieces {
            Some(pieces) => write!(f, ", tables of {pieces} pieces")?,
            None => f.write_str(", tables unknown")?,
        }
        write!(f, ", scale {}", self.scale)
    }
}

impl Recipe {
    /// Games of the engine with this evaluation and these tables.
    pub fn new(seed: u64, nodes: u64, evaluation: &Evaluation, tables: &Tablebase) -> Recipe {
        let weights = match evaluation {
            Evaluation::Handcrafted => None,
            Evaluation::Network(network) => Some(network.checksum()),
        };
        let table_pieces = NonZeroU8::new(tables.max_pieces() as u8);
        Recipe { seed, nodes, weights, table_pieces, scale: SCALE, play_version: Some(PLAY_VERSION) }
    }
}

/// A run of games.
#[derive(Clone)]
pub struct SelfPlay {
    /// How they go.
    pub recipe: Recipe,
    /// The evaluation that the recipe names.
    pub evaluation: Evaluation,
    /// The number of the first game.
    pub first: u64,
    /// Games at the same time.
    pub threads: usize,
    /// They guide the search, and games that they decide are not played on.
    pub tables: Tablebase,
}

/// Large enough for the few nodes of a move, small enough to be cleared for every game.
const HASH_BYTES: usize = 1 << 20;
/// A game that nothing has ended after so many plies is drawn.
const MAX_PLIES: usize = 300;
/// Openings in which somebody is ahead by more than this, in hundredths of a man, are not played.
const MOST_AHEAD: i32 = 130;
/// Who finds none of so many openings playable finds none at all: to a sound evaluation about half of them are.
const MOST_OPENINGS: usize = 1000;

/// Why no games are played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// There is no room for a hash table.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is no room for so many threads.
    #[error("cannot start {threads} threads ({error}); ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why.
        error: io::Error,
    },
    /// The evaluation thinks somebody far ahead wherever a game begins.
    #[error(
        "game {number} cannot begin: in each of {MOST_OPENINGS} openings these weights see somebody ahead by more than \
         {MOST_AHEAD} hundredths of a man; give other weights, or fit them anew"
    )]
    NoOpening {
        /// The number of the game.
        number: u64,
    },
}

impl SelfPlay {
    /// Plays games until `take` has had enough and answers no. It gets them in the order of their numbers.
    ///
    /// # Errors
    /// If there is no room for a hash table or a thread, or a game finds no opening.
    pub fn play(&self, take: &mut dyn FnMut(Vec<Sample>) -> bool) -> Result<(), SelfPlayError> {
        // The recipe does not tell which distances are known, so games do not depend on them.
        let run = SelfPlay { tables: self.tables.with_distances_up_to(0), ..self.clone() };
        let threads = run.threads.max(1);
        let engines = (0..threads).map(|_| run.engine()).collect::<Result<Vec<_>, _>>()?;
        let mut begun = Ok(());
        let mut take = |game| match game {
            Ok(game) => take(game),
            Err(error) => {
                begun = Err(error);
                false
            }
        };
        in_order(run.first, engines, |engine, number| run.game(engine, number), &mut take)
            .map_err(|error| SelfPlayError::Threads { threads, error })?;
        begun
    }

    fn engine(&self) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(HASH_BYTES)?;
        engine.set_evaluation(self.evaluation.clone());
        engine.set_tablebase(Some(Arc::new(self.tables.clone())));
        Ok(engine)
    }

    /// The quiet positions of a game. There are some: a game without them gives way to one from another opening.
    fn game(&self, engine: &mut Engine, number: u64) -> Result<Vec<Sample>, SelfPlayError> {
        let mut openings = Openings::new(self.recipe.seed, number);
        for _ in 0..MOST_OPENINGS {
            engine.clear();
            let opening = openings.draw();
            let ahead = self.search(engine, &opening).map(|found| found.score().hundredths().abs());
            if ahead.is_some_and(|ahead| ahead <= MOST_AHEAD) {
                let samples = self.samples(engine, opening);
                if !samples.is_empty() {
                    return Ok(samples);
                }
            }
        }
        Err(SelfPlayError::NoOpening { number })
    }

    /// Plays a game on to its end.
    fn samples(&self, engine: &mut Engine, mut game: History) -> Vec<Sample> {
        let mut thought = Vec::new();
        let for_black = loop {
            if let Some(point) = self.ending(&game) {
                break point;
            }
            let found = self.search(engine, &game).expect("a game that has not ended has a move");
            let (position, score) = (*game.position(), found.score());
            if Sample::is_quiet(&position) && !score.is_decided() {
                thought.push((position, score.hundredths() as i16));
            }
            game.push_unchecked(found.best());
        };
        let result = |side| if side == Side::Black { for_black } else { for_black.reversed() };
        let sample = |(position, score): (Position, i16)| Sample {
            position,
            score,
            result: result(position.side_to_move()),
        };
        thought.into_iter().map(sample).collect()
    }

    fn search(&self, engine: &mut Engine, game: &History) -> Option<SearchResult> {
        engine.find_move(
            game,
            &Rulebook::default(),
            &Limits::nodes(self.recipe.nodes),
            &Timeless,
            &mut |_| {},
        )
    }

    /// What Black gets, if the game is over by rule or by the tables.
    fn ending(&self, game: &History) -> Option<Point> {
        let side = game.position().side_to_move();
        let for_side = |point: Point| if side == Side::Black { point } else { point.reversed() };
        if let Some(outcome) = game.outcome(&Rulebook::default()) {
            return Some(match outcome.winner() {
                None => Point::Draw,
                Some(winner) if winner == side => for_side(Point::Win),
                Some(_) => for_side(Point::Loss),
            });
        }
        if game.moves().len() >= MAX_PLIES {
            return Some(Point::Draw);
        }
        self.tables.probe(game.position()).map(|value| for_side(value.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nodes: u64, evaluation: Evaluation, tables: Tablebase) -> SelfPlay {
        let recipe = Recipe::new(3, nodes, &evaluation, &tables);
        SelfPlay { recipe, evaluation, first: 0, threads: 2, tables }
    }

    fn games(first: u64, threads: usize, count: usize) -> Vec<Vec<Sample>> {
        let run = run(60, Evaluation::default(), Tablebase::embedded());
        played(&SelfPlay { first, threads, ..run }, count)
    }

    fn played(run: &SelfPlay, count: usize) -> Vec<Vec<Sample>> {
        let mut games = Vec::new();
        run.play(&mut |game| {
            games.push(game);
            games.len() < count
        })
        .unwrap();
        games
    }

    #[test]
    fn the_same_games_come_whatever_the_threads_and_wherever_it_goes_on() {
        let one = games(0, 1, 12);
        assert_eq!(games(0, 3, 12), one);
        assert_eq!(games(5, 2, 7), one[5..]);
    }

    #[test]
    fn a_version_of_play_has_games_of_its_own() {
        let games = played(&run(1000, Evaluation::Handcrafted, Tablebase::embedded()), 8);
        let bytes: Vec<u8> = games.iter().flatten().flat_map(|sample| sample.to_bytes()).collect();
        let fingerprint = crc32fast::hash(&bytes);
        assert_eq!(
            fingerprint, FINGERPRINT,
            "the same recipe gives other games than before: raise PLAY_VERSION and write the new fingerprint, \
             {fingerprint:#x}"
        );
    }

    #[test]
    fn tables_of_one_recipe_give_the_same_games_whatever_distances_they_know() {
        let [with, without] = [4, 0].map(|pieces| {
            let run = run(300, Evaluation::Handcrafted, Tablebase::embedded().with_distances_up_to(pieces));
            (run.recipe, played(&run, 100))
        });
        assert!(with == without, "distances change the games");
    }

    #[test]
    fn weights_that_see_no_even_opening_are_told_and_end_the_run() {
        let Evaluation::Network(network) = Evaluation::default() else {
            panic!("the network is the default")
        };
        let mut weights = network.weights().clone();
        weights.output_bias.fill(20 * Network::ONE_VALUE);
        let evaluation = Evaluation::Network(Arc::new(Network::new(weights).unwrap()));
        let run = SelfPlay { first: 7, ..run(1000, evaluation, Tablebase::embedded()) };
        let error = run.play(&mut |_| panic!("a game was played")).unwrap_err();
        assert!(matches!(error, SelfPlayError::NoOpening { number: 7 }), "{error}");
    }

    #[test]
    fn games_differ_and_both_sides_learn_the_same_result() {
        let games = games(0, 2, 300);
        for (number, game) in games.iter().enumerate() {
            assert!(!games[..number].contains(game), "game {number} came before");
        }
        for game in games {
            assert!(!game.is_empty());
            let for_black = |sample: &Sample| match sample.position.side_to_move() {
                Side::Black => sample.result,
                Side::White => sample.result.reversed(),
            };
            assert!(game.iter().all(|sample| for_black(sample) == for_black(&game[0])));
            assert!(game.iter().all(|sample| Sample::is_quiet(&sample.position)));
        }
    }
}
