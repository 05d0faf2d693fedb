//! The line from the start of the game to the node under search: for draws by repetition and by count.

use crownhead_rules::{History, Move, Position, Progress, Rulebook};

use super::tuning::{BEYOND_DEPTH_PLIES, NEAR_LIMIT_PLIES};

/// The hashes of all positions up to the current one, and what the rule book says of moves without progress.
#[derive(Clone)]
pub(super) struct Path {
    hashes: Vec<u64>,
    /// The place of the position on the board among them: those before it have been played, the others are thought of.
    root: usize,
    /// How often a position must have been on the board before to be a draw when it comes again, if it ever is.
    times_before: Option<usize>,
    move_limit: Option<(usize, Progress)>,
}

/// How long ago the position last changed for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Idle {
    /// Plies since a capture or a man's move: only as far back can a position have come up before.
    reversible: usize,
    /// Plies since what the rule book calls progress.
    counted: usize,
}

impl Path {
    /// Where nobody is to go back, one time before is enough, whatever the rule book says.
    pub(super) fn new(game: &History, rulebook: &Rulebook, forwards_only: bool) -> (Path, Idle) {
        let move_limit = rulebook.move_limit.map(|limit| (limit.plies as usize, limit.resets));
        let idle = Idle {
            reversible: game.plies_since(Progress::CaptureOrManMove),
            counted: move_limit.map_or(0, |(_, resets)| game.plies_since(resets)),
        };
        let hashes = game.positions().iter().map(Position::zobrist_hash).collect();
        let times_before = match rulebook.repetition {
            _ if forwards_only => Some(1),
            Some(rule) => Some(rule.times.saturating_sub(1) as usize),
            None => None,
        };
        (Path { hashes, root: game.moves().len(), times_before, move_limit }, idle)
    }

    pub(super) fn push(&mut self, position: &Position) {
        self.hashes.push(position.zobrist_hash());
    }

    pub(super) fn pop(&mut self) {
        self.hashes.pop();
    }

    /// The count after a move.
    #[inline]
    pub(super) fn after(&self, idle: Idle, position: &Position, mv: Move) -> Idle {
        let king = position.all_kings().contains(mv.from());
        let reversible = king && !mv.is_capture();
        let counts = match self.move_limit {
            Some((_, Progress::Capture)) => !mv.is_capture(),
            _ => reversible,
        };
        Idle {
            reversible: if reversible { idle.reversible + 1 } else { 0 },
            counted: if counts { idle.counted + 1 } else { 0 },
        }
    }

    /// Is the last position a draw: has it been there before, or is the limit of moves reached?
    ///
    /// Once is enough for a position that was only thought of, in every rule book: who could do better would have done so
    /// the first time, and going round in circles gets nobody nearer to a win. What has been on the board counts as the
    /// rule book says, unless nobody is to go back.
    #[inline]
    pub(super) fn is_draw(&self, idle: Idle, position: &Position) -> bool {
        // A side without a move has lost, even with the last move of the count.
        let limit_reached = |(plies, _)| idle.counted >= plies && position.has_move();
        self.has_been_here(idle) || self.move_limit.is_some_and(limit_reached)
    }

    #[inline]
    fn has_been_here(&self, idle: Idle) -> bool {
        let last = self.hashes.len() - 1;
        let here = self.hashes[last];
        // Two moves each at least: the same side is on move every second ply.
        let places = (4..=idle.reversible.min(last)).step_by(2).map(|back| last - back);
        let mut times_played = 0;
        for place in places.filter(|&place| self.hashes[place] == here) {
            times_played += 1;
            if place >= self.root || Some(times_played) == self.times_before {
                return true;
            }
        }
        false
    }

    /// Is a draw by count so near that a search of this depth may come to it? What it finds then holds for this count
    /// only.
    #[inline]
    pub(super) fn is_near_limit(&self, idle: Idle, depth: i32) -> bool {
        let ahead = NEAR_LIMIT_PLIES.max(usize::try_from(depth).unwrap_or(0) + BEYOND_DEPTH_PLIES);
        self.move_limit.is_some_and(|(plies, _)| idle.counted + ahead >= plies)
    }

    /// Sets what a search of this depth finds within reach of the limit of moves apart in the hash table, each count by
    /// itself.
    #[inline]
    pub(super) fn salt(&self, idle: Idle, depth: i32) -> u64 {
        if self.is_near_limit(idle, depth) { COUNT_SALT.wrapping_mul(idle.counted as u64 + 1) } else { 0 }
    }
}

/// An odd number with many digits, so that no two counts come to the same salt.
const COUNT_SALT: u64 = 0x6a09_e667_f3bc_c909;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_limit_of_moves_reaches_is_known_by_its_count() {
        let (path, start) = Path::new(&History::default(), &Rulebook::default(), false);
        let (limit, _) = path.move_limit.expect("40 moves each");
        let after = |counted| Idle { counted, ..start };
        let salts = |depth| (0..limit).map(move |counted| (counted, depth));
        for (counted, depth) in [1, 20, 40].into_iter().flat_map(salts) {
            let reached = counted + depth as usize >= limit;
            let salt = path.salt(after(counted), depth);
            assert!(!reached || salt != 0, "{counted} moves and {depth} plies");
            assert!(salt == 0 || salt != path.salt(after(counted + 1), depth), "{counted}: each by itself");
        }
        assert_eq!(path.salt(after(0), 40), 0, "far from the limit all counts are one");
    }
}
