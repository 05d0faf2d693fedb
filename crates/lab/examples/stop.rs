//! How long the engine takes to obey a stop, with one thread and with two.
//!
//! Usage: stop [STOPS]. The largest delay is printed; more than 5 ms in any of them is a failure, so that this is for
//! a machine at rest.

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use crownhead_engine::{Dice, Engine, Limits};
use crownhead_lab::Stopwatch;
use crownhead_rules::{Class, History, Opening, Rulebook};

const ALLOWED: Duration = Duration::from_millis(5);
const SEED: u64 = 8532;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let stops: usize = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let mut dice = Dice::new(SEED);
    let games: Vec<History> = Opening::of_class(Class::Crossboard).map(Opening::history).collect();
    let mut all_obeyed = true;
    for threads in [1, 2] {
        let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
        engine.set_threads(threads);
        let mut delays: Vec<Duration> = (0..stops)
            .map(|_| delay(&mut engine, dice.pick(&games), Duration::from_millis(5 + dice.below(60))))
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
