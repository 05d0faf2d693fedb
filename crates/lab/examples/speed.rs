//! How many positions a second the search looks at, and how many more with two threads.
//!
//! Usage: speed. The best of several runs counts, since whatever else the machine does can only take away; too few are a
//! failure, so that this is for a machine at rest.

use std::process::ExitCode;
use std::time::Duration;

use crownhead_engine::{Engine, EngineError, Evaluation, Limits, bench_with};
use crownhead_lab::Stopwatch;
use crownhead_rules::{History, Rulebook};

const RUNS: usize = 6;
/// Million positions a second on one thread.
const LEAST_SPEED: f64 = 3.0;
/// How many times as many with two threads.
const LEAST_GAIN: f64 = 1.7;
/// The time of a search with threads.
const TIME: Duration = Duration::from_secs(2);

fn main() -> Result<ExitCode, EngineError> {
    let [mut learned, mut hand, mut one, mut two] = [0.0; 4];
    for _ in 0..RUNS {
        learned = f64::max(learned, speed(Evaluation::default())?);
        hand = f64::max(hand, speed(Evaluation::Handcrafted)?);
        one = f64::max(one, nodes(1)?);
        two = f64::max(two, nodes(2)?);
    }
    let gain = two / one;
    println!("the best of {RUNS} runs, million positions a second on one thread:");
    println!("learned evaluation {learned:.2}, evaluation by hand {hand:.2} ({LEAST_SPEED} asked)");
    println!("two threads: {gain:.2} times the positions of one ({LEAST_GAIN} asked)");
    let enough = learned >= LEAST_SPEED && hand >= LEAST_SPEED && gain >= LEAST_GAIN;
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Million positions a second over the positions of the bench.
fn speed(evaluation: Evaluation) -> Result<f64, EngineError> {
    let bench = bench_with(evaluation, &Stopwatch::start())?;
    Ok(bench.nodes as f64 / bench.time.as_secs_f64() / 1e6)
}

/// The positions that so many threads look at from the start in a given time.
fn nodes(threads: usize) -> Result<f64, EngineError> {
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_threads(threads);
    let (start, limits) = (History::default(), Limits::move_time(TIME));
    let found = engine.search(&start, &Rulebook::default(), &limits, &Stopwatch::start(), &mut |_| {});
    Ok(found.expect("there is a move").nodes as f64)
}
