//! Making the opening book: the engine looks for the good moves of the first plies.

use std::collections::{BTreeMap, BTreeSet};

use crownhead_engine::{Book, Control, Engine, Limits};
use crownhead_rules::{History, OPENINGS, Opening, OpeningClass, Rulebook};

/// How a book is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPlan {
    /// Positions to look at for each position of the book.
    pub nodes: u64,
    /// Plies of the book from the first position, where moves are free.
    pub free_plies: usize,
    /// Plies of the book after the three moves of a ballot.
    pub ballot_plies: usize,
}

/// A move that is worse than the best by more than this is left out, in hundredths of a man.
const MARGIN: i32 = 20;
/// At most so many moves for a position.
const MOVES: usize = 3;

/// Games whose positions are to be in the book, by the plies that are left.
type Tasks = BTreeMap<usize, Vec<History>>;

impl BookPlan {
    /// Makes the book. `step` is told after each position how many are done and how many are waiting.
    pub fn make(
        &self,
        engine: &mut Engine,
        control: &dyn Control,
        step: &mut dyn FnMut(usize, usize),
    ) -> Book {
        let mut book = Book::default();
        let mut tasks = self.first_tasks(&mut book);
        let mut done = BTreeSet::new();
        // The most plies first: where a long way and a short one meet, the long one goes on.
        while let Some((plies, mut games)) = tasks.pop_last()
            && plies > 0
        {
            while let Some(game) = games.pop() {
                let position = *game.position();
                if !position.has_move() || !done.insert(position.zobrist_hash()) {
                    continue;
                }
                let next = self.good_moves(&game, engine, control, &mut book);
                tasks.entry(plies - 1).or_default().extend(next);
                let shorter: usize = tasks.range(1..).map(|(_, games)| games.len()).sum();
                step(done.len(), games.len() + shorter);
            }
        }
        book
    }

    /// The first position, and those after the ballots that are in use. How to get there belongs to the book, but the
    /// moves of a ballot are not recommended by it.
    fn first_tasks(&self, book: &mut Book) -> Tasks {
        let ballots =
            OPENINGS.iter().filter(|opening| opening.class != OpeningClass::Barred).map(Opening::history);
        let mut tasks = Tasks::from([(self.free_plies, vec![History::default()])]);
        for game in ballots {
            for (position, mv) in game.steps() {
                book.add(position, mv, 0);
            }
            tasks.entry(self.ballot_plies).or_default().push(game);
        }
        tasks
    }

    /// Adds the good moves of a position, and gives the games that go on with them.
    fn good_moves(
        &self,
        game: &History,
        engine: &mut Engine,
        control: &dyn Control,
        book: &mut Book,
    ) -> Vec<History> {
        // Each position is looked at as if it were the first, so that the order of the work does not matter.
        engine.clear();
        let limits = Limits::nodes(self.nodes).with_multi_pv(MOVES);
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
    use crownhead_engine::Timeless;
    use crownhead_rules::Position;

    #[test]
    fn a_book_holds_the_start_and_every_ballot_in_use() {
        let plan = BookPlan { nodes: 300, free_plies: 2, ballot_plies: 1 };
        let mut engine = Engine::new(1 << 16).unwrap();
        let mut steps = 0;
        let book = plan.make(&mut engine, &Timeless, &mut |_, _| steps += 1);
        assert_eq!(book.len(), steps);
        assert!(book.len() > 150, "{}", book.len());
        assert_eq!(Book::parse(&book.to_text("a test")), Ok(book.clone()));
        let again = plan.make(&mut engine, &Timeless, &mut |_, _| {});
        assert_eq!(book, again);
    }

    #[test]
    fn lines_are_as_long_as_planned_also_through_a_ballot() {
        let plan = BookPlan { nodes: 100, free_plies: 6, ballot_plies: 1 };
        let mut engine = Engine::new(1 << 16).unwrap();
        let book = plan.make(&mut engine, &Timeless, &mut |_, _| {});
        let mut positions = vec![Position::start()];
        for ply in 0..plan.free_plies {
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
