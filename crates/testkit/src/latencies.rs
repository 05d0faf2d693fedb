//! Latencies, sorted, with their percentiles.

use std::fmt;
use std::time::Duration;

use tokio::task::JoinSet;

/// All latencies, the shortest first.
#[derive(Clone, Debug)]
pub struct Latencies(Vec<Duration>);

impl Latencies {
    /// The latencies of many tasks together.
    ///
    /// # Errors
    /// If a task failed.
    pub async fn of(mut tasks: JoinSet<anyhow::Result<Vec<Duration>>>) -> anyhow::Result<Latencies> {
        let mut all = Vec::new();
        while let Some(latencies) = tasks.join_next().await {
            all.extend(latencies??);
        }
        all.sort_unstable();
        Ok(Latencies(all))
    }

    /// The number of latencies.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The percentile: the time that this part of them (0 to 1) does not exceed.
    pub fn at(&self, part: f64) -> Duration {
        let place = (self.0.len() as f64 * part) as usize;
        self.0.get(place).or(self.0.last()).copied().unwrap_or_default()
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let millis = |part| self.at(part).as_secs_f64() * 1_000.0;
        let (median, p99, longest) = (millis(0.5), millis(0.99), millis(1.0));
        write!(f, "{} times, median {median:.2} ms, p99 {p99:.2} ms, longest {longest:.2} ms", self.0.len())
    }
}
