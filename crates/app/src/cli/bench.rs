//! `crownhead bench`: prints the engine's node-count signature and its speed.

use std::io::{self, Write};

use clap::Args;
use crownhead_engine::Stopwatch;
use serde::Serialize;

/// Search fixed positions to a fixed depth. The node count is the engine's signature.
#[derive(Args)]
pub(crate) struct Bench {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    nodes: u64,
    seconds: f64,
    nps: u64,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let crownhead_engine::BenchResult { nodes, time } = crownhead_engine::bench(&Stopwatch::start())?;
        let seconds = time.as_secs_f64();
        let report = Report { nodes, seconds, nps: (nodes as f64 / seconds.max(1e-9)) as u64 };
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{nodes} nodes\n{seconds:.3} s, {:.2} million a second", report.nps as f64 / 1e6)?;
        }
        Ok(())
    }
}
