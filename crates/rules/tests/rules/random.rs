//! Positions by chance, and the properties that hold for all of them.

use std::collections::VecDeque;

use crownhead_rules::{Move, Piece, Position, Rank, Rng, Setup, Side, Square};

/// Every test that draws positions starts here, so that a failure comes again.
pub(crate) const SEED: u64 = 20_261_115;

/// The positions of random games, one game after another, from the start to the end or to 150 plies.
pub(crate) fn played(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    let mut plies = 0;
    std::iter::repeat_with(move || {
        let moves = position.moves();
        if moves.is_empty() || plies == 150 {
            (position, plies) = (Position::start(), 0);
        } else {
            position = position.play_unchecked(*rng.pick(&moves));
            plies += 1;
        }
        position
    })
}

/// Boards with one to twelve pieces a side on any squares where they may stand, half of all pieces kings. Every third
/// board is crowded.
pub(crate) fn placed(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || {
        let fewest = if rng.below(3) == 0 { 10 } else { 1 };
        let mut free: Vec<Square> = Square::all().collect();
        let mut setup = Setup::empty(*rng.pick(&Side::BOTH));
        for side in Side::BOTH {
            for _ in 0..fewest + rng.below(13 - fewest) {
                let square = free.swap_remove(rng.below(free.len() as u64) as usize);
                let king = rng.below(2) == 0 || side.king_row().contains(square);
                let rank = if king { Rank::King } else { Rank::Man };
                setup.pieces[square.index()] = Some(Piece { side, rank });
            }
        }
        setup.to_position().expect("pieces were put where they may stand")
    })
}

fn some_of_each() -> impl Iterator<Item = Position> {
    played(SEED).take(20_000).chain(placed(SEED).take(20_000))
}

#[test]
fn a_position_survives_the_way_through_fen() {
    for position in some_of_each() {
        let fen = position.to_string();
        assert_eq!(fen.parse(), Ok(position), "seed {SEED}");
        assert_eq!(Setup::from(&position).to_position(), Ok(position), "seed {SEED}, {fen}");
    }
}

#[test]
fn the_hash_kept_along_equals_the_fresh_one() {
    for position in some_of_each() {
        for mv in position.moves() {
            let after = position.play_unchecked(mv);
            let fresh = Setup::from(&after).to_position().unwrap();
            assert_eq!(after.zobrist_hash(), fresh.zobrist_hash(), "seed {SEED}, {mv} in {position}");
        }
    }
}

#[test]
fn the_side_to_move_and_every_piece_change_the_hash() {
    let mut hashes = std::collections::HashSet::new();
    for side in Side::BOTH {
        for (square, piece) in Square::all().flat_map(|square| {
            Side::BOTH
                .into_iter()
                .flat_map(move |side| [Piece::man(side), Piece::king(side)].map(|p| (square, p)))
        }) {
            let mut setup = Setup::empty(side);
            setup.pieces[square.index()] = Some(piece);
            if let Ok(position) = setup.to_position() {
                assert!(hashes.insert(position.zobrist_hash()), "{position}");
            }
        }
    }
    assert_eq!(hashes.len(), 2 * 120);
}

#[test]
fn a_turned_board_has_the_turned_moves() {
    let number = |square: Square| square.number();
    for position in some_of_each() {
        let turned = position.turned();
        let path = |mv: Move, turn: fn(Square) -> Square| -> Vec<u8> {
            [mv.from()].into_iter().chain(mv.landings()).map(turn).map(number).collect()
        };
        let mut here: Vec<_> = position.moves().iter().map(|&mv| path(mv, Square::turned)).collect();
        let mut there: Vec<_> = turned.moves().iter().map(|&mv| path(mv, |square| square)).collect();
        here.sort();
        there.sort();
        assert_eq!(here, there, "seed {SEED}, {position}");
        assert_eq!(turned.turned(), position, "seed {SEED}");
    }
}

#[test]
fn a_move_is_legal_where_it_is_listed_and_nowhere_else() {
    // The moves of the positions before, which fit only by chance.
    let mut others: VecDeque<Move> = VecDeque::new();
    for position in some_of_each() {
        let moves = position.moves();
        others.extend(moves.iter());
        others.drain(..others.len().saturating_sub(200));
        for &mv in &others {
            assert_eq!(position.is_legal(mv), moves.contains(&mv), "seed {SEED}, {mv} in {position}");
            assert_eq!(position.play(mv).is_ok(), moves.contains(&mv), "seed {SEED}, {mv} in {position}");
        }
    }
}

#[test]
fn every_move_reads_back_from_its_text() {
    for position in some_of_each() {
        for mv in position.moves() {
            assert_eq!(position.parse_move(&mv.to_string()), Ok(mv), "seed {SEED}, {position}");
            let short = position.move_text(mv);
            let read =
                position.parse_move(&short).unwrap_or_else(|error| panic!("{short} in {position}: {error}"));
            assert!(read.same_effect(mv), "seed {SEED}, {short} in {position}");
        }
    }
}

#[test]
fn moves_of_the_same_effect_are_listed_once() {
    for position in some_of_each() {
        let distinct = position.distinct_moves();
        for mv in position.moves() {
            assert_eq!(
                distinct.iter().filter(|other| other.same_effect(mv)).count(),
                1,
                "seed {SEED}, {mv} in {position}"
            );
        }
    }
}
