//! Measures the latency of a stop, with one thread and with two, in openings and in endgames with a cold table cache.
//!
//! Usage: stop [STOPS]. Prints the median and the largest latency. It fails above 5 ms, so run it on an idle machine.
//! `CROWNHEAD_TABLEBASE` may name a folder of larger tables for the engine.

#[path = "parts/tables.rs"]
mod tables;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crownhead_engine::Stopwatch;
use crownhead_engine::{Engine, Limits};
use crownhead_rules::{History, Opening, OpeningClass, Rng, Rulebook};

const MAX_LATENCY: Duration = Duration::from_millis(5);
const SEED: u64 = 8532;
/// One piece more than tables of six pieces cover, so that captures lead straight into them.
const ENDING_PIECES: u32 = 7;
/// The cache size of the program, so that no block is decoded twice within a search.
const CACHE_BYTES: usize = 256 << 20;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let stops: usize = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let tables = tables::tables()?;
    println!("tables of {} pieces", tables.max_pieces());
    let mut rng = Rng::new(SEED);
    let openings = Opening::of_class(OpeningClass::Crossboard).map(Opening::history);
    let games: Vec<History> = openings.clone().chain(openings.map(|game| endgame(&game, &mut rng))).collect();
    let mut all_in_time = true;
    for threads in [1, 2] {
        let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
        engine.set_threads(threads);
        let mut latencies: Vec<Duration> = (0..stops)
            .map(|_| {
                // A new cache is empty; clones of the tables would share what earlier searches have read.
                engine.set_tablebase(Some(Arc::new(tables.with_cache(CACHE_BYTES))));
                latency(&mut engine, rng.pick(&games), Duration::from_millis(5 + rng.below(60)))
            })
            .collect();
        latencies.sort_unstable();
        let milliseconds = |latency: Duration| latency.as_secs_f64() * 1e3;
        let (median, largest) = (latencies[stops / 2], latencies[stops - 1]);
        println!(
            "{stops} stops, {threads} thread(s): latency {:.3} ms at the median, {:.3} ms at most (seed {SEED})",
            milliseconds(median),
            milliseconds(largest)
        );
        all_in_time &= largest <= MAX_LATENCY;
    }
    Ok(if all_in_time { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Continues with random moves until few pieces are left.
fn endgame(opening: &History, rng: &mut Rng) -> History {
    loop {
        let mut game = opening.clone();
        while let [_, ..] = *game.position().distinct_moves() {
            if game.position().occupied().len() <= ENDING_PIECES {
                return game;
            }
            game.push_unchecked(*rng.pick(&game.position().distinct_moves()));
        }
    }
}

/// The time between the stop and the end of the search.
fn latency(engine: &mut Engine, game: &History, think: Duration) -> Duration {
    let stopwatch = Stopwatch::start();
    thread::scope(|scope| {
        let search = scope.spawn(|| {
            engine.search(game, &Rulebook::default(), &Limits::default(), &stopwatch, &mut |_| {});
            Instant::now()
        });
        thread::sleep(think);
        let stopped = Instant::now();
        stopwatch.stop();
        search.join().expect("a search does not panic").saturating_duration_since(stopped)
    })
}
