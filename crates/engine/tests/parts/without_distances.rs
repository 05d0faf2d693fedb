//! A tablebase with WDL values only, as a test double.

use crownhead_engine::{Probe, ProbeResult};
use crownhead_rules::Position;
use crownhead_tablebase::{Tablebase, Wdl};

/// The same tables without their distances.
pub(crate) struct WithoutDistances(pub(crate) Tablebase);

impl Probe for WithoutDistances {
    fn max_pieces(&self) -> u32 {
        self.0.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<ProbeResult> {
        Some(match self.0.probe(position)? {
            Wdl::Win => ProbeResult::Win(None),
            Wdl::Loss => ProbeResult::Loss(None),
            Wdl::Draw => ProbeResult::Draw,
        })
    }
}
