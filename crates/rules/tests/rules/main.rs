//! The proof of the rules: clause by clause, against a slow twin, by published counts and by chance.

mod capacity;
mod clauses;
mod fen;
mod notation;
mod perft;
mod random;
mod rulebooks;
mod twin;

use crownhead_rules::Position;

/// The position of a FEN that the test knows to be right.
fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// All legal moves with their whole paths, in order of their text.
fn moves(fen: &str) -> Vec<String> {
    let mut moves: Vec<String> = position(fen).moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}
