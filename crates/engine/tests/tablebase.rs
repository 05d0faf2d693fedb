//! Tests of the search with the endgame tablebase: exact scores, and wins converted even without known distances.

#[path = "parts/without_distances.rs"]
mod without_distances;

use std::sync::Arc;

use crownhead_engine::{Engine, Limits, Probe, Score, ScoreKind, Timeless};
use crownhead_rules::{History, Outcome, Piece, Position, Rng, Rulebook, Setup, Side, Square};
use crownhead_tablebase::{Tablebase, Wdl};
use without_distances::WithoutDistances;

fn engine(tables: Arc<dyn Probe>) -> Engine {
    let mut engine = Engine::new(1 << 22).unwrap();
    engine.set_tablebase(Some(tables));
    engine
}

fn without_distances() -> Engine {
    engine(Arc::new(WithoutDistances(Tablebase::embedded())))
}

/// Positions of four pieces with this value for Black, who is to move.
fn positions(value: Wdl, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    let tables = Tablebase::embedded();
    core::iter::repeat_with(move || {
        let mut setup = Setup::empty(Side::Black);
        let mut squares: Vec<Square> = Square::all().collect();
        rng.shuffle(&mut squares);
        for (place, square) in squares[..4].iter().enumerate() {
            let side = if place % 2 == 0 { Side::Black } else { Side::White };
            let piece = if rng.below(2) == 0 { Piece::man(side) } else { Piece::king(side) };
            setup.pieces[square.index()] = Some(piece);
        }
        setup.to_position()
    })
    .flatten()
    .filter(move |position| tables.probe(position) == Some(value) && !position.is_capture_due())
}

/// Plays the reply that holds out longest.
fn longest_defence(game: &mut History, tables: &Tablebase) {
    let position = *game.position();
    let length = |&mv: &_| tables.distance(&position.play_unchecked(mv)).unwrap_or(u32::MAX);
    let mv = position.moves().into_iter().max_by_key(length).expect("the game is not over");
    game.push_unchecked(mv);
}

#[test]
fn the_distance_of_the_table_is_told() {
    let tables = Tablebase::embedded();
    let mut engine = engine(Arc::new(tables.clone()));
    for position in positions(Wdl::Win, 1).take(20) {
        let game = History::new(position);
        let found = engine.search(&game, &Rulebook::default(), &Limits::depth(2), &Timeless, &mut |_| {});
        let plies = tables.distance(&position);
        assert_eq!(found.unwrap().score().kind(), ScoreKind::Wins(plies), "{position}");
    }
}

#[test]
fn two_threads_tell_the_distance_too() {
    let tables = Tablebase::embedded();
    let mut engine = engine(Arc::new(tables.clone()));
    engine.set_threads(2);
    for position in positions(Wdl::Win, 4).take(20) {
        let game = History::new(position);
        let found = engine.search(&game, &Rulebook::default(), &Limits::depth(4), &Timeless, &mut |_| {});
        let found = found.unwrap();
        assert_eq!(found.score().kind(), ScoreKind::Wins(tables.distance(&position)), "{position}");
        assert_eq!(tables.probe(&position.play_unchecked(found.best())), Some(Wdl::Loss), "{position}");
    }
}

#[test]
fn a_draw_is_believed() {
    let mut engine = without_distances();
    for position in positions(Wdl::Draw, 2).take(20) {
        let game = History::new(position);
        let limits = Limits::nodes(3_000).with_multi_pv(20);
        let found = engine.search(&game, &Rulebook::default(), &limits, &Timeless, &mut |_| {}).unwrap();
        assert_eq!(found.score(), Score::DRAW, "{position}");
        assert_eq!(found.lines.len(), position.distinct_moves().len());
        assert!(found.lines.is_sorted_by_key(|line| -line.score), "{position} {:?}", found.lines);
        for line in &found.lines {
            let after = Tablebase::embedded().probe(&position.play_unchecked(line.moves[0]));
            let loses = matches!(line.score.kind(), ScoreKind::Loses(_));
            assert_eq!(after == Some(Wdl::Win), loses, "{position} {line:?}");
        }
    }
}

#[test]
fn a_won_ending_is_won_without_distances() {
    let tables = Tablebase::embedded();
    let mut engine = without_distances();
    // Longer wins exceed the move limit of 40 moves each.
    let in_reach = |position: &Position| tables.distance(position).is_some_and(|plies| plies <= 60);
    for position in positions(Wdl::Win, 3).filter(in_reach).take(25) {
        let mut game = History::new(position);
        engine.clear();
        while game.outcome(&Rulebook::default()).is_none() {
            if game.position().side_to_move() == Side::Black {
                let limits = Limits::nodes(20_000);
                let found =
                    engine.search(&game, &Rulebook::default(), &limits, &Timeless, &mut |_| {}).unwrap();
                assert!(matches!(found.score().kind(), ScoreKind::Wins(_)), "{position} {:?}", found.score());
                game.push_unchecked(found.best());
            } else {
                longest_defence(&mut game, &tables);
            }
        }
        let winner = game.outcome(&Rulebook::default()).and_then(Outcome::winner);
        assert_eq!(winner, Some(Side::Black), "{position} in {} plies", game.moves().len());
    }
}
