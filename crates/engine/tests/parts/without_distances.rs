//! Tables that know who wins, but not how.

use crownhead_engine::{Known, Probe};
use crownhead_rules::Position;
use crownhead_tablebase::{Tablebase, Wdl};

/// The same tables without their distances.
pub(crate) struct WithoutDistances(pub(crate) Tablebase);

impl Probe for WithoutDistances {
    fn most_pieces(&self) -> u32 {
        self.0.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<Known> {
        Some(match self.0.probe(position)? {
            Wdl::Win => Known::Win(None),
            Wdl::Loss => Known::Loss(None),
            Wdl::Draw => Known::Draw,
        })
    }
}
