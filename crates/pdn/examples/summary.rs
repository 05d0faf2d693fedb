//! Prints the players, the length and the result of each game on stdin: `cargo run --example summary < games.pdn`.

use std::error::Error;
use std::io::{self, Read};

use crownhead_pdn::read_str;

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    for read in read_str(&text) {
        let name = |tag| read.game.tags.get(tag).unwrap_or("?").to_owned();
        let (black, white) = (name("Black"), name("White"));
        println!("{black} - {white}: {} moves, {}", read.game.moves().len(), read.game.result);
        for warning in &read.warnings {
            eprintln!("{warning}");
        }
    }
    Ok(())
}
