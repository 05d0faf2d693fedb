//! Counts the lines of play from a position: `cargo run --example perft -- 8 'B:W21-32:B1-12'`.

use std::env;
use std::error::Error;

use crownhead_rules::{Position, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let depth = arguments.next().map_or(Ok(6), |text| text.parse())?;
    let position: Position = arguments.next().map_or(Ok(Position::start()), |fen| fen.parse())?;
    println!("{}", perft(&position, depth));
    Ok(())
}
