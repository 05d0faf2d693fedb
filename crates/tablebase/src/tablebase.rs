//! The tables as others use them: a position in, its value out.

use std::sync::Arc;

use crownhead_rules::Position;

use crate::Wdl;
use crate::board::Board;
use crate::material::Material;
use crate::solve::{Finished, Method, Pair};
use crate::store::Store;
use crate::value::Value;

/// Tables of all positions with few pieces. Cheap to clone, shared by threads.
#[derive(Clone)]
pub struct Tablebase {
    store: Arc<Store>,
    max_pieces: u32,
}

impl Tablebase {
    /// The tables that come with the program.
    pub fn embedded() -> Tablebase {
        Tablebase::solved(3)
    }

    /// Tables of no position at all.
    pub fn empty() -> Tablebase {
        Tablebase::solved(1)
    }

    fn solved(pieces: u32) -> Tablebase {
        let mut store = Store::new();
        for material in (2..=pieces).flat_map(Material::all) {
            if material <= material.turned() {
                let [values, twin] =
                    Pair::solve(material, &store, Method { distances: true, threads: 1 }, &|_| ());
                store.insert(material, values, true);
                if material != material.turned() {
                    store.insert(material.turned(), twin, true);
                }
            }
        }
        Tablebase { store: Arc::new(store), max_pieces: pieces }
    }

    /// Every position with this many pieces or fewer is in the tables; 1 if there are none.
    #[inline]
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// What a position is worth for the side to move, also when a capture is due. `None` outside of the tables.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        self.value(position).map(Value::wdl)
    }

    /// The plies to the end with best play: the winner wins as fast as possible, the loser holds out as long as
    /// possible. 0 if the side to move has no move. `None` for a draw and where distances are not known.
    pub fn distance(&self, position: &Position) -> Option<u32> {
        self.value(position)?.plies().map(u32::from)
    }

    fn value(&self, position: &Position) -> Option<Value> {
        let board = Board::of(position);
        if board.len() > self.max_pieces {
            return None;
        }
        if board.own() == 0 || board.opp() == 0 {
            return Some(if position.has_move() { Value(1) } else { Value::LOST });
        }
        Some(self.store.value(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Layout;
    use crownhead_rules::Side;

    /// Material, then positions, wins, losses and draws, then the longest win, how many there are of it, the longest
    /// loss, and how many there are of that. Computed by another program.
    #[rustfmt::skip]
    const TWO_AND_THREE_PIECES: [(&str, [u32; 4], [u32; 4]); 16] = [
        ("0101", [992, 230, 108, 654], [11, 34, 10, 34]),
        ("0110", [868, 331, 6, 531], [11, 49, 4, 1]),
        ("1001", [868, 53, 241, 574], [11, 4, 12, 33]),
        ("1010", [760, 102, 47, 611], [13, 1, 6, 10]),
        ("0102", [14_880, 412, 13_018, 1_450], [11, 50, 34, 296]),
        ("0111", [26_040, 1_103, 22_349, 2_588], [13, 49, 48, 88]),
        ("0120", [11_340, 687, 9_411, 1_242], [13, 53, 62, 30]),
        ("0201", [14_880, 14_846, 0, 34], [33, 220, 0, 0]),
        ("0210", [13_020, 13_018, 0, 2], [33, 90, 0, 0]),
        ("1002", [13_020, 58, 12_248, 714], [11, 3, 34, 126]),
        ("1011", [22_800, 154, 21_181, 1_465], [13, 3, 48, 42]),
        ("1020", [9_936, 96, 9_083, 757], [13, 3, 62, 17]),
        ("1101", [26_040, 25_941, 10, 89], [47, 64, 14, 1]),
        ("1110", [22_800, 22_792, 1, 7], [47, 41, 0, 1]),
        ("2001", [11_340, 11_215, 4, 121], [61, 19, 14, 1]),
        ("2010", [9_936, 9_928, 0, 8], [61, 8, 0, 0]),
    ];

    #[test]
    fn values_of_two_and_three_pieces_are_the_known_ones() {
        let tables = Tablebase::embedded();
        for material in (2..=3).flat_map(Material::all) {
            let layout = Layout::new(material);
            let mut counts = [0; 4];
            let mut longest = [0; 4];
            for index in 0..layout.positions() {
                let position = layout.board(index).to_position(Side::Black);
                let wdl = tables.probe(&position).unwrap();
                assert_eq!(tables.probe(&position.turned()), Some(wdl), "{position}");
                counts[0] += 1;
                counts[match wdl {
                    Wdl::Win => 1,
                    Wdl::Loss => 2,
                    Wdl::Draw => 3,
                }] += 1;
                let Some(plies) = tables.distance(&position) else { continue };
                let [most, count] = if wdl == Wdl::Win { [0, 1] } else { [2, 3] };
                if plies > longest[most] {
                    longest[most] = plies;
                    longest[count] = 0;
                }
                longest[count] += u32::from(plies == longest[most]);
            }
            let name = material.to_string();
            let known = TWO_AND_THREE_PIECES.iter().find(|row| row.0 == name).unwrap();
            assert_eq!((counts, longest), (known.1, known.2), "{material}");
        }
    }
}
