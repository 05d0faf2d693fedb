//! The line from the start of the game to the node under search: for draws by repetition and by count.

use crownhead_rules::{History, Move, Position, Progress, Rulebook};

use super::tuning::{EXTENSION_PLIES, NEAR_MOVE_LIMIT_PLIES};

/// The hashes of all positions up to the current one, and what the rule book says of moves without progress.
#[derive(Clone)]
pub(super) struct DrawDetector {
    hashes: Vec<u64>,
    /// The place of the position on the board among them: those before it have been played, the others are thought of.
    root: usize,
    /// How often a position must have been on the board before to be a draw when it comes again, if it ever is.
    repetitions: Option<usize>,
    move_limit: Option<(usize, Progress)>,
}

/// How long ago the position last changed for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuietMoveCount {
    /// Plies since a capture or a man's move: only as far back can a position have come up before.
    reversible: usize,
    /// Plies since what the rule book calls progress.
    counted: usize,
}

impl DrawDetector {
    /// Where nobody is to go back, one time before is enough, whatever the rule book says.
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
        let hashes = game.positions().iter().map(Position::hash).collect();
        let repetitions = match rulebook.repetition {
            _ if no_repetition => Some(1),
            Some(rule) => Some(rule.times.saturating_sub(1) as usize),
            None => None,
        };
        (DrawDetector { hashes, root: game.moves().len(), repetitions, move_limit }, quiet_moves)
    }

    pub(super) fn push(&mut self, position: &Position) {
        self.hashes.push(position.hash());
    }

    pub(super) fn pop(&mut self) {
        self.hashes.pop();
    }

    /// The count after a move.
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

    /// Is the last position a draw: has it been there before, or is the limit of moves reached?
    ///
    /// Once is enough for a position that was only thought of, in every rule book: who could do better would have done so
    /// the first time, and going round in circles gets nobody nearer to a win. What has been on the board counts as the
    /// rule book says, unless nobody is to go back.
    #[inline]
    pub(super) fn is_draw(&self, quiet_moves: QuietMoveCount, position: &Position) -> bool {
        // A side without a move has lost, even with the last move of the count.
        let limit_reached = |(plies, _)| quiet_moves.counted >= plies && position.has_move();
        self.is_repetition(quiet_moves) || self.move_limit.is_some_and(limit_reached)
    }

    #[inline]
    fn is_repetition(&self, quiet_moves: QuietMoveCount) -> bool {
        let last = self.hashes.len() - 1;
        let here = self.hashes[last];
        // Two moves each at least: the same side is on move every second ply.
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

    /// Is a draw by count so near that a search of this depth may come to it? What it finds then holds for this count
    /// only.
    #[inline]
    pub(super) fn is_near_move_limit(&self, quiet_moves: QuietMoveCount, depth: i32) -> bool {
        let ahead = NEAR_MOVE_LIMIT_PLIES.max(usize::try_from(depth).unwrap_or(0) + EXTENSION_PLIES);
        self.move_limit.is_some_and(|(plies, _)| quiet_moves.counted + ahead >= plies)
    }

    /// Sets what a search of this depth finds within reach of the limit of moves apart in the hash table, each count by
    /// itself.
    #[inline]
    pub(super) fn salt(&self, quiet_moves: QuietMoveCount, depth: i32) -> u64 {
        if self.is_near_move_limit(quiet_moves, depth) {
            COUNT_SALT.wrapping_mul(quiet_moves.counted as u64 + 1)
        } else {
            0
        }
    }
}

/// An odd number with many digits, so that no two counts come to the same salt.
const COUNT_SALT: u64 = 0x6a09_e667_f3bc_c909;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_limit_of_moves_reaches_is_known_by_its_count() {
        let (draws, start) = DrawDetector::new(&History::default(), &Rulebook::default(), false);
        let (limit, _) = draws.move_limit.expect("40 moves each");
        let after = |counted| QuietMoveCount { counted, ..start };
        let salts = |depth| (0..limit).map(move |counted| (counted, depth));
        for (counted, depth) in [1, 20, 40].into_iter().flat_map(salts) {
            let reached = counted + depth as usize >= limit;
            let salt = draws.salt(after(counted), depth);
            assert!(!reached || salt != 0, "{counted} moves and {depth} plies");
            assert!(salt == 0 || salt != draws.salt(after(counted + 1), depth), "{counted}: each by itself");
        }
        assert_eq!(draws.salt(after(0), 40), 0, "far from the limit all counts are one");
    }
}
