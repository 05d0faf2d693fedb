//! The engine wins what the tables say is won, and does not lose what they say is drawn. `cargo xtask prove endings` runs it with more pieces and positions.

use std::env;
use std::path::Path;

use crownhead_lab::endings::{Ending, Endings};
use crownhead_rules::{DrawReason, Outcome};
use crownhead_tablebase::{Tablebase, Wdl};

/// A number from the environment, for the long form.
fn from_environment(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// The tables of the program, and those of a folder in the long form.
fn tables() -> Tablebase {
    let embedded = Tablebase::embedded();
    let Some(folder) = env::var_os("CROWNHEAD_TABLEBASE") else { return embedded };
    let (tables, complaints) = embedded.with_folder(Path::new(&folder));
    assert!(complaints.is_empty(), "{complaints:?}");
    tables
}

/// Plays endings out by tables whose distances end so many pieces short of the position, and gives those that failed.
fn play(worth: Wdl, short: u32) -> Vec<Ending> {
    let pieces = from_environment("CROWNHEAD_ENDING_PIECES", 4) as u32;
    let tables = tables();
    let endings = Endings {
        worth,
        own_tables: tables.with_distances_up_to(pieces - short),
        tables,
        pieces,
        nodes: from_environment("CROWNHEAD_ENDING_NODES", 20_000),
        seed: from_environment("CROWNHEAD_SEED", 1),
    };
    assert!(endings.tables.max_pieces() >= pieces, "there are no tables of so many pieces");
    let failed = endings.play(count(), 2).unwrap();
    println!("seed {}: {} failures in {} endings worth a {worth:?}", endings.seed, failed.len(), count());
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
    assert_eq!(play(Wdl::Win, 0), []);
}

/// Nothing may be lost, and only the limit of moves may save the defender, once in a hundred times: who does not know how
/// far away the end is cannot always count on reaching it in 40 moves.
#[test]
fn won_endings_are_won_where_distances_begin_with_one_piece_less() {
    let not_won = play(Wdl::Win, 1);
    assert!(not_won.iter().all(|ending| ending.outcome == Outcome::Draw(DrawReason::MoveLimit)));
    assert!(not_won.len() as u64 * 100 <= count(), "more than one in a hundred was not won");
}

#[test]
fn drawn_endings_are_not_lost() {
    assert_eq!(play(Wdl::Draw, 0), []);
}
