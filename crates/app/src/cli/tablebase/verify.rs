//! `crownhead tablebase verify`: verifies that every tablebase value follows from its successors.

use std::num::NonZero;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use crownhead_tablebase::{Material, Tablebase};

use crate::cli::tables::Tables;
use crate::cli::{progress_bar, thread_count, threads};
use crate::stderr::tell;

/// Check the table files and re-derive every value from the positions its moves lead to.
#[derive(Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    tables: Tables,
    /// Check this many random positions instead of all.
    #[arg(long, value_name = "K")]
    sample: Option<u64>,
    /// Seed of the random sample.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Threads to use [default: one per core].
    #[arg(long, value_name = "N", conflicts_with = "sample", value_parser = thread_count)]
    threads: Option<NonZero<usize>>,
}

impl Verify {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let started = Instant::now();
        self.tables.check()?;
        let (tables, complaints) = Tablebase::embedded().with_folder(&self.tables.folder()?);
        for complaint in &complaints {
            tell(format_args!("crownhead: {complaint}"));
        }
        let all = (2..=tables.max_pieces()).map(Material::positions).sum();
        let positions = self.sample.unwrap_or(all);
        let bar = progress_bar(positions);
        let result = match self.sample {
            Some(count) => tables.verify_sample(count, self.seed, &|done| bar.inc(done)),
            None => tables.verify(threads(self.threads).get(), &|done| bar.inc(done)),
        };
        bar.finish_and_clear();
        result?;
        let kind = if self.sample.is_some() { "positions by chance" } else { "positions" };
        tell(format_args!(
            "{positions} {kind} of up to {} pieces are right, distances of up to {}; {:.1} s",
            tables.max_pieces(),
            tables.max_distance_pieces(),
            started.elapsed().as_secs_f64()
        ));
        ensure!(complaints.is_empty(), "{} files cannot be used, see above", complaints.len());
        Ok(())
    }
}
