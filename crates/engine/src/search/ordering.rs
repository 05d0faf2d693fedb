//! Move ordering: the transposition table's move, captures, killers, then quiet moves by history.

use crownhead_rules::{Move, MoveList, Position, Side, Square};

use super::tuning::{HISTORY_BONUS_MAX, HISTORY_MAX};
use crate::score::MAX_PLY;

/// The killers and the history of one thread.
pub(super) struct MoveOrdering {
    /// For each ply, the last two quiet moves that caused a beta cutoff.
    killers: Vec<[Option<Move>; 2]>,
    /// The history score of a quiet move, by side, from and to.
    history: Box<[[[i32; Square::COUNT]; Square::COUNT]; 2]>,
}

/// Hands out the legal moves of a node, the most promising first.
pub(super) struct MovePicker {
    moves: MoveList,
    /// The ordering score of each move, with its index in `moves` in the lowest bits.
    keys: [i32; MoveList::CAPACITY],
    next: usize,
}

const INDEX_BITS: u32 = 7;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MoveList::CAPACITY <= 1 << INDEX_BITS, "every index has a key");

const TT_MOVE: i32 = 1 << 23;
const CAPTURE: i32 = 1 << 16;
const FIRST_KILLER: i32 = 1 << 15;
const SECOND_KILLER: i32 = 1 << 14;

impl MoveOrdering {
    pub(super) fn new() -> MoveOrdering {
        MoveOrdering {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]),
        }
    }

    /// The moves of a position in the order in which to search them.
    #[inline]
    pub(super) fn picker(&self, position: &Position, ply: usize, tt_move: Option<u8>) -> MovePicker {
        let mut ordered = MovePicker { moves: position.moves(), keys: [0; MoveList::CAPACITY], next: 0 };
        for (index, (key, &mv)) in ordered.keys.iter_mut().zip(ordered.moves.iter()).enumerate() {
            let known = tt_move == Some(index as u8);
            let worth = if known { TT_MOVE } else { self.move_score(position, ply, mv) };
            *key = worth << INDEX_BITS | index as i32;
        }
        ordered
    }

    #[inline]
    fn move_score(&self, position: &Position, ply: usize, mv: Move) -> i32 {
        if mv.is_capture() {
            let captured = mv.captured();
            return CAPTURE + 2 * captured.len() as i32 + (captured & position.all_kings()).len() as i32;
        }
        match self.killers[ply] {
            [Some(killer), _] if killer == mv => FIRST_KILLER,
            [_, Some(killer)] if killer == mv => SECOND_KILLER,
            _ => self.history[position.side_to_move().index()][mv.from().index()][mv.to().index()],
        }
    }

    /// Records a beta cutoff by a quiet move: a killer, a history bonus, and a malus for the moves tried before it.
    pub(super) fn record_cutoff(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        best: Move,
        tried: impl Iterator<Item = Move>,
    ) {
        if best.is_capture() {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        let bonus = (depth * depth).clamp(1, HISTORY_BONUS_MAX);
        self.update_history(side, best, bonus);
        for mv in tried {
            self.update_history(side, mv, -bonus);
        }
    }

    /// Adds a bonus with history gravity: the larger the entry, the less it grows.
    fn update_history(&mut self, side: Side, mv: Move, bonus: i32) {
        let entry = &mut self.history[side.index()][mv.from().index()][mv.to().index()];
        *entry += bonus - *entry * bonus.abs() / HISTORY_MAX;
    }
}

impl MovePicker {
    /// The next move and its index in the list of legal moves.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Move, u8)> {
        let left = &mut self.keys[self.next..self.moves.len()];
        let best = (0..left.len()).max_by_key(|&i| left[i])?;
        left.swap(0, best);
        let index = index(left[0]);
        self.next += 1;
        Some((self.moves[index], index as u8))
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves handed out before the last one.
    pub(super) fn tried(&self) -> impl Iterator<Item = Move> {
        self.keys[..self.next - 1].iter().map(|&key| self.moves[index(key)])
    }
}

#[inline]
fn index(key: i32) -> usize {
    (key & INDEX_MASK) as usize
}
