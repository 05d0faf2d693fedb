//! Resolves ambiguous captures by lookahead: chooses the one with which the rest of the line goes on furthest.

use crownhead_rules::{Move, Position};

use crate::lexer::{Lexer, Token};

/// The lookahead in moves. A capture that fits this long fits to the end.
const MAX_PLIES: usize = 400;

/// The most positions that a candidate may lead to if further captures are ambiguous.
const MAX_POSITIONS: usize = 32;

/// The capture that was chosen.
pub(super) struct Choice {
    pub(super) taken: Move,
    /// Does the rest of the line fit this capture alone?
    pub(super) decided: bool,
}

/// Chooses among the moves from a position by the text that follows.
pub(super) fn choose(position: &Position, candidates: &[Move], lexer: &mut Lexer<'_>) -> Choice {
    // Each candidate with the positions that it may have led to so far.
    let mut alive: Vec<(Move, Vec<Position>)> =
        candidates.iter().map(|&mv| (mv, vec![position.play_unchecked(mv)])).collect();
    let mut ahead = lexer.clone();
    for path in (0..MAX_PLIES).map_while(|_| next_path(&mut ahead)) {
        let next: Vec<_> = alive
            .iter()
            .map(|(mv, positions)| (*mv, step(positions, path.squares())))
            .filter(|(_, positions)| !positions.is_empty())
            .collect();
        // A move that fits none of the candidates decides nothing.
        if next.is_empty() {
            break;
        }
        alive = next;
        if alive.len() == 1 {
            break;
        }
    }
    lexer.remember_end(&ahead);
    Choice { taken: alive[0].0, decided: alive.len() == 1 }
}

/// The positions after a move with this path.
fn step(positions: &[Position], squares: &[crownhead_rules::Square]) -> Vec<Position> {
    let mut after: Vec<Position> = Vec::new();
    for position in positions {
        for mv in position.moves_along(squares) {
            let next = position.play_unchecked(mv);
            if after.len() < MAX_POSITIONS && !after.contains(&next) {
                after.push(next);
            }
        }
    }
    after
}

/// The next move of the same line, unless a set-up, an unknown move or an end comes first.
fn next_path(lexer: &mut Lexer<'_>) -> Option<crate::lexer::Path> {
    let mut nested = 0usize;
    loop {
        match lexer.next()?.token {
            Token::Open => nested += 1,
            Token::Close => nested = nested.checked_sub(1)?,
            Token::Tag { .. } => return None,
            _ if nested > 0 => {}
            Token::Move(path) => return Some(path),
            Token::Setup(_) | Token::UnknownMove | Token::Result(_) | Token::Separator => return None,
            _ => {}
        }
    }
}
