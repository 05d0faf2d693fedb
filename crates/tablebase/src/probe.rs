//! Probing the tablebase: the WDL value and the distance to win (DTW) of a position.

use crownhead_rules::Position;

use crate::Wdl;
use crate::board::Board;
use crate::material::Material;
use crate::section::{BLOCK, DtwSection};
use crate::tablebase::{LoadedTables, SectionRef, Slice, Tablebase};
use crate::value::{BestOfMoves, Value};
use crate::value_source::ValueSource;

impl Tablebase {
    /// The WDL value for the side to move, even if a capture is due. `None` outside the tables.
    ///
    /// The tables ignore draws by repetition and by a move limit.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        let board = Board::of(position);
        if board.len() > self.max_pieces() {
            return None;
        }
        match lone(board) {
            None => self.loaded.wdl(board).map(Value::wdl),
            lone => lone.map(Value::wdl),
        }
    }

    /// Is the position a draw with best play? `None` outside the tables.
    pub fn is_drawn(&self, position: &Position) -> Option<bool> {
        self.probe(position).map(|value| value == Wdl::Draw)
    }

    /// The plies to the end with best play: the winner wins as fast as possible, the loser holds out as long as
    /// possible; 0 if the side to move has no move. `None` for a draw, and if the distance is not known.
    pub fn distance(&self, position: &Position) -> Option<u32> {
        let board = Board::of(position);
        if board.len() > self.max_pieces() {
            return None;
        }
        let value = match lone(board) {
            None => self.loaded.exact(board)?,
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
        let mut best = BestOfMoves::default();
        board.each_move(&mut |after| best.add(if after.own() == 0 { Value::LOST } else { Value::DRAW }));
        Some(best.value())
    } else {
        None
    }
}

impl LoadedTables {
    /// The WDL value of a board within the tables on which the opponent has a piece.
    fn wdl(&self, board: Board) -> Option<Value> {
        if board.own() == 0 {
            return Some(Value::LOST);
        }
        let slice = self.slice(Material::of(board))?;
        if ValueSource::of(board, slice.compact) != ValueSource::Stored {
            return self.best(board, LoadedTables::wdl);
        }
        Some(match slice.uniform {
            Some(value) => value,
            None => self.stored(slice, slice.indexing.index(board)),
        })
    }

    /// The same with its distance; `None` if distances are not known.
    fn exact(&self, board: Board) -> Option<Value> {
        if board.own() == 0 {
            return Some(Value::LOST);
        }
        if board.is_capture_due() {
            return self.best(board, LoadedTables::exact);
        }
        let slice = self.slice(Material::of(board))?;
        let dtw = slice.dtw.as_ref()?;
        let value = self.wdl(board)?;
        if value.is_loss() {
            self.stored_loss(slice, dtw, slice.indexing.index(board))
        } else if value.is_win() {
            // A winning move leads to a loss for the other side; only those need a distance.
            self.best(board, |loaded, after| match loaded.wdl(after)? {
                loss if loss.is_loss() => loaded.exact(after),
                _ => Some(Value::DRAW),
            })
        } else {
            Some(value)
        }
    }

    /// The best value after a move.
    fn best(&self, board: Board, value: impl Fn(&LoadedTables, Board) -> Option<Value>) -> Option<Value> {
        let mut best = Some(BestOfMoves::default());
        board.each_move(&mut |after| match (&mut best, value(self, after)) {
            (Some(best), Some(value)) => best.add(value),
            (best, _) => *best = None,
        });
        best.map(BestOfMoves::value)
    }

    #[inline]
    fn stored(&self, slice: &Slice, index: u64) -> Value {
        let (block, place) = split(index);
        let make = || slice.wdl.section().decode_for_cache(&slice.wdl.table.bytes, &slice.indexing, block);
        self.wdl_cache.read(slice.wdl.slot + block, make, |values| values.get(place))
    }

    fn stored_loss(&self, slice: &Slice, dtw: &SectionRef<DtwSection>, index: u64) -> Option<Value> {
        let (block, place) = split(index);
        let make = || {
            let wdl = slice.wdl.section().decode(&slice.wdl.table.bytes, &slice.indexing, block);
            dtw.section().decode(&dtw.table.bytes, &slice.indexing, block, &wdl)
        };
        self.dtw_cache.read(dtw.slot + block, make, |losses| losses.get(place))
    }
}

/// The block of an index, and the offset within it.
#[inline]
fn split(index: u64) -> (usize, usize) {
    ((index / BLOCK as u64) as usize, (index % BLOCK as u64) as usize)
}
