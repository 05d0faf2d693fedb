//! Endgame tables as the search sees them.

use crownhead_rules::Position;
use crownhead_tablebase::{Tablebase, Wdl};

/// What a table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// The side to move wins, in so many plies if the table says.
    Win(Option<u32>),
    /// The side to move loses, in so many plies if the table says.
    Loss(Option<u32>),
    /// Neither can win.
    Draw,
}

/// Somebody who knows the exact value of positions with few pieces.
pub trait Probe: Send + Sync {
    /// Positions with more pieces than this are not worth asking about.
    fn most_pieces(&self) -> u32;

    /// The value for the side to move, if it is known.
    fn probe(&self, position: &Position) -> Option<Known>;
}

impl Probe for Tablebase {
    fn most_pieces(&self) -> u32 {
        self.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<Known> {
        Some(match Tablebase::probe(self, position)? {
            Wdl::Win => Known::Win(self.distance(position)),
            Wdl::Loss => Known::Loss(self.distance(position)),
            Wdl::Draw => Known::Draw,
        })
    }
}
