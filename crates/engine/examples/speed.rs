//! Measures the speed of the search in nodes per second, and the gain from a second thread.
//!
//! Usage: speed. The best of several runs counts, since other load on the machine can only slow a run down. It fails
//! below the required speed or gain, so run it on an idle machine.

use std::process::ExitCode;
use std::time::Duration;

use crownhead_engine::Stopwatch;
use crownhead_engine::{Engine, EngineError, Evaluation, Limits, bench_with};
use crownhead_rules::{History, Rulebook};

const RUNS: usize = 6;
/// The lowest speed on one thread, in million nodes per second.
const MIN_SPEED: f64 = 3.0;
/// The smallest ratio of nodes with two threads to nodes with one.
const MIN_GAIN: f64 = 1.7;
/// The time of each search that compares one thread with two.
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
    println!("the best of {RUNS} runs, million nodes a second on one thread:");
    println!("learned evaluation {learned:.2}, hand-written evaluation {hand:.2} ({MIN_SPEED} required)");
    println!("two threads: {gain:.2} times the nodes of one ({MIN_GAIN} required)");
    let enough = learned >= MIN_SPEED && hand >= MIN_SPEED && gain >= MIN_GAIN;
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The speed over the positions of the bench, in million nodes per second.
fn speed(evaluation: Evaluation) -> Result<f64, EngineError> {
    let bench = bench_with(evaluation, &Stopwatch::start())?;
    Ok(bench.nodes as f64 / bench.time.as_secs_f64() / 1e6)
}

/// The nodes that this many threads search from the start position in [`TIME`].
fn nodes(threads: usize) -> Result<f64, EngineError> {
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_threads(threads);
    let (start, limits) = (History::default(), Limits::move_time(TIME));
    let found = engine.search(&start, &Rulebook::default(), &limits, &Stopwatch::start(), &mut |_| {});
    Ok(found.expect("there is a move").nodes as f64)
}
