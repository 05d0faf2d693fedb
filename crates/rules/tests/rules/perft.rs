//! Published counts of lines of play.

use std::collections::HashSet;

use crownhead_rules::Position;
use crownhead_rules::perft::{PerftCount, perft, perft_no_bulk};

use crate::random::{SEED, placed};

/// From the starting position, paths of capture counted one by one: sequence A133046 of the OEIS, from depth 0.
const PUBLISHED: [u64; 12] =
    [1, 7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128];

#[test]
fn counts_equal_the_published_ones_to_depth_11() {
    for (depth, count) in PUBLISHED.into_iter().enumerate() {
        assert_eq!(perft(&Position::start(), depth as u32), count, "depth {depth}");
    }
}

#[test]
fn making_every_move_counts_the_same() {
    for (depth, count) in PUBLISHED.into_iter().enumerate().take(10) {
        assert_eq!(perft_no_bulk(&Position::start(), depth as u32).nodes, count, "depth {depth}");
    }
}

#[test]
fn counts_behind_each_first_move_equal_the_published_ones() {
    // Depth 7 in all, as published with the names of the moves.
    let published = [
        ("9-13", 31_825),
        ("9-14", 19_933),
        ("10-14", 20_647),
        ("10-15", 22_848),
        ("11-15", 20_633),
        ("11-16", 33_918),
        ("12-16", 29_936),
    ];
    for (text, count) in published {
        let start = Position::start();
        let after = start.play_unchecked(start.parse_move(text).unwrap());
        assert_eq!(perft(&after, 6), count, "{text}");
    }
}

#[test]
fn distinct_positions_equal_the_published_numbers() {
    // Sequence A133047 of the OEIS: different positions after so many moves.
    let published = [1, 7, 49, 216, 805, 2733, 9105, 28_123, 85_340];
    let mut positions = HashSet::from([Position::start()]);
    for (plies, count) in published.into_iter().enumerate() {
        assert_eq!(positions.len(), count, "{plies} plies");
        positions =
            positions.iter().flat_map(|p| p.moves().into_iter().map(|mv| p.play_unchecked(mv))).collect();
    }
}

#[test]
fn counting_agrees_with_making_in_positions_full_of_kings() {
    for position in placed(SEED).take(2_000) {
        assert_eq!(perft(&position, 3), perft_no_bulk(&position, 3).nodes, "seed {SEED}, {position}");
    }
}

#[test]
fn the_checksum_is_over_the_positions_that_listed_moves_lead_to() {
    fn listed(position: &Position, depth: u32, tally: &mut PerftCount) {
        if depth == 0 {
            *tally += perft_no_bulk(position, 0);
        } else {
            position
                .moves()
                .into_iter()
                .for_each(|mv| listed(&position.play_unchecked(mv), depth - 1, tally));
        }
    }
    for position in placed(SEED).take(300).chain([Position::start()]) {
        let mut tally = PerftCount::default();
        listed(&position, 3, &mut tally);
        assert_eq!(perft_no_bulk(&position, 3), tally, "seed {SEED}, {position}");
    }
}

#[test]
fn the_checksum_tells_one_position_from_another() {
    let positions: HashSet<Position> = placed(SEED).take(1_000).collect();
    let sums: HashSet<u64> = positions.iter().map(|position| perft_no_bulk(position, 0).checksum).collect();
    assert_eq!(sums.len(), positions.len(), "seed {SEED}");
}
