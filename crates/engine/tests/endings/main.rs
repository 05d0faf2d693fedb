//! Tests of endgame play: the engine wins endgames that the tablebase gives as won, and does not lose drawn ones.
//!
//! `cargo xtask prove endings` plays more of them, with more pieces.

mod play;

use std::env;
use std::path::Path;

use crownhead_rules::{DrawReason, Outcome};
use crownhead_tablebase::{Tablebase, Wdl};
use play::{EndgameTest, PlayedEndgame};

/// A number from an environment variable, which the long run sets.
fn from_environment(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// The embedded tables, and those of the folder in `CROWNHEAD_TABLEBASE` if it is set.
fn tables() -> Tablebase {
    let embedded = Tablebase::embedded();
    let Some(folder) = env::var_os("CROWNHEAD_TABLEBASE") else { return embedded };
    let (tables, complaints) = embedded.with_folder(Path::new(&folder));
    assert!(complaints.is_empty(), "{complaints:?}");
    tables
}

/// Plays endgames with tables whose distances end `short` pieces below the position, and returns the failures.
fn failures(value: Wdl, short: u32) -> Vec<PlayedEndgame> {
    let pieces = from_environment("CROWNHEAD_ENDING_PIECES", 4) as u32;
    let tables = tables();
    let endings = EndgameTest {
        value,
        own_tables: tables.with_distances_up_to(pieces - short),
        tables,
        pieces,
        nodes: from_environment("CROWNHEAD_ENDING_NODES", 20_000),
        seed: from_environment("CROWNHEAD_SEED", 1),
    };
    assert!(endings.tables.max_pieces() >= pieces, "the tables have too few pieces");
    let failed = endings.play(count(), 2).unwrap();
    println!("seed {}: {} failures in {} endgames worth a {value:?}", endings.seed, failed.len(), count());
    for ending in &failed {
        println!("{}: {:?} after {} plies", ending.start, ending.outcome, ending.plies);
    }
    failed
}

fn count() -> u64 {
    from_environment("CROWNHEAD_ENDINGS", 200)
}

#[test]
fn won_endings_are_won_where_distances_are_known() {
    assert_eq!(failures(Wdl::Win, 0), []);
}

/// No game may be lost, and the defender may reach a draw by the move limit in one of a hundred: without distances the
/// engine cannot always win within 40 moves.
#[test]
fn won_endings_are_won_where_distances_begin_with_one_piece_less() {
    let not_won = failures(Wdl::Win, 1);
    assert!(not_won.iter().all(|ending| ending.outcome == Outcome::Draw(DrawReason::MoveLimit)));
    assert!(not_won.len() as u64 * 100 <= count(), "more than one in a hundred was not won");
}

#[test]
fn drawn_endings_are_not_lost() {
    assert_eq!(failures(Wdl::Draw, 0), []);
}
