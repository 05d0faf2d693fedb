//! Two players at one screen: reads moves from stdin, prints the status. `cargo run --example hot_seat`.

use std::error::Error;
use std::io;

use crownhead_game::{Command, Game, Moment, Player, Start, Time, Who};

fn main() -> Result<(), Box<dyn Error>> {
    let players = [Player::human("Anna"), Player::human("Ben")];
    let (mut game, _) = Game::start(Start::new(players, 1), Time(0))?;
    // This game has no clock, so the time may stand still.
    let now = Moment::at(Time(0));
    println!("{}", game.view(Who::Screen, now).status);
    for line in io::stdin().lines() {
        match game.handle(Who::Screen, &Command::Move { text: line? }, now) {
            Ok(_) => println!("{}", game.view(Who::Screen, now).status),
            Err(refusal) => println!("{refusal}"),
        }
    }
    Ok(())
}
