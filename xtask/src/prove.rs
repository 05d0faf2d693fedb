//! The long proofs, each with a short form among the tests.

mod perft;
mod twin;

use clap::ValueEnum;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Proof {
    /// The published count of lines at depth 12, with the last move counted and with it made.
    Perft,
    /// The move generator against its slow twin on twenty million fresh positions.
    Twin,
}

impl Proof {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Proof::Perft => perft::prove(),
            Proof::Twin => twin::prove(),
        }
    }
}
