//! Endgame tables as the search sees them.

use crownhead_rules::Position;
use crownhead_tablebase::{Tablebase, Wdl};

use crate::score::Score;

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

impl Known {
    /// Does it lack the way there: a draw, or an end at an unknown distance?
    pub(crate) fn is_distant(self) -> bool {
        !matches!(self, Known::Win(Some(_)) | Known::Loss(Some(_)))
    }

    fn without_distance(self) -> Known {
        match self {
            Known::Win(_) => Known::Win(None),
            Known::Loss(_) => Known::Loss(None),
            Known::Draw => Known::Draw,
        }
    }

    /// The value for the side to move, so many plies from the root.
    #[inline]
    pub(crate) fn score(self, ply: usize) -> Score {
        match self {
            Known::Win(Some(plies)) => Score::win_in(ply as u32 + plies),
            Known::Loss(Some(plies)) => Score::loss_in(ply as u32 + plies),
            Known::Win(None) => Score::table_win(ply),
            Known::Loss(None) => -Score::table_win(ply),
            Known::Draw => Score::DRAW,
        }
    }
}

/// Somebody who knows the exact value of positions with few pieces.
pub trait Probe: Send + Sync {
    /// Positions with more pieces than this are not worth asking about.
    fn most_pieces(&self) -> u32;

    /// The value for the side to move, if it is known.
    fn probe(&self, position: &Position) -> Option<Known>;
}

/// The part of some tables that comes with every build. Who asks only this plays the same game whether there are larger
/// ones or not.
pub(crate) struct Common<'a>(pub(crate) &'a dyn Probe);

/// Every build has tables of so many pieces,
const COMMON_PIECES: u32 = 4;
/// and the distances of so many.
const COMMON_DISTANCES: u32 = 3;

impl Probe for Common<'_> {
    fn most_pieces(&self) -> u32 {
        self.0.most_pieces().min(COMMON_PIECES)
    }

    fn probe(&self, position: &Position) -> Option<Known> {
        let pieces = position.occupied().len();
        if pieces > COMMON_PIECES {
            return None;
        }
        let known = self.0.probe(position)?;
        Some(if pieces > COMMON_DISTANCES { known.without_distance() } else { known })
    }
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
