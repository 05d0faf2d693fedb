//! Self-play: the engine plays many games against itself in parallel. The same recipe gives the same games in the same
//! order, whatever the number of threads and interruptions.

use std::fmt;
use std::io;
use std::num::{NonZeroU8, NonZeroU16};
use std::sync::Arc;

use crownhead_engine::{Engine, EngineError, Evaluation, Limits, Network, SearchResult, Timeless};
use crownhead_rules::{History, Position, Rulebook, Side};
use crownhead_tablebase::{Tablebase, Wdl};

use crate::in_order::in_order;
use crate::opening::Openings;
use crate::sample::Sample;

/// The version of self-play, raised whenever the same options give different games: when the search, the openings or
/// the end of games change. A file is continued only by the version that started it.
pub const PLAY_VERSION: u32 = 4;

/// A checksum over some games of this version, played with the hand-written evaluation, since other weights are another
/// recipe.
#[cfg(test)]
const FINGERPRINT: u32 = 0xa1a7_40de;

/// Everything that determines the games and the meaning of their scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The seed of all openings.
    pub seed: u64,
    /// Nodes to search for each move.
    pub nodes: u64,
    /// The checksum of the weights; `None` for the hand-written evaluation.
    pub weights: Option<u32>,
    /// The largest number of pieces in the tables that decide games; `None` in files that do not record it. Self-play
    /// does not use distances, so nothing else about the tables matters.
    pub table_pieces: Option<NonZeroU8>,
    /// The score, in hundredths of a man, at which a win is `e` times as likely as a loss.
    pub scale: NonZeroU16,
    /// The version of self-play, see [`PLAY_VERSION`]; `None` in files that do not record it.
    pub play_version: Option<u32>,
}

/// The scale of the engine's scores.
const SCALE: NonZeroU16 = NonZeroU16::new(Network::HUNDREDTHS as u16).expect("the unit is not zero");

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
    /// The recipe of games with this evaluation and these tables.
    pub fn new(seed: u64, nodes: u64, evaluation: &Evaluation, tables: &Tablebase) -> Recipe {
        let weights = match evaluation {
            Evaluation::Handcrafted => None,
            Evaluation::Network(network) => Some(network.checksum()),
        };
        let table_pieces = NonZeroU8::new(tables.max_pieces() as u8);
        Recipe { seed, nodes, weights, table_pieces, scale: SCALE, play_version: Some(PLAY_VERSION) }
    }
}

/// A run of self-play.
#[derive(Clone)]
pub struct SelfPlay {
    /// How the games are played.
    pub recipe: Recipe,
    /// The evaluation that the recipe names.
    pub evaluation: Evaluation,
    /// The number of the first game.
    pub first: u64,
    /// Games to play in parallel.
    pub threads: usize,
    /// The tables that the search uses. A game that they decide ends there.
    pub tables: Tablebase,
}

/// Large enough for the few nodes of a move, small enough to be cleared for every game.
const HASH_BYTES: usize = 1 << 20;
/// A game that is still undecided after this many plies is drawn.
const MAX_PLIES: usize = 300;
/// Openings in which one side is ahead by more than this, in hundredths of a man, are not played.
const MAX_LEAD: i32 = 130;
/// Candidates to try before giving up. A sound evaluation finds about half of them playable.
const MAX_OPENINGS: usize = 1000;

/// Why self-play cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// A hash table cannot be allocated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A thread cannot be started.
    #[error("cannot start {threads} threads ({error}); ask for fewer")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// What the system says.
        error: io::Error,
    },
    /// The evaluation sees one side far ahead in every opening.
    #[error(
        "game {number} has no opening: in each of {MAX_OPENINGS} these weights see one side ahead by more than {MAX_LEAD} \
         hundredths of a man; give other weights, or train them again"
    )]
    NoOpening {
        /// The number of the game.
        number: u64,
    },
}

impl SelfPlay {
    /// Plays games until `take` returns false. It receives them in the order of their numbers.
    ///
    /// # Errors
    /// If a hash table cannot be allocated, a thread cannot be started, or a game finds no opening.
    pub fn play(&self, take: &mut dyn FnMut(Vec<Sample>) -> bool) -> Result<(), SelfPlayError> {
        // The recipe does not say which distances the tables have, so games must not depend on them.
        let run = SelfPlay { tables: self.tables.with_distances_up_to(0), ..self.clone() };
        let threads = run.threads.max(1);
        let engines = (0..threads).map(|_| run.engine()).collect::<Result<Vec<_>, _>>()?;
        let mut result = Ok(());
        let mut take = |game| match game {
            Ok(game) => take(game),
            Err(error) => {
                result = Err(error);
                false
            }
        };
        in_order(run.first, engines, |engine, number| run.game(engine, number), &mut take)
            .map_err(|error| SelfPlayError::Threads { threads, error })?;
        result
    }

    fn engine(&self) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(HASH_BYTES)?;
        engine.set_evaluation(self.evaluation.clone());
        engine.set_tablebase(Some(Arc::new(self.tables.clone())));
        Ok(engine)
    }

    /// The samples of a game, at least one: a game without quiet positions is replaced by one from another opening.
    fn game(&self, engine: &mut Engine, number: u64) -> Result<Vec<Sample>, SelfPlayError> {
        let mut openings = Openings::new(self.recipe.seed, number);
        for _ in 0..MAX_OPENINGS {
            engine.clear();
            let opening = openings.draw();
            let lead = self.search(engine, &opening).map(|found| found.score().hundredths().abs());
            if lead.is_some_and(|lead| lead <= MAX_LEAD) {
                let samples = self.samples(engine, opening);
                if !samples.is_empty() {
                    return Ok(samples);
                }
            }
        }
        Err(SelfPlayError::NoOpening { number })
    }

    /// Plays a game to its end.
    fn samples(&self, engine: &mut Engine, mut game: History) -> Vec<Sample> {
        let mut scored = Vec::new();
        let for_black = loop {
            if let Some(result) = self.result_for_black(&game) {
                break result;
            }
            let found = self.search(engine, &game).expect("a game that has not ended has a move");
            let (position, score) = (*game.position(), found.score());
            if position.is_quiet() && !score.is_decided() {
                scored.push((position, score.hundredths() as i16));
            }
            game.push_unchecked(found.best());
        };
        let result = |side| if side == Side::Black { for_black } else { -for_black };
        let sample = |(position, score): (Position, i16)| Sample {
            position,
            score,
            result: result(position.side_to_move()),
        };
        scored.into_iter().map(sample).collect()
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

    /// The result for Black, if the game is over by the rules or decided by the tables.
    fn result_for_black(&self, game: &History) -> Option<Wdl> {
        let side = game.position().side_to_move();
        let for_black = |result: Wdl| if side == Side::Black { result } else { -result };
        if let Some(outcome) = game.outcome(&Rulebook::default()) {
            return Some(match outcome.winner() {
                None => Wdl::Draw,
                Some(winner) if winner == side => for_black(Wdl::Win),
                Some(_) => for_black(Wdl::Loss),
            });
        }
        if game.moves().len() >= MAX_PLIES {
            return Some(Wdl::Draw);
        }
        self.tables.probe(game.position()).map(for_black)
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
    fn the_games_do_not_depend_on_threads_or_on_where_a_run_continues() {
        let one = games(0, 1, 12);
        assert_eq!(games(0, 3, 12), one);
        assert_eq!(games(5, 2, 7), one[5..]);
    }

    #[test]
    fn the_games_of_this_play_version_are_unchanged() {
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
    fn the_games_do_not_depend_on_the_distances_that_the_tables_have() {
        let [with, without] = [4, 0].map(|pieces| {
            let run = run(300, Evaluation::Handcrafted, Tablebase::embedded().with_distances_up_to(pieces));
            (run.recipe, played(&run, 100))
        });
        assert!(with == without, "distances change the games");
    }

    #[test]
    fn weights_that_see_no_even_opening_end_the_run_with_an_error() {
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
    fn games_differ_and_both_sides_have_the_same_result() {
        let games = games(0, 2, 300);
        for (number, game) in games.iter().enumerate() {
            assert!(!games[..number].contains(game), "game {number} is a duplicate");
        }
        for game in games {
            assert!(!game.is_empty());
            let for_black = |sample: &Sample| match sample.position.side_to_move() {
                Side::Black => sample.result,
                Side::White => -sample.result,
            };
            assert!(game.iter().all(|sample| for_black(sample) == for_black(&game[0])));
            assert!(game.iter().all(|sample| sample.position.is_quiet()));
        }
    }
}
