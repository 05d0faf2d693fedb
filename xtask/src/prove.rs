//! The long proofs, each with a short form among the tests.

mod endings;
mod fuzz;
mod perft;
mod tablebase;
mod twin;

use clap::ValueEnum;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Proof {
    /// A thousand won endings of 5 and of 6 pieces, played out.
    Endings,
    /// Ten minutes of random bytes against FEN, move text and game files each.
    Fuzz,
    /// The published count of lines at depth 12, with the last move counted and with it made.
    Perft,
    /// The move generator against its slow twin on twenty million fresh positions.
    Twin,
    /// Tables of 5 pieces: builds that are killed again and again, and every value derived anew.
    Tablebase,
}

impl Proof {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Proof::Endings => endings::prove(),
            Proof::Fuzz => fuzz::prove(),
            Proof::Perft => perft::prove(),
            Proof::Twin => twin::prove(),
            Proof::Tablebase => tablebase::prove(),
        }
    }
}
