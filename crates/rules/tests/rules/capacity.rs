//! The most moves that any position can have, from the geometry of the board.

use crownhead_rules::{Direction, MoveList, Square};
use std::collections::BTreeSet;

/// A jump of a king from one square to another over a third, as indices.
#[derive(Clone, Copy)]
struct Jump {
    from: usize,
    over: usize,
    to: usize,
}

fn jumps() -> Vec<Jump> {
    Square::all()
        .flat_map(|from| Direction::ALL.map(|direction| (from, direction)))
        .filter_map(|(from, direction)| {
            let over = from.neighbour(direction)?;
            let to = over.neighbour(direction)?;
            Some(Jump { from: from.index(), over: over.index(), to: to.index() })
        })
        .collect()
}

/// The squares that a king can reach by jumping from a square.
fn reach(jumps: &[Jump], square: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::from([square]);
    loop {
        let more: Vec<usize> = jumps.iter().filter(|j| seen.contains(&j.from)).map(|j| j.to).collect();
        let before = seen.len();
        seen.extend(more);
        if seen.len() == before {
            return seen;
        }
    }
}

/// How many complete paths a king has from a square, all pieces in between being the opponent's.
fn paths(jumps: &[Jump], at: usize, blocked: u32, taken: u32) -> usize {
    let next = |jump: &&Jump| jump.from == at && taken >> jump.over & 1 == 0 && blocked >> jump.to & 1 == 0;
    let count: usize =
        jumps.iter().filter(next).map(|jump| paths(jumps, jump.to, blocked, taken | 1 << jump.over)).sum();
    count.max(1)
}

#[test]
fn a_king_reaches_eight_squares_over_nine_others() {
    let jumps = jumps();
    for square in 0..32 {
        let reach = reach(&jumps, square);
        let between: BTreeSet<usize> =
            jumps.iter().filter(|j| reach.contains(&j.from)).map(|j| j.over).collect();
        assert_eq!((reach.len(), between.len()), (8, 9), "a move has room for nine jumps");
    }
}

#[test]
fn no_position_has_more_moves_than_a_list_has_room_for() {
    let jumps = jumps();
    // Squares fall into four groups that jumps never leave. In each group try every set of squares with kings on
    // them, the others empty and an enemy wherever one can be jumped: another enemy never makes for fewer paths.
    // The sum over the groups is more than any real position can have, which is all that is needed.
    let groups: BTreeSet<BTreeSet<usize>> = (0..32).map(|square| reach(&jumps, square)).collect();
    let most: usize = groups.iter().map(|group| most_in_group(&jumps, group)).sum();
    assert_eq!(groups.len(), 4);
    assert!(most <= MoveList::CAPACITY, "{most} captures at most");
    const { assert!(12 * 4 <= MoveList::CAPACITY, "twelve kings have four ways each") };
}

fn most_in_group(jumps: &[Jump], group: &BTreeSet<usize>) -> usize {
    let squares: Vec<usize> = group.iter().copied().collect();
    (0..1u32 << squares.len())
        .map(|set| {
            let kings =
                squares.iter().enumerate().filter(|&(i, _)| set >> i & 1 != 0).map(|(_, &square)| square);
            let blocked: u32 = kings.clone().map(|square| 1 << square).sum();
            // A king's own square is free for its own return.
            kings.map(|king| paths(jumps, king, blocked & !(1 << king), 0)).sum()
        })
        .max()
        .expect("there are sets")
}
