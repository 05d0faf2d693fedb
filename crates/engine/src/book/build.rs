//! Builds the opening book: a search of each position of the first plies finds its good moves.

use std::collections::{BTreeMap, BTreeSet};

use crownhead_rules::{History, OPENINGS, Opening, OpeningClass, Rulebook};

use super::Book;
use crate::engine::Engine;
use crate::limits::{Control, Limits};

/// How a book is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookBuilder {
    /// Nodes to search for each position of the book.
    pub nodes: u64,
    /// Plies of the book from the start position, in go-as-you-please play.
    pub free_plies: usize,
    /// Plies of the book after a three-move ballot.
    pub ballot_plies: usize,
}

/// A move that is worse than the best one by more than this, in hundredths of a man, is left out.
const MARGIN: i32 = 20;
/// The most moves for a position.
const MAX_MOVES: usize = 3;

/// Positions to search, as games that lead to them, by the plies of the book that are left.
type Queue = BTreeMap<usize, Vec<History>>;

impl BookBuilder {
    /// Builds the book. `step` is called after each position with the numbers of positions that are done and waiting.
    pub fn build(
        &self,
        engine: &mut Engine,
        control: &dyn Control,
        step: &mut dyn FnMut(usize, usize),
    ) -> Book {
        let mut book = Book::default();
        let mut queue = self.start_queue(&mut book);
        let mut done = BTreeSet::new();
        // The most plies first: where a long line and a short one transpose, the long one goes on.
        while let Some((plies, mut games)) = queue.pop_last()
            && plies > 0
        {
            while let Some(game) = games.pop() {
                let position = *game.position();
                if !position.has_move() || !done.insert(position.zobrist_hash()) {
                    continue;
                }
                let next = self.add_good_moves(&game, engine, control, &mut book);
                queue.entry(plies - 1).or_default().extend(next);
                let shorter: usize = queue.range(1..).map(|(_, games)| games.len()).sum();
                step(done.len(), games.len() + shorter);
            }
        }
        book
    }

    /// The start position and those after the ballots in use. The moves of a ballot are in the book, so that its
    /// positions can be reached, but with weight 0, so that they are not recommended.
    fn start_queue(&self, book: &mut Book) -> Queue {
        let ballots =
            OPENINGS.iter().filter(|opening| opening.class != OpeningClass::Barred).map(Opening::history);
        let mut queue = Queue::from([(self.free_plies, vec![History::default()])]);
        for game in ballots {
            for (position, mv) in game.steps() {
                book.add(position, mv, 0);
            }
            queue.entry(self.ballot_plies).or_default().push(game);
        }
        queue
    }

    /// Adds the good moves of a position, and returns the games that continue with them.
    fn add_good_moves(
        &self,
        game: &History,
        engine: &mut Engine,
        control: &dyn Control,
        book: &mut Book,
    ) -> Vec<History> {
        // Each search starts with an empty hash table, so that the order of the positions does not matter.
        engine.clear();
        let limits = Limits::nodes(self.nodes).with_multi_pv(MAX_MOVES);
        let found = engine.search(game, &Rulebook::default(), &limits, control, &mut |_| {});
        let lines = found.map(|found| found.lines).unwrap_or_default();
        let best = lines.first().map_or(0, |line| line.score.hundredths());
        let mut games = Vec::new();
        for line in lines {
            let behind = best - line.score.hundredths();
            if behind > MARGIN {
                break;
            }
            book.add(game.position(), line.moves[0], (1 + MARGIN - behind) as u32);
            let mut next = game.clone();
            next.push_unchecked(line.moves[0]);
            games.push(next);
        }
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Timeless;
    use crownhead_rules::Position;

    #[test]
    fn a_book_holds_the_start_position_and_every_ballot_in_use() {
        let builder = BookBuilder { nodes: 300, free_plies: 2, ballot_plies: 1 };
        let mut engine = Engine::new(1 << 16).unwrap();
        let mut steps = 0;
        let book = builder.build(&mut engine, &Timeless, &mut |_, _| steps += 1);
        assert_eq!(book.len(), steps);
        assert!(book.len() > 150, "{}", book.len());
        assert_eq!(Book::parse(&book.to_text("a test")), Ok(book.clone()));
        let again = builder.build(&mut engine, &Timeless, &mut |_, _| {});
        assert_eq!(book, again);
    }

    #[test]
    fn lines_have_the_planned_length_even_through_a_ballot() {
        let builder = BookBuilder { nodes: 100, free_plies: 6, ballot_plies: 1 };
        let mut engine = Engine::new(1 << 16).unwrap();
        let book = builder.build(&mut engine, &Timeless, &mut |_, _| {});
        let mut positions = vec![Position::start()];
        for ply in 0..builder.free_plies {
            for position in &positions {
                assert!(book.moves(position).next().is_some(), "no move at ply {ply} in {position}");
            }
            let after = |position: &Position| {
                let position = *position;
                book.moves(&position).map(move |(mv, _)| position.play_unchecked(mv)).collect::<Vec<_>>()
            };
            positions = positions.iter().flat_map(after).collect();
        }
        assert!(positions.iter().any(|position| book.moves(position).next().is_none()), "and no longer");
    }
}
