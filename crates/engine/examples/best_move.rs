//! Finds the best move of a position: `cargo run --release --example best_move -- 'W:W32,27,24,22:B20,15,10,7'`.

use std::env;
use std::error::Error;

use crownhead_engine::{Engine, Limits, Timeless};
use crownhead_rules::{History, Rulebook};

fn main() -> Result<(), Box<dyn Error>> {
    let fen = env::args().nth(1).unwrap_or("W:W32,27,24,22:B20,15,10,7".into());
    let game = History::new(fen.parse()?);
    let mut engine = Engine::new(1 << 24)?;
    match engine.search(&game, &Rulebook::default(), &Limits::nodes(200_000), &Timeless, &mut |_| {}) {
        Some(result) => println!("{}", game.position().move_text(result.best())),
        None => println!("no legal move"),
    }
    Ok(())
}
