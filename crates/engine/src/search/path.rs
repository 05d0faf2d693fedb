//! The line from the start of the game to the node under search: for draws by repetition and by count.

use crownhead_rules::{History, Move, Position, Progress, Rulebook};

/// The hashes of all positions up to the current one, and what the rule book says of moves without progress.
#[derive(Clone)]
pub(super) struct Path {
    hashes: Vec<u64>,
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

/// So close to the limit of moves, what the hash table says may not be true any more.
const NEAR_LIMIT_PLIES: usize = 24;

impl Path {
    pub(super) fn new(game: &History, rulebook: &Rulebook) -> (Path, Idle) {
        let move_limit = rulebook.move_limit.map(|limit| (limit.plies as usize, limit.resets));
        let idle = Idle {
            reversible: game.plies_since(Progress::CaptureOrManMove),
            counted: move_limit.map_or(0, |(_, resets)| game.plies_since(resets)),
        };
        let hashes = game.positions().iter().map(Position::hash).collect();
        (Path { hashes, move_limit }, idle)
    }

    pub(super) fn push(&mut self, position: &Position) {
        self.hashes.push(position.hash());
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
    /// One earlier time is enough in the tree, in every rule book: who could do better would have done so the first
    /// time, and going round in circles gets nobody nearer to a win.
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
        (4..=idle.reversible.min(last)).step_by(2).any(|back| self.hashes[last - back] == here)
    }

    /// Is a draw by count so near that values found elsewhere do not hold here?
    #[inline]
    pub(super) fn is_near_limit(&self, idle: Idle) -> bool {
        self.move_limit.is_some_and(|(plies, _)| idle.counted + NEAR_LIMIT_PLIES >= plies)
    }
}
