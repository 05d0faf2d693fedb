//! Endings played out: does the engine bring home the wins that the tables promise, and hold the draws?

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crownhead_engine::{Dice, Engine, EngineError, Limits, Timeless};
use crownhead_rules::{History, Move, Outcome, Piece, Position, Rulebook, Setup, Side, Square};
use crownhead_tablebase::{Tablebase, Wdl};

/// Which endings are played, and how.
#[derive(Clone, Debug)]
pub struct Endings {
    /// What the endings are worth to the side to move.
    pub worth: Wdl,
    /// What the side to move plays by.
    pub own_tables: Tablebase,
    /// What the positions are chosen by and the opponent plays by: without a fault where distances are known and somebody
    /// wins, otherwise as our own engine does with these tables.
    pub tables: Tablebase,
    /// Pieces on the board at the start.
    pub pieces: u32,
    /// Positions that an engine looks at for a move.
    pub nodes: u64,
    /// The seed of the choice.
    pub seed: u64,
}

/// An ending that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Where it began.
    pub start: Position,
    /// How many plies were played.
    pub plies: usize,
    /// How it ended.
    pub outcome: Outcome,
}

const HASH_BYTES: usize = 1 << 22;

impl Endings {
    /// Plays so many endings and gives those that brought the side to move less than they were worth, in the order in
    /// which they were chosen.
    ///
    /// # Errors
    /// If there is no room for an engine.
    pub fn play(&self, count: u64, threads: usize) -> Result<Vec<Ending>, EngineError> {
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
                if !self.is_kept(&ending) {
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

    /// Did the side to move get what the ending was worth?
    fn is_kept(&self, ending: &Ending) -> bool {
        let own = ending.start.side_to_move();
        match self.worth {
            Wdl::Win => ending.outcome.winner() == Some(own),
            Wdl::Draw => ending.outcome.winner() != Some(!own),
            Wdl::Loss => true,
        }
    }

    /// The side to move and its opponent.
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
        let mut dice = Dice::new(self.seed ^ number.rotate_left(32));
        loop {
            let position = placement(self.pieces, &mut dice);
            if let Some(position) = position.filter(|p| self.tables.probe(p) == Some(self.worth)) {
                return position;
            }
        }
    }

    fn play_one(&self, start: Position, [own, opponent]: &mut [Engine; 2]) -> Ending {
        own.clear();
        opponent.clear();
        let mut game = History::new(start);
        let rulebook = Rulebook::default();
        loop {
            if let Some(outcome) = game.outcome(&rulebook) {
                return Ending { start, plies: game.moves().len(), outcome };
            }
            let own_turn = game.position().side_to_move() == start.side_to_move();
            let faultless = if own_turn { None } else { self.faultless_move(game.position()) };
            game.push_unchecked(faultless.unwrap_or_else(|| {
                let engine = if own_turn { &mut *own } else { &mut *opponent };
                let limits = Limits::nodes(self.nodes);
                let found = engine.find_move(&game, &rulebook, &limits, &Timeless, &mut |_| {});
                found.expect("the game is not over").best()
            }));
        }
    }

    /// The fastest win or, in a lost position, the longest defence, if distances are known. Nothing in a draw, where it
    /// takes a player to set problems.
    fn faultless_move(&self, position: &Position) -> Option<Move> {
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

/// A placement of so many pieces, if both sides have some and all can stand where they are.
fn placement(pieces: u32, dice: &mut Dice) -> Option<Position> {
    let mut setup = Setup::empty(*dice.pick(&Side::BOTH));
    let mut squares: Vec<Square> = Square::all().collect();
    dice.shuffle(&mut squares);
    for square in &squares[..pieces as usize] {
        let side = *dice.pick(&Side::BOTH);
        let piece = *dice.pick(&[Piece::man(side), Piece::king(side)]);
        setup.pieces[square.index()] = Some(piece);
    }
    let both_sides = |position: &Position| Side::BOTH.iter().all(|&side| !position.pieces(side).is_empty());
    setup.to_position().ok().filter(both_sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_wins_what_is_won_and_holds_out_in_what_is_lost() {
        let tables = Tablebase::embedded();
        for worth in [Wdl::Win, Wdl::Loss] {
            let (own_tables, tables) = (tables.clone(), tables.clone());
            let endings = Endings { worth, own_tables, tables, pieces: 4, nodes: 1, seed: 2 };
            for number in 0..300 {
                let position = endings.position(number);
                let plies = endings.tables.distance(&position).expect("there are distances of four pieces");
                let Some(mv) = endings.faultless_move(&position) else {
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
