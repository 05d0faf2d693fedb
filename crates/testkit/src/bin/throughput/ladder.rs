//! A load that rises in steps, in turn for both servers, until each has missed two steps in a row.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crownhead_testkit::{ServerProcess, generous_limits, load, serve};
use tokio::time::timeout;

/// A server has reached its limit after this many missed steps in a row.
const MISSES: usize = 2;
/// Games that cannot be started in this time are too many.
const OPENING: Duration = Duration::from_secs(240);
/// Moves that take this much longer than the time of a step are too many.
const OVERTIME: Duration = Duration::from_secs(60);

/// A server to be measured.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
}

impl Contender {
    pub(crate) fn start(&self, database: &[&str]) -> anyhow::Result<ServerProcess> {
        let mut command = serve(&self.program, 0);
        command.args(generous_limits(&self.program)?).args(database);
        // A log to a terminal would be part of the measurement.
        let log = std::env::temp_dir().join(format!("crownhead-throughput-{}.log", self.name));
        ServerProcess::start(command.stderr(Stdio::from(std::fs::File::create(log)?)))
    }
}

/// The result of a server under a load.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    pub(crate) games: usize,
    pub(crate) moves_per_second: f64,
    /// `None` if the server failed under the load.
    pub(crate) p99: Option<Duration>,
    pub(crate) outages: usize,
}

impl Step {
    /// Measures a server with this many games, each with one move per second.
    pub(crate) async fn measure(
        server: &ServerProcess,
        games: usize,
        seconds: usize,
    ) -> anyhow::Result<Step> {
        let missed = Step { games, ..Step::default() };
        let began = Instant::now();
        let pairs = match timeout(OPENING, load::open(server.address, games)).await {
            Ok(Ok(pairs)) => pairs,
            Ok(Err(error)) => {
                println!("    {games} games cannot be begun: {error:#}");
                return Ok(missed);
            }
            Err(_) => {
                println!("    {games} games cannot be begun in {OPENING:?}");
                return Ok(missed);
            }
        };
        let (opened, began) = (began.elapsed(), Instant::now());
        let time = Duration::from_secs(seconds as u64);
        let latencies = match timeout(time + OVERTIME, load::play(pairs, seconds)).await {
            Ok(Ok(latencies)) => latencies,
            failed => {
                let why = failed.map_or("too slow".to_owned(), |played| format!("{:#}", played.unwrap_err()));
                println!("    {games} games cannot be played: {why}");
                return Ok(missed);
            }
        };
        // Starts are spread over the first second, so a run takes at least this long.
        let took = began.elapsed().max(time);
        let moves_per_second = latencies.count() as f64 / took.as_secs_f64();
        println!("    {games} games: {moves_per_second:.0} moves/s, {latencies}; begun in {opened:.1?}");
        Ok(Step { games, moves_per_second, p99: Some(latencies.at(0.99)), outages: 0 })
    }
}

/// The highest step that each server sustains.
pub(crate) async fn climb(
    contenders: &[Contender; 2],
    steps: &[usize],
    longest: Duration,
    seconds: usize,
    mut measure: impl AsyncFnMut(&Contender, usize) -> anyhow::Result<Step>,
) -> anyhow::Result<[Step; 2]> {
    let (mut best, mut missed) = ([Step::default(); 2], [0; 2]);
    for &games in steps {
        for (number, contender) in contenders.iter().enumerate() {
            if missed[number] >= MISSES {
                continue;
            }
            println!("  {}, {games} games for {seconds} s:", contender.name);
            let step = measure(contender, games).await?;
            if step.p99.is_some_and(|p99| p99 < longest) {
                (best[number], missed[number]) = (step, 0);
            } else {
                missed[number] += 1;
            }
        }
    }
    for (step, contender) in best.iter().zip(contenders) {
        let Step { games, moves_per_second, p99, outages } = step;
        let p99 = p99.unwrap_or_default();
        println!(
            "  {} holds {games} games with p99 under {longest:?}: {moves_per_second:.0} moves/s, p99 {p99:.1?}, {outages} \
             outages",
            contender.name
        );
    }
    Ok(best)
}
