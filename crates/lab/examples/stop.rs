//! How long the engine takes to obey a stop, with one thread and with two, in openings and in endings with tables that
//! nobody has asked before.
//!
//! Usage: stop [STOPS]. The largest delay is printed; more than 5 ms in any of them is a failure, so that this is for
//! a machine at rest. `CROWNHEAD_TABLEBASE` may name a folder of larger tables for the engine.

#[path = "parts/tables.rs"]
mod tables;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crownhead_engine::{Dice, Engine, Limits};
use crownhead_lab::Stopwatch;
use crownhead_rules::{History, Opening, OpeningClass, Rulebook};

const ALLOWED: Duration = Duration::from_millis(5);
const SEED: u64 = 8532;
/// Few, but more than tables of six pieces know.
const ENDING_PIECES: u32 = 7;
/// As much as the program gives to tables, so that nothing is read twice within a search.
const CACHE_BYTES: usize = 256 << 20;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let stops: usize = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let tables = tables::tables()?;
    println!("tables of {} pieces", tables.max_pieces());
    let mut dice = Dice::new(SEED);
    let openings = Opening::of_class(OpeningClass::Crossboard).map(Opening::history);
    let games: Vec<History> = openings.clone().chain(openings.map(|game| ending(&game, &mut dice))).collect();
    let mut all_obeyed = true;
    for threads in [1, 2] {
        let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
        engine.set_threads(threads);
        let mut delays: Vec<Duration> = (0..stops)
            .map(|_| {
                // What was read from the tables before would be there at once: clones share it, a new cache is empty.
                engine.set_tablebase(Some(Arc::new(tables.with_cache(CACHE_BYTES))));
                delay(&mut engine, dice.pick(&games), Duration::from_millis(5 + dice.below(60)))
            })
            .collect();
        delays.sort_unstable();
        let milliseconds = |delay: Duration| delay.as_secs_f64() * 1e3;
        let (median, largest) = (delays[stops / 2], delays[stops - 1]);
        println!(
            "{stops} stops, {threads} thread(s): obeyed after {:.3} ms at the median, {:.3} ms at most (seed {SEED})",
            milliseconds(median),
            milliseconds(largest)
        );
        all_obeyed &= largest <= ALLOWED;
    }
    Ok(if all_obeyed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Goes on with moves by lot until few pieces are left.
fn ending(opening: &History, dice: &mut Dice) -> History {
    loop {
        let mut game = opening.clone();
        while let [_, ..] = *game.position().distinct_moves() {
            if game.position().occupied().len() <= ENDING_PIECES {
                return game;
            }
            game.push_unchecked(*dice.pick(&game.position().distinct_moves()));
        }
    }
}

/// The time between pressing stop and having the answer.
fn delay(engine: &mut Engine, game: &History, think: Duration) -> Duration {
    let watch = Stopwatch::start();
    thread::scope(|scope| {
        let search = scope.spawn(|| {
            engine.search(game, &Rulebook::default(), &Limits::default(), &watch, &mut |_| {});
            Instant::now()
        });
        thread::sleep(think);
        let pressed = Instant::now();
        watch.stop();
        search.join().expect("a search does not panic").saturating_duration_since(pressed)
    })
}
