//! Tests of play in drawn endgames: the engine prefers moves after which its opponent can still go wrong.

#[path = "parts/without_distances.rs"]
mod without_distances;

use std::sync::Arc;

use crownhead_engine::{Engine, Limits, Probe, Timeless};
use crownhead_rules::{History, Move, Piece, Position, Rng, Rulebook, Setup, Side, Square};
use crownhead_tablebase::{Tablebase, Wdl};
use without_distances::WithoutDistances;

/// Drawn positions of four pieces in which some drawing moves allow a losing reply and others do not.
fn choices(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    let tables = Tablebase::embedded();
    core::iter::repeat_with(move || {
        let mut setup = Setup::empty(Side::Black);
        let mut squares: Vec<Square> = Square::all().collect();
        rng.shuffle(&mut squares);
        for (place, square) in squares[..4].iter().enumerate() {
            let side = Side::BOTH[place % 2];
            setup.pieces[square.index()] = Some(*rng.pick(&[Piece::man(side), Piece::king(side)]));
        }
        setup.to_position()
    })
    .flatten()
    .filter(move |position| {
        let shares: Vec<_> = drawing_moves(position, &tables).map(|(_, share)| share).collect();
        tables.probe(position) == Some(Wdl::Draw) && shares.contains(&0.0) && shares.iter().any(|&s| s > 0.0)
    })
}

/// The moves that keep the draw, each with the share of replies that lose.
fn drawing_moves(position: &Position, tables: &Tablebase) -> impl Iterator<Item = (Move, f64)> {
    position.distinct_moves().into_iter().map(|mv| (mv, position.play_unchecked(mv))).filter_map(
        |(mv, after)| {
            let losing = |&reply: &Move| tables.probe(&after.play_unchecked(reply)) == Some(Wdl::Win);
            let replies = after.distinct_moves();
            let share = replies.iter().filter(|reply| losing(reply)).count() as f64 / replies.len() as f64;
            (tables.probe(&after) == Some(Wdl::Draw)).then_some((mv, share))
        },
    )
}

#[test]
fn a_draw_is_played_for_mistakes() {
    plays_for_mistakes(Arc::new(Tablebase::embedded()));
}

#[test]
fn a_draw_is_played_for_mistakes_without_distances_too() {
    plays_for_mistakes(Arc::new(WithoutDistances(Tablebase::embedded())));
}

fn plays_for_mistakes(probe: Arc<dyn Probe>) {
    let tables = Tablebase::embedded();
    let mut engine = Engine::new(1 << 20).unwrap();
    engine.set_tablebase(Some(probe));
    let (mut chosen, mut by_lot) = (0.0, 0.0);
    for position in choices(1).take(200) {
        let game = History::new(position);
        let limits = Limits::nodes(3_000);
        let best =
            engine.search(&game, &Rulebook::default(), &limits, &Timeless, &mut |_| {}).unwrap().best();
        let moves: Vec<_> = drawing_moves(&position, &tables).collect();
        let share = moves.iter().find(|(mv, _)| *mv == best).expect("the draw is kept").1;
        chosen += share;
        by_lot += moves.iter().map(|(_, share)| share).sum::<f64>() / moves.len() as f64;
    }
    assert!(chosen > 1.4 * by_lot, "{chosen} mistakes to make, and {by_lot} after a drawing move by lot");
}
