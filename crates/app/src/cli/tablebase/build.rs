//! `crownhead tablebase build`: solves endgames by retrograde analysis and writes their tables.

use std::fs;
use std::num::NonZero;
use std::time::Instant;

use clap::Args;
use crownhead_tablebase::{Build as Job, COMPACT_FROM, MAX_DISTANCE_PIECES, MAX_PIECES, Progress, Tablebase};

use crate::cli::tables::Tables;
use crate::cli::{progress_bar, thread_count, threads};
use crate::stderr::tell;

/// Build tables of all positions with up to N pieces. An interrupted build resumes where it stopped.
#[derive(Args)]
pub(crate) struct Build {
    /// Total number of pieces, 2 to 8. 5 pieces take seconds, 6 minutes, 7 hours.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
    pieces: u32,
    /// Store distances to win for up to this many pieces, at most 5.
    #[arg(long, value_name = "N", default_value_t = MAX_DISTANCE_PIECES)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE_PIECES)))]
    distances: u32,
    #[command(flatten)]
    tables: Tables,
    /// Memory to use, in bytes or with a suffix K, M or G.
    #[arg(long, value_name = "BYTES", default_value = "8G", value_parser = memory)]
    memory: u64,
    /// Threads to use [default: one per core].
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZero<usize>>,
}

impl Build {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let started = Instant::now();
        let job = Job {
            folder: self.tables.folder()?,
            pieces: self.pieces,
            distances: self.distances,
            compact_from: COMPACT_FROM,
            memory: self.memory,
            threads: threads(self.threads),
        };
        let bar = progress_bar(job.positions());
        job.run(&|progress| match progress {
            Progress::Found(positions) => {
                bar.inc(positions);
                // Slices that were built earlier say nothing about the speed of this run.
                bar.reset_eta();
            }
            Progress::Slice(material) => {
                bar.set_message(format!("{} pieces, slice {material}", material.pieces()));
            }
            Progress::Done(positions) => bar.inc(positions),
        })?;
        bar.finish_and_clear();
        let (tables, _) = Tablebase::empty().with_folder(&job.folder);
        let sizes = fs::read_dir(&job.folder)?.filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()));
        tell(format_args!(
            "tables of up to {} pieces, with distances up to {}, are in {}: {:.1} MB; {:.1} s",
            tables.max_pieces(),
            tables.max_distance_pieces(),
            job.folder.display(),
            sizes.sum::<u64>() as f64 / 1e6,
            started.elapsed().as_secs_f64()
        ));
        Ok(())
    }
}

/// Parses `8G`, `512M`, `100000K` or a plain number of bytes.
fn memory(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.strip_suffix(['G', 'g', 'M', 'm', 'K', 'k']) {
        Some(digits) => (
            digits,
            match text.as_bytes()[digits.len()].to_ascii_uppercase() {
                b'G' => 30,
                b'M' => 20,
                _ => 10,
            },
        ),
        None => (text, 0),
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| "expected a number of bytes, as in 8G, 512M or 1000000000".into())
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn memory_is_read_with_its_unit() {
        assert_eq!(memory("8G"), Ok(8 << 30));
        assert_eq!(memory("512m"), Ok(512 << 20));
        assert_eq!(memory("3K"), Ok(3072));
        assert_eq!(memory("12345"), Ok(12345));
        for wrong in ["", "G", "8T", "-1", "8.5G", "99999999999G", "8 G", "é"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
