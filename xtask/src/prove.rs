//! The long proofs, each with a short form among the tests.

mod endings;
mod engine;
mod fuzz;
mod online;
mod perft;
mod publish;
mod tablebase;
mod twin;

use std::path::Path;

use clap::ValueEnum;

use crate::page;
use crate::steps::build;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Proof {
    /// The description of the server's API against the server, 1,000 questions for each address.
    Api,
    /// The licences and the sources of all dependencies.
    Deny,
    /// A thousand won endings of 5 and of 6 pieces and a thousand drawn ones, played out.
    Endings,
    /// Full disks, pauses, stalled databases and steps of the wall clock under games over a link. Takes Linux and root.
    Faults,
    /// One address against the server: sockets that never read, rematches without end, unknown games.
    Flood,
    /// Ten minutes of random bytes against FEN, move text and game files each.
    Fuzz,
    /// Lighthouse, and how fast the page, its worker and the server answer; the median of five each.
    Page,
    /// Two hundred kills of a server with games over a link, on each database.
    Kills,
    /// A thousand games over a link at once, beside a bare echo.
    Load,
    /// A hundred thousand hostile messages to a game over a link.
    Messages,
    /// Two hundred games over a link on a network that cuts, delays, doubles and disorders, on each database.
    Network,
    /// The published count of lines at depth 12, with the last move counted and with it made.
    Perft,
    /// The library crates as packages for crates.io, each built from its package alone.
    Publish,
    /// The moves a second that the server holds, beside those of an older program given with --file.
    Throughput,
    /// The move generator against its slow twin on twenty million fresh positions.
    Twin,
    /// The engine in the hands of pydraughts, 100 games.
    Hub,
    /// The engine's clock: 1,000 very short games on one that runs by nodes, 200 on the real one.
    Clock,
    /// How soon the engine stops when told to.
    Stop,
    /// Positions a second, and what a second thread adds.
    Speed,
    /// Two threads against one in 200 games.
    Threads,
    /// The search against what it began with.
    Baseline,
    /// Each level against the one below.
    Levels,
    /// The learned evaluation against the one written by hand, and ten thousand fast games without a false move.
    Strength,
    /// The studies and decisive games of a file, given with --file.
    Studies,
    /// Tables of 5 pieces: builds that are killed again and again, and every value derived anew.
    Tablebase,
}

impl Proof {
    pub(crate) fn run(self, file: Option<&Path>) -> anyhow::Result<()> {
        match self {
            Proof::Api => build().and_then(|()| crate::api::test(1_000)),
            Proof::Deny => publish::prove_deny(),
            Proof::Endings => endings::prove(),
            Proof::Faults => online::prove_faults(),
            Proof::Flood => online::prove_flood(),
            Proof::Fuzz => fuzz::prove(),
            Proof::Page => page::figures(),
            Proof::Kills => online::prove_kills(),
            Proof::Load => online::prove_load(),
            Proof::Messages => online::prove_messages(),
            Proof::Network => online::prove_network(),
            Proof::Publish => publish::prove_publish(),
            Proof::Perft => perft::prove(),
            Proof::Throughput => online::prove_throughput(file),
            Proof::Twin => twin::prove(),
            Proof::Hub => build().and_then(|()| crate::hub::test(100)),
            Proof::Clock => engine::clock(),
            Proof::Stop => engine::stop(),
            Proof::Speed => engine::speed(),
            Proof::Threads => engine::threads(),
            Proof::Baseline => engine::baseline(),
            Proof::Levels => engine::levels(),
            Proof::Strength => engine::strength(),
            Proof::Studies => engine::studies(file),
            Proof::Tablebase => tablebase::prove(),
        }
    }
}
