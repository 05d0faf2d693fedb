//! The bench: a fixed search of fixed positions, whose node count is the signature of the engine.
//!
//! The count is the same on every machine, and only a change that is meant to alter the search may alter it.

use core::time::Duration;

use crownhead_rules::{History, Rulebook};

use crate::{Control, Engine, EngineError, Evaluation, Limits};

/// Openings, middle games and endings, from games that the engine played against itself.
const POSITIONS: &[&str] = &[
    "B:W21-32:B1-12",
    "W:W17,22-32:B1-4,6-13",
    "W:W18,21,23,24,26-32:B1-10,12",
    "B:W18,20,21,23,25-27,29-32:B1-8,10,11,14",
    "W:W19,21,22,25-27,29-32:B1-4,6,8,10,12,13,15",
    "B:W17,20,23,25,26,28,30-32:B2,3,5,7,8,11,12,14,16",
    "W:W15,22,24,27,30-32:B1,3,6,8,10,12,13",
    "B:W18,21,26,27,29,32:B2,5,9,11,12,20",
    "W:WK3,19,23,30:B5,13,K25,20",
    "B:WK10,K14,28:BK1,K32,12,20",
];

const DEPTH: u32 = 18;
const HASH_BYTES: usize = 16 << 20;

/// The result of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// The signature.
    pub nodes: u64,
    /// The time of the searches alone.
    pub time: Duration,
}

/// Runs the bench with one thread, without tablebase and book. `control` may stop it.
///
/// # Errors
/// If there is not enough memory for the transposition table.
pub fn bench(control: &dyn Control) -> Result<BenchResult, EngineError> {
    bench_with(Evaluation::default(), control)
}

/// The bench with another evaluation, which has another signature.
///
/// # Errors
/// If there is not enough memory for the transposition table.
pub fn bench_with(evaluation: Evaluation, control: &dyn Control) -> Result<BenchResult, EngineError> {
    let mut engine = Engine::new(HASH_BYTES)?;
    engine.set_evaluation(evaluation);
    let mut bench = BenchResult { nodes: 0, time: Duration::ZERO };
    for fen in POSITIONS {
        let game = History::new(fen.parse().expect("the positions are legal"));
        engine.clear();
        let found = engine.search(&game, &Rulebook::default(), &Limits::depth(DEPTH), control, &mut |_| {});
        let found = found.expect("the positions have moves");
        bench.nodes += found.nodes;
        bench.time += found.time;
    }
    Ok(bench)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timeless;

    /// The node count of the bench after the last change to the search.
    const SIGNATURE: u64 = 3_956_479;

    #[test]
    fn the_bench_signature_is_unchanged() {
        let nodes = bench(&Timeless).unwrap().nodes;
        assert_eq!(
            nodes, SIGNATURE,
            "if the change is meant to alter the search, write the new signature here"
        );
    }
}
