//! In which order moves are tried: what has proven good before comes first.

use crownhead_rules::{Move, MoveList, Position, Side, Square};

use super::tuning::{HISTORY_BONUS_MAX, HISTORY_MAX};
use crate::score::MAX_PLY;

/// What one thread has learnt about moves.
pub(super) struct MoveOrdering {
    /// Two quiet moves for each ply that cut off there last.
    killers: Vec<[Option<Move>; 2]>,
    /// How well the move from one square to another has done, by side.
    history: Box<[[[i32; Square::COUNT]; Square::COUNT]; 2]>,
}

/// The legal moves of a node, best first.
pub(super) struct MovePicker {
    moves: MoveList,
    /// What each move is worth, and in the lowest bits its place in the list of legal moves.
    keys: [i32; MoveList::CAPACITY],
    next: usize,
}

const PLACE_BITS: u32 = 7;
const PLACE_MASK: i32 = (1 << PLACE_BITS) - 1;
const _: () = assert!(MoveList::CAPACITY <= 1 << PLACE_BITS, "every place has a key");

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

    /// The moves of a position in the order to try them.
    #[inline]
    pub(super) fn picker(&self, position: &Position, ply: usize, tt_move: Option<u8>) -> MovePicker {
        let mut ordered = MovePicker { moves: position.moves(), keys: [0; MoveList::CAPACITY], next: 0 };
        for (place, (key, &mv)) in ordered.keys.iter_mut().zip(ordered.moves.iter()).enumerate() {
            let known = tt_move == Some(place as u8);
            let worth = if known { TT_MOVE } else { self.move_score(position, ply, mv) };
            *key = worth << PLACE_BITS | place as i32;
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

    /// Remembers that a quiet move was good enough, and that those tried before it were not.
    pub(super) fn record_cutoff(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        good: Move,
        tried: impl Iterator<Item = Move>,
    ) {
        if good.is_capture() {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(good) {
            *killers = [Some(good), killers[0]];
        }
        let bonus = (depth * depth).clamp(1, HISTORY_BONUS_MAX);
        self.update_history(side, good, bonus);
        for mv in tried {
            self.update_history(side, mv, -bonus);
        }
    }

    /// Moves the entry towards the bonus; the farther it is already, the less.
    fn update_history(&mut self, side: Side, mv: Move, bonus: i32) {
        let entry = &mut self.history[side.index()][mv.from().index()][mv.to().index()];
        *entry += bonus - *entry * bonus.abs() / HISTORY_MAX;
    }
}

impl MovePicker {
    /// The next best move and its place in the list of legal moves.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Move, u8)> {
        let left = &mut self.keys[self.next..self.moves.len()];
        let best = (0..left.len()).max_by_key(|&i| left[i])?;
        left.swap(0, best);
        let place = place(left[0]);
        self.next += 1;
        Some((self.moves[place], place as u8))
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves that came before the last one.
    pub(super) fn tried(&self) -> impl Iterator<Item = Move> {
        self.keys[..self.next - 1].iter().map(|&key| self.moves[place(key)])
    }
}

#[inline]
fn place(key: i32) -> usize {
    (key & PLACE_MASK) as usize
}
