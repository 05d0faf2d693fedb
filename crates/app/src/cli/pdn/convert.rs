//! `crownhead pdn convert`: rewrites a PDN file as PDN 3.0.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::{Found, read_file};
use crate::atomic_file::AtomicFile;

/// Rewrite the games of a file as PDN 3.0, with their comments and variations.
///
/// Problems in the file are reported on stderr. The output file is replaced only at the end, so it may be the input
/// file.
#[derive(Args)]
pub(crate) struct Convert {
    /// The PDN file to read.
    file: PathBuf,
    /// The PDN file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = AtomicFile::create(&self.out)?;
        let mut separator = "";
        let mut tally = read_file(&self.file, |found| match found {
            Found::Oddity(oddity) => Ok(writeln!(io::stderr(), "{oddity}")?),
            Found::Game(game) => {
                write!(out, "{separator}{game}")?;
                separator = "\n";
                Ok(())
            }
        })?;
        if let Some(failure) = tally.failure.take() {
            return Err(failure);
        }
        if tally.games == 0 {
            bail!("there is no game in {}, so nothing was written", self.file.display());
        }
        out.commit()?;
        writeln!(io::stderr(), "{}: {tally}", self.out.display())?;
        Ok(())
    }
}
