//! The interface between the search and the endgame tablebase: probes and their scores.

use crownhead_rules::Position;
use crownhead_tablebase::{Tablebase, Wdl};

use crate::score::Score;

/// The value of a position in the tablebase: WDL, with the distance to win (DTW) where it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeResult {
    /// The side to move wins; the distance in plies, if known.
    Win(Option<u32>),
    /// The side to move loses; the distance in plies, if known.
    Loss(Option<u32>),
    /// Neither side can win.
    Draw,
}

impl ProbeResult {
    /// Is it a draw, or a win or loss of unknown distance?
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

    /// The score for the side to move, `ply` plies from the root.
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

/// A source of exact values for positions with few pieces.
pub trait Probe: Send + Sync {
    /// Positions with more pieces than this have no value.
    fn max_pieces(&self) -> u32;

    /// The value for the side to move, if known.
    fn probe(&self, position: &Position) -> Option<ProbeResult>;
}

/// The embedded part of a tablebase. A player restricted to it plays the same game whether larger tables are installed
/// or not.
pub(crate) struct EmbeddedOnly<'a>(pub(crate) &'a dyn Probe);

/// Every build embeds WDL tables of up to this many pieces,
const EMBEDDED_PIECES: u32 = 4;
/// and, in the browser, distances of up to this many.
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
