//! `crownhead book`: builds the opening book that ships with the engine.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use crownhead_engine::{BookBuilder, Engine, Stopwatch};

use super::{nodes, progress, wrong_usage};
use crate::atomic_file::AtomicFile;

/// Build an opening book from the engine's own analysis.
#[derive(Args)]
pub(crate) struct Book {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Nodes to search for each position of the book.
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = nodes)]
    nodes: u64,
    /// Plies of the book from the start position.
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    free_plies: usize,
    /// Plies of the book after a three-move ballot.
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    ballot_plies: usize,
}

impl Book {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Book { nodes, free_plies, ballot_plies, .. } = self;
        if free_plies == 0 && ballot_plies == 0 {
            return Err(wrong_usage(
                "book",
                "a book without any plies is empty; give --free-plies or --ballot-plies",
            ));
        }
        // A folder that cannot be written to is reported before the work, not after.
        AtomicFile::check(&self.out)?;
        let mut engine = Engine::new(Engine::PAGE_HASH_BYTES)?;
        let bar = progress::bar(1, "{elapsed_precise} {bar:30} {pos}/{len} positions");
        let builder = BookBuilder { nodes, free_plies, ballot_plies };
        let book = builder.build(&mut engine, &Stopwatch::start(), &mut |done, waiting| {
            bar.set_length((done + waiting) as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let origin = format!(
            "crownhead book --nodes {nodes} --free-plies {free_plies} --ballot-plies {ballot_plies}, \
             signature {}",
            crownhead_engine::bench(&Stopwatch::start())?.nodes
        );
        AtomicFile::write(&self.out, book.to_text(&origin))?;
        let plural = if book.len() == 1 { "" } else { "s" };
        writeln!(io::stdout(), "{} position{plural} in {}", book.len(), self.out.display())?;
        Ok(())
    }
}
