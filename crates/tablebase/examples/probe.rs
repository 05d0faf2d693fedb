//! Probes the embedded tables for a position: `cargo run --example probe -- 'W:WK14,K19:BK1'`.

use std::env;
use std::error::Error;

use crownhead_rules::Position;
use crownhead_tablebase::Tablebase;

fn main() -> Result<(), Box<dyn Error>> {
    let position: Position = env::args().nth(1).unwrap_or("W:WK14,K19:BK1".into()).parse()?;
    let tables = Tablebase::embedded();
    match (tables.probe(&position), tables.distance(&position)) {
        (Some(value), Some(plies)) => println!("{value} in {plies} plies"),
        (Some(value), None) => println!("{value}"),
        (None, _) => println!("not in the tables"),
    }
    Ok(())
}
