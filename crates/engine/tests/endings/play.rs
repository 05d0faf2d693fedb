//! Plays endgames out: does the engine win what the tables say is won, and hold what they say is drawn?

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crownhead_engine::{Engine, EngineError, Limits, Timeless};
use crownhead_rules::{History, Move, Outcome, Piece, Position, Rng, Rulebook, Setup, Side, Square};
use crownhead_tablebase::{Tablebase, Wdl};

/// The endgames to play, and the players.
#[derive(Clone, Debug)]
pub(crate) struct EndgameTest {
    /// The value of the endgames for the side to move.
    pub(crate) value: Wdl,
    /// The tables of the engine under test, which has the move.
    pub(crate) own_tables: Tablebase,
    /// The tables that choose the positions and by which the opponent plays: perfectly where distances are known and
    /// one side wins, otherwise as the engine does with these tables.
    pub(crate) tables: Tablebase,
    /// Pieces on the board at the start.
    pub(crate) pieces: u32,
    /// Nodes that an engine searches for a move.
    pub(crate) nodes: u64,
    /// The seed of the positions.
    pub(crate) seed: u64,
}

/// An endgame that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayedEndgame {
    /// The position at its start.
    pub(crate) start: Position,
    /// The number of plies played.
    pub(crate) plies: usize,
    /// The outcome of the game.
    pub(crate) outcome: Outcome,
}

const HASH_BYTES: usize = 1 << 22;

impl EndgameTest {
    /// Plays `count` endgames and returns those that the engine under test failed, in the order of their numbers.
    ///
    /// # Errors
    /// If an engine cannot be created.
    pub(crate) fn play(&self, count: u64, threads: usize) -> Result<Vec<PlayedEndgame>, EngineError> {
        let next = AtomicU64::new(0);
        let work = || {
            let mut players = self.players()?;
            let mut failed = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok(failed);
                }
                let ending = self.play_one(self.position(number), &mut players);
                if !self.is_passed(&ending) {
                    failed.push((number, ending));
                }
            }
        };
        let mut failed = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let mut failed = Vec::new();
            for worker in workers {
                failed.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(failed)
        })?;
        failed.sort_unstable_by_key(|(number, _)| *number);
        Ok(failed.into_iter().map(|(_, ending)| ending).collect())
    }

    /// Did the engine achieve the value of the endgame?
    fn is_passed(&self, ending: &PlayedEndgame) -> bool {
        let own = ending.start.side_to_move();
        match self.value {
            Wdl::Win => ending.outcome.winner() == Some(own),
            Wdl::Draw => ending.outcome.winner() != Some(!own),
            Wdl::Loss => true,
        }
    }

    /// The engine under test and its opponent.
    fn players(&self) -> Result<[Engine; 2], EngineError> {
        let player = |tables: &Tablebase| {
            let mut engine = Engine::new(HASH_BYTES)?;
            engine.set_tablebase(Some(Arc::new(tables.clone())));
            Ok(engine)
        };
        Ok([player(&self.own_tables)?, player(&self.tables)?])
    }

    /// The position with this number. All placements are equally likely, whatever the pieces.
    fn position(&self, number: u64) -> Position {
        let mut rng = Rng::new(self.seed ^ number.rotate_left(32));
        loop {
            let position = random_position(self.pieces, &mut rng);
            if let Some(position) = position.filter(|p| self.tables.probe(p) == Some(self.value)) {
                return position;
            }
        }
    }

    fn play_one(&self, start: Position, [own, opponent]: &mut [Engine; 2]) -> PlayedEndgame {
        own.clear();
        opponent.clear();
        let mut game = History::new(start);
        let rulebook = Rulebook::default();
        loop {
            if let Some(outcome) = game.outcome(&rulebook) {
                return PlayedEndgame { start, plies: game.moves().len(), outcome };
            }
            let own_turn = game.position().side_to_move() == start.side_to_move();
            let perfect = if own_turn { None } else { self.perfect_move(game.position()) };
            game.push_unchecked(perfect.unwrap_or_else(|| {
                let engine = if own_turn { &mut *own } else { &mut *opponent };
                let limits = Limits::nodes(self.nodes);
                let found = engine.find_move(&game, &rulebook, &limits, &Timeless, &mut |_| {});
                found.expect("the game is not over").best()
            }));
        }
    }

    /// The fastest win or, in a lost position, the longest defence, if distances are known. `None` in a draw, where an
    /// engine sets more problems.
    fn perfect_move(&self, position: &Position) -> Option<Move> {
        self.tables.distance(position)?;
        let worth = |&mv: &Move| {
            let after = position.play_unchecked(mv);
            let plies = self.tables.distance(&after).map_or(0, i64::from);
            match self.tables.probe(&after) {
                Some(Wdl::Loss) => (1, -plies),
                Some(Wdl::Win) => (-1, plies),
                _ => (0, 0),
            }
        };
        position.moves().into_iter().max_by_key(worth)
    }
}

/// A random position of `pieces` pieces; `None` if a side has no piece or the position is not legal.
fn random_position(pieces: u32, rng: &mut Rng) -> Option<Position> {
    let mut setup = Setup::empty(*rng.pick(&Side::BOTH));
    let mut squares: Vec<Square> = Square::all().collect();
    rng.shuffle(&mut squares);
    for square in &squares[..pieces as usize] {
        let side = *rng.pick(&Side::BOTH);
        let piece = *rng.pick(&[Piece::man(side), Piece::king(side)]);
        setup.pieces[square.index()] = Some(piece);
    }
    let both_sides = |position: &Position| Side::BOTH.iter().all(|&side| !position.pieces(side).is_empty());
    setup.to_position().ok().filter(both_sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_plays_the_fastest_win_and_the_longest_defence() {
        let tables = Tablebase::embedded();
        for value in [Wdl::Win, Wdl::Loss] {
            let (own_tables, tables) = (tables.clone(), tables.clone());
            let endings = EndgameTest { value, own_tables, tables, pieces: 4, nodes: 1, seed: 2 };
            for number in 0..300 {
                let position = endings.position(number);
                let plies = endings.tables.distance(&position).expect("the embedded tables have distances");
                let Some(mv) = endings.perfect_move(&position) else {
                    assert_eq!(plies, 0, "{position}");
                    continue;
                };
                assert_eq!(
                    endings.tables.distance(&position.play_unchecked(mv)),
                    Some(plies - 1),
                    "{position} {mv}"
                );
            }
        }
    }
}
