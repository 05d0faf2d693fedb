//! Asking the tables: what a position is worth, and how far from the end it is.

use crownhead_rules::Position;

use crate::Wdl;
use crate::board::Board;
use crate::material::Material;
use crate::section::{BLOCK, PliesSection};
use crate::stored::Found;
use crate::tablebase::{Shelf, Slice, Stored, Tablebase};
use crate::value::{Best, Value};

impl Tablebase {
    /// What a position is worth for the side to move, also when a capture is due. `None` outside of the tables.
    ///
    /// Draws by repetition or by a count of moves are not known to the tables.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        let board = Board::of(position);
        if board.len() > self.max_pieces() {
            return None;
        }
        match lone(board) {
            None => self.shelf.wdl(board).map(Value::wdl),
            lone => lone.map(Value::wdl),
        }
    }

    /// Does neither side win with best play? `None` outside of the tables.
    pub fn is_drawn(&self, position: &Position) -> Option<bool> {
        self.probe(position).map(|value| value == Wdl::Draw)
    }

    /// The plies to the end with best play: the winner wins as fast as possible, the loser holds out as long as
    /// possible; 0 if the side to move has no move. `None` for a draw and where distances are not known.
    pub fn distance(&self, position: &Position) -> Option<u32> {
        let board = Board::of(position);
        if board.len() > self.max_pieces() {
            return None;
        }
        let value = match lone(board) {
            None => self.shelf.exact(board)?,
            Some(lone) => lone,
        };
        value.plies().map(u32::from)
    }
}

/// The value of a board on which one side has no piece.
#[inline]
fn lone(board: Board) -> Option<Value> {
    if board.own() == 0 {
        Some(Value::LOST)
    } else if board.opp() == 0 {
        let mut best = Best::default();
        board.each_move(&mut |after| best.add(if after.own() == 0 { Value::LOST } else { Value::DRAW }));
        Some(best.value())
    } else {
        None
    }
}

impl Shelf {
    /// Win, draw or loss of a board with few enough pieces, of which the opponent has some.
    fn wdl(&self, board: Board) -> Option<Value> {
        if board.own() == 0 {
            return Some(Value::LOST);
        }
        let slice = self.slice(Material::of(board))?;
        if Found::of(board, slice.compact) != Found::Stored {
            return self.best(board, Shelf::wdl);
        }
        Some(match slice.same {
            Some(value) => value,
            None => self.stored(slice, slice.layout.index(board)),
        })
    }

    /// The same with its distance, where distances are known.
    fn exact(&self, board: Board) -> Option<Value> {
        if board.own() == 0 {
            return Some(Value::LOST);
        }
        if board.is_capture_due() {
            return self.best(board, Shelf::exact);
        }
        let slice = self.slice(Material::of(board))?;
        let plies = slice.plies.as_ref()?;
        let value = self.wdl(board)?;
        if value.is_loss() {
            self.stored_loss(slice, plies, slice.layout.index(board))
        } else if value.is_win() {
            // The moves that win are those to a loss.
            self.best(board, |shelf, after| match shelf.wdl(after)? {
                loss if loss.is_loss() => shelf.exact(after),
                _ => Some(Value::DRAW),
            })
        } else {
            Some(value)
        }
    }

    /// The best that the moves of a board lead to.
    fn best(&self, board: Board, value: impl Fn(&Shelf, Board) -> Option<Value>) -> Option<Value> {
        let mut best = Some(Best::default());
        board.each_move(&mut |after| match (&mut best, value(self, after)) {
            (Some(best), Some(value)) => best.add(value),
            (best, _) => *best = None,
        });
        best.map(Best::value)
    }

    #[inline]
    fn stored(&self, slice: &Slice, index: u64) -> Value {
        let (block, place) = split(index);
        let make = || slice.wdl.section().decode_kept(&slice.wdl.table.bytes, &slice.layout, block);
        self.wdl_cache.read(slice.wdl.slot + block, make, |values| values.get(place))
    }

    fn stored_loss(&self, slice: &Slice, plies: &Stored<PliesSection>, index: u64) -> Option<Value> {
        let (block, place) = split(index);
        let make = || {
            let wdl = slice.wdl.section().decode(&slice.wdl.table.bytes, &slice.layout, block);
            plies.section().decode(&plies.table.bytes, &slice.layout, block, &wdl)
        };
        self.plies_cache.read(plies.slot + block, make, |losses| losses.get(place))
    }
}

/// The block of an index, and its place there.
#[inline]
fn split(index: u64) -> (usize, usize) {
    ((index / BLOCK as u64) as usize, (index % BLOCK as u64) as usize)
}
