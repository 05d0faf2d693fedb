//! Proves by search that a side can reach, against every defence, a position that the tables do not give as lost.

use crownhead_rules::{Position, Side};
use crownhead_tablebase::{Tablebase, Wdl};

/// The maximum depth of a proof, in plies.
const MAX_PLIES: u32 = 24;
/// The maximum number of nodes of a proof.
const MAX_NODES: u32 = 2_000_000;

/// The plies after which a side is safe in the tables, if it is proven not to lose. Repetition proves nothing here.
pub(crate) fn plies_to_safety(position: &Position, side: Side, tables: &Tablebase) -> Option<u32> {
    let mut proof = Proof { side, tables, nodes_left: MAX_NODES };
    (0..=MAX_PLIES).find(|&plies| proof.is_safe(position, plies))
}

struct Proof<'a> {
    /// The side that must not lose.
    side: Side,
    tables: &'a Tablebase,
    nodes_left: u32,
}

impl Proof<'_> {
    /// Can safety be proven within this many plies and the remaining nodes?
    fn is_safe(&mut self, position: &Position, plies: u32) -> bool {
        let Some(left) = self.nodes_left.checked_sub(1) else { return false };
        self.nodes_left = left;
        let chooses = position.side_to_move() == self.side;
        match self.tables.probe(position) {
            Some(Wdl::Draw) => return true,
            Some(Wdl::Win) => return chooses,
            Some(Wdl::Loss) => return !chooses,
            None if plies == 0 => return false,
            None => {}
        }
        // A side without a move has lost.
        let moves = position.distinct_moves();
        let mut is_safe_after = |&mv| self.is_safe(&position.play_unchecked(mv), plies - 1);
        if chooses { moves.iter().any(&mut is_safe_after) } else { moves.iter().all(&mut is_safe_after) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plies(fen: &str, side: Side) -> Option<u32> {
        plies_to_safety(&fen.parse().unwrap(), side, &Tablebase::embedded())
    }

    #[test]
    fn the_tables_prove_what_is_in_them() {
        let seesaw = "W:W14,K32:B6,K25";
        assert_eq!((plies(seesaw, Side::White), plies(seesaw, Side::Black)), (Some(0), Some(0)));
        let won = "B:W29,30:B4,24";
        assert_eq!((plies(won, Side::Black), plies(won, Side::White)), (Some(0), None));
    }

    #[test]
    fn forced_captures_lead_into_the_tables() {
        // Black must take and White takes back: two kings each are left,
        let level = "B:W23,K29,K32:B18,K1,K4";
        assert_eq!((plies(level, Side::White), plies(level, Side::Black)), (Some(2), Some(2)));
        // or one against two.
        let lost = "B:W23,K32:B18,K1,K4";
        assert_eq!((plies(lost, Side::White), plies(lost, Side::Black)), (None, Some(1)));
    }
}
