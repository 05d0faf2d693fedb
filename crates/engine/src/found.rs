//! What a search comes back with.

use core::time::Duration;

use crownhead_rules::Move;

use crate::score::Score;

/// What a search found, or has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best moves with the play that follows, the best first. Never empty.
    pub lines: Vec<Line>,
    /// Plies that were searched in full.
    pub depth: u32,
    /// Plies to the end of the longest line that was looked at.
    pub selective_depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Positions whose value came from endgame tables.
    pub table_hits: u64,
}

/// A move, what it is worth, and how play goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value for the side to move.
    pub score: Score,
    /// The moves, the one to play first. Never empty.
    pub moves: Vec<Move>,
}

impl Found {
    /// The best move.
    pub fn best(&self) -> Move {
        self.lines[0].moves[0]
    }

    /// The value of the position for the side to move.
    pub fn score(&self) -> Score {
        self.lines[0].score
    }

    /// The best line, the best move first.
    pub fn pv(&self) -> &[Move] {
        &self.lines[0].moves
    }

    /// Nodes a second, as far as time was measured.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
    }
}
