//! Endgame tables as the search sees them.

use crownhead_rules::Position;
use crownhead_tablebase::{Tablebase, Wdl};

use crate::score::Score;

/// What a table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeResult {
    /// The side to move wins, in so many plies if the table says.
    Win(Option<u32>),
    /// The side to move loses, in so many plies if the table says.
    Loss(Option<u32>),
    /// Neither can win.
    Draw,
}

impl ProbeResult {
    /// Does it lack the way there: a draw, or an end at an unknown distance?
    pub(crate) fn lacks_distance(self) -> bool {
        !matches!(self, ProbeResult::Win(Some(_)) | ProbeResult::Loss(Some(_)))
    }

    fn without_distance(self) -> ProbeResult {
        match self {
            ProbeResult::Win(_) => ProbeResult::Win(None),
            ProbeResult::Loss(_) => ProbeResult::Loss(None),
            ProbeResult::Draw => ProbeResult::Draw,
        }
    }

    /// The value for the side to move, so many plies from the root.
    #[inline]
    pub(crate) fn score(self, ply: usize) -> Score {
        match self {
            ProbeResult::Win(Some(plies)) => Score::win_in(ply as u32 + plies),
            ProbeResult::Loss(Some(plies)) => Score::loss_in(ply as u32 + plies),
            ProbeResult::Win(None) => Score::tablebase_win(ply),
            ProbeResult::Loss(None) => -Score::tablebase_win(ply),
            ProbeResult::Draw => Score::DRAW,
        }
    }
}

/// Somebody who knows the exact value of positions with few pieces.
pub trait Probe: Send + Sync {
    /// Positions with more pieces than this are not worth asking about.
    fn max_pieces(&self) -> u32;

    /// The value for the side to move, if it is known.
    fn probe(&self, position: &Position) -> Option<ProbeResult>;
}

/// The part of some tables that comes with every build. Who asks only this plays the same game whether there are larger
/// ones or not.
pub(crate) struct EmbeddedOnly<'a>(pub(crate) &'a dyn Probe);

/// Every build has tables of so many pieces,
const EMBEDDED_PIECES: u32 = 4;
/// and the distances of so many.
const EMBEDDED_DTW_PIECES: u32 = 3;

impl Probe for EmbeddedOnly<'_> {
    fn max_pieces(&self) -> u32 {
        self.0.max_pieces().min(EMBEDDED_PIECES)
    }

    fn probe(&self, position: &Position) -> Option<ProbeResult> {
        let pieces = position.occupied().len();
        if pieces > EMBEDDED_PIECES {
            return None;
        }
        let known = self.0.probe(position)?;
        Some(if pieces > EMBEDDED_DTW_PIECES { known.without_distance() } else { known })
    }
}

impl Probe for Tablebase {
    fn max_pieces(&self) -> u32 {
        self.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<ProbeResult> {
        Some(match Tablebase::probe(self, position)? {
            Wdl::Win => ProbeResult::Win(self.distance(position)),
            Wdl::Loss => ProbeResult::Loss(self.distance(position)),
            Wdl::Draw => ProbeResult::Draw,
        })
    }
}
