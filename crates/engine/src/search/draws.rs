//! Draw detection in the search: repetition and the move limit (moves without progress).

use crownhead_rules::{History, Move, Position, Progress, Rulebook};

use super::tuning::{EXTENSION_PLIES, NEAR_MOVE_LIMIT_PLIES};

/// The hashes of all positions from the start of the game to the node under search, and the draw rules of the rule
/// book.
#[derive(Clone)]
pub(super) struct DrawDetector {
    hashes: Vec<u64>,
    /// The index of the root: positions before it have been played, later ones are in the search tree.
    root: usize,
    /// The number of earlier occurrences that make a position of the game a draw; `None` if repetition is never a draw.
    repetitions: Option<usize>,
    move_limit: Option<(usize, Progress)>,
}

/// The quiet-move count: plies since the last irreversible move, as repetition and the move limit count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuietMoveCount {
    /// Plies since a capture or a man's move. No position before that can repeat.
    reversible: usize,
    /// Plies since the last progress as the rule book defines it.
    counted: usize,
}

impl DrawDetector {
    /// With `no_repetition`, one earlier occurrence makes a draw, whatever the rule book says.
    pub(super) fn new(
        game: &History,
        rulebook: &Rulebook,
        no_repetition: bool,
    ) -> (DrawDetector, QuietMoveCount) {
        let move_limit = rulebook.move_limit.map(|limit| (limit.plies as usize, limit.resets));
        let quiet_moves = QuietMoveCount {
            reversible: game.plies_since(Progress::CaptureOrManMove),
            counted: move_limit.map_or(0, |(_, resets)| game.plies_since(resets)),
        };
        let hashes = game.positions().iter().map(Position::zobrist_hash).collect();
        let repetitions = match rulebook.repetition {
            _ if no_repetition => Some(1),
            Some(rule) => Some(rule.times.saturating_sub(1) as usize),
            None => None,
        };
        (DrawDetector { hashes, root: game.moves().len(), repetitions, move_limit }, quiet_moves)
    }

    pub(super) fn push(&mut self, position: &Position) {
        self.hashes.push(position.zobrist_hash());
    }

    pub(super) fn pop(&mut self) {
        self.hashes.pop();
    }

    /// The quiet-move count after a move.
    #[inline]
    pub(super) fn after(&self, quiet_moves: QuietMoveCount, position: &Position, mv: Move) -> QuietMoveCount {
        let king = position.all_kings().contains(mv.from());
        let reversible = king && !mv.is_capture();
        let counts = match self.move_limit {
            Some((_, Progress::Capture)) => !mv.is_capture(),
            _ => reversible,
        };
        QuietMoveCount {
            reversible: if reversible { quiet_moves.reversible + 1 } else { 0 },
            counted: if counts { quiet_moves.counted + 1 } else { 0 },
        }
    }

    /// Is the last position a draw by repetition or by the move limit?
    ///
    /// Within the search tree, one repetition scores as a draw under every rule book: a side that could do better
    /// would have done so the first time. Positions of the game count as the rule book says, unless `no_repetition` is
    /// set.
    #[inline]
    pub(super) fn is_draw(&self, quiet_moves: QuietMoveCount, position: &Position) -> bool {
        // A side without a move has lost, even if the limit is reached.
        let limit_reached = |(plies, _)| quiet_moves.counted >= plies && position.has_move();
        self.is_repetition(quiet_moves) || self.move_limit.is_some_and(limit_reached)
    }

    #[inline]
    fn is_repetition(&self, quiet_moves: QuietMoveCount) -> bool {
        let last = self.hashes.len() - 1;
        let here = self.hashes[last];
        // A cycle takes at least two moves by each side.
        let places = (4..=quiet_moves.reversible.min(last)).step_by(2).map(|back| last - back);
        let mut times_played = 0;
        for place in places.filter(|&place| self.hashes[place] == here) {
            times_played += 1;
            if place >= self.root || Some(times_played) == self.repetitions {
                return true;
            }
        }
        false
    }

    /// Is the move limit within reach of a search of this depth? If so, its score holds for this count only.
    #[inline]
    pub(super) fn is_near_move_limit(&self, quiet_moves: QuietMoveCount, depth: i32) -> bool {
        let ahead = NEAR_MOVE_LIMIT_PLIES.max(usize::try_from(depth).unwrap_or(0) + EXTENSION_PLIES);
        self.move_limit.is_some_and(|(plies, _)| quiet_moves.counted + ahead >= plies)
    }

    /// Part of the transposition table key: near the move limit, each count has entries of its own.
    #[inline]
    pub(super) fn salt(&self, quiet_moves: QuietMoveCount, depth: i32) -> u64 {
        if self.is_near_move_limit(quiet_moves, depth) {
            COUNT_SALT.wrapping_mul(quiet_moves.counted as u64 + 1)
        } else {
            0
        }
    }
}

/// An odd multiplier, so that no two counts have the same salt.
const COUNT_SALT: u64 = 0x6a09_e667_f3bc_c909;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_the_move_limit_each_count_has_keys_of_its_own() {
        let (draws, start) = DrawDetector::new(&History::default(), &Rulebook::default(), false);
        let (limit, _) = draws.move_limit.expect("40 moves each");
        let after = |counted| QuietMoveCount { counted, ..start };
        let salts = |depth| (0..limit).map(move |counted| (counted, depth));
        for (counted, depth) in [1, 20, 40].into_iter().flat_map(salts) {
            let reached = counted + depth as usize >= limit;
            let salt = draws.salt(after(counted), depth);
            assert!(!reached || salt != 0, "{counted} moves and {depth} plies");
            assert!(
                salt == 0 || salt != draws.salt(after(counted + 1), depth),
                "{counted}: a key of its own"
            );
        }
        assert_eq!(draws.salt(after(0), 40), 0, "far from the limit all counts share one key");
    }
}
