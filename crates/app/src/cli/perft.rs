//! `crownhead perft`: counts the leaf nodes of the move tree to a depth (perft), in parallel.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use crownhead_rules::perft::{PerftCount, perft, perft_no_bulk};
use crownhead_rules::{Move, Position};
use serde::Serialize;

/// Depths beyond this cannot be counted in 64 bits, nor in a lifetime.
const MAX_DEPTH: i64 = 28;

/// Count all move sequences to a given depth and measure the speed.
#[derive(Args)]
pub(crate) struct Perft {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    depth: u32,
    /// The position to start from.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Show the count for each first move.
    #[arg(long)]
    divide: bool,
    /// Threads to use [default: one per core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Play out the last move of each line instead of counting moves in bulk, and print a checksum of all leaf
    /// positions.
    #[arg(long)]
    no_bulk: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let position = match &self.fen {
            Some(fen) => fen.parse().context("cannot read the FEN")?,
            None => Position::start(),
        };
        let report = self.count(&position);
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            report.print(&mut out)?;
        }
        Ok(())
    }

    fn count(&self, position: &Position) -> Report {
        let started = Instant::now();
        let by_move = if self.depth == 0 { Vec::new() } else { self.by_first_move(position) };
        let mut total = if self.depth == 0 { self.below(position, 0) } else { PerftCount::default() };
        for &(_, tally) in &by_move {
            total += tally;
        }
        let seconds = started.elapsed().as_secs_f64();
        Report {
            fen: position.to_string(),
            depth: self.depth,
            nodes: total.nodes,
            seconds,
            nps: (total.nodes as f64 / seconds.max(1e-9)) as u64,
            divide: self
                .divide
                .then(|| by_move.iter().map(|(mv, tally)| (mv.to_string(), tally.nodes)).collect()),
            checksum: self.no_bulk.then(|| format!("{:016x}", total.checksum)),
        }
    }

    /// The count for each first move. Threads take small subtrees from a shared list, so that none of them idles.
    fn by_first_move(&self, position: &Position) -> Vec<(Move, PerftCount)> {
        let moves = position.moves();
        let split = self.depth.min(3) - 1;
        let pile: Vec<(usize, Position)> = moves
            .iter()
            .enumerate()
            .flat_map(|(first, &mv)| {
                positions_after(position.play_unchecked(mv), split).into_iter().map(move |p| (first, p))
            })
            .collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut tallies = vec![PerftCount::default(); moves.len()];
            while let Some((first, position)) = pile.get(next.fetch_add(1, Ordering::Relaxed)) {
                tallies[*first] += self.below(position, self.depth - 1 - split);
            }
            tallies
        };
        let threads = self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let threads = threads.min(pile.len().max(1));
        let mut sums = vec![PerftCount::default(); moves.len()];
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                let tallies = worker.join().expect("counting does not panic");
                sums.iter_mut().zip(tallies).for_each(|(sum, tally)| *sum += tally);
            }
        });
        moves.into_iter().zip(sums).collect()
    }

    fn below(&self, position: &Position, depth: u32) -> PerftCount {
        if self.no_bulk {
            perft_no_bulk(position, depth)
        } else {
            PerftCount { nodes: perft(position, depth), checksum: 0 }
        }
    }
}

fn positions_after(position: Position, plies: u32) -> Vec<Position> {
    (0..plies).fold(vec![position], |positions, _| {
        positions
            .iter()
            .flat_map(|position| position.moves().into_iter().map(|mv| position.play_unchecked(mv)))
            .collect()
    })
}

impl Report {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for (mv, nodes) in self.divide.iter().flatten() {
            writeln!(out, "{mv:>8} {nodes}")?;
        }
        writeln!(out, "perft({}) = {} from {}", self.depth, self.nodes, self.fen)?;
        if let Some(checksum) = &self.checksum {
            writeln!(out, "checksum {checksum}")?;
        }
        writeln!(out, "{:.3} s, {:.1} million a second", self.seconds, self.nps as f64 / 1e6)
    }
}
