//! The result of a search: one or more PV lines (multi-PV), depth, seldepth, nodes and time.

use core::time::Duration;

use crownhead_rules::{Move, Position};

use crate::score::Score;
use crate::tablebase::Probe;

/// The result of a search, final or so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The principal variations, the best first. Never empty.
    pub lines: Vec<PvLine>,
    /// The last complete depth, in plies.
    pub depth: u32,
    /// The selective depth: the length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Positions whose score came from the tablebase.
    pub tablebase_hits: u64,
}

/// A principal variation and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvLine {
    /// The score for the side to move.
    pub score: Score,
    /// The moves, the one to play first. Never empty.
    pub moves: Vec<Move>,
}

impl PvLine {
    /// The line, continued to the end of the game by a tablebase with distances. A search stops where the tablebase
    /// begins, but a reader wants to see the rest.
    pub fn played_out(&self, from: &Position, tablebase: &dyn Probe) -> PvLine {
        let mut moves = self.moves.clone();
        let mut position = moves.iter().fold(*from, |position, &mv| position.play_unchecked(mv));
        while let Some(mv) = next_move(&position, tablebase) {
            moves.push(mv);
            position = position.play_unchecked(mv);
        }
        PvLine { score: self.score, moves }
    }
}

/// A best move by the tablebase, if it knows the distance: the end is one ply nearer after it.
fn next_move(position: &Position, tablebase: &dyn Probe) -> Option<Move> {
    let value = |position: &Position| {
        let known = position.occupied().len() <= tablebase.max_pieces();
        known.then(|| tablebase.probe(position)).flatten().filter(|known| !known.lacks_distance())
    };
    let best = value(position)?.score(0);
    let keeps = |mv: &Move| value(&position.play_unchecked(*mv)).is_some_and(|known| -known.score(1) == best);
    position.distinct_moves().iter().copied().find(keeps)
}

impl SearchResult {
    /// The best move.
    pub fn best(&self) -> Move {
        self.lines[0].moves[0]
    }

    /// The score of the position for the side to move.
    pub fn score(&self) -> Score {
        self.lines[0].score
    }

    /// The principal variation, the best move first.
    pub fn pv(&self) -> &[Move] {
        &self.lines[0].moves
    }

    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::ScoreKind;
    use crate::{Engine, Limits, Timeless};
    use crownhead_rules::{History, Rulebook};
    use crownhead_tablebase::Tablebase;
    use std::sync::Arc;

    /// The PV of a position as the search returns it and as the tablebase continues it.
    fn lines(fen: &str, tablebase: &Tablebase) -> [PvLine; 2] {
        let position = fen.parse().unwrap();
        let mut engine = Engine::new(1 << 16).unwrap();
        engine.set_tablebase(Some(Arc::new(tablebase.clone())));
        let limits = Limits::nodes(20_000);
        let found =
            engine.search(&History::new(position), &Rulebook::default(), &limits, &Timeless, &mut |_| {});
        let line = found.unwrap().lines.remove(0);
        let whole = line.played_out(&position, tablebase);
        [line, whole]
    }

    #[test]
    fn a_line_into_the_tablebase_is_played_out_to_the_end() {
        let tablebase = Tablebase::embedded();
        for fen in ["W:WK18,K19:BK3", "B:WK18,K19:BK3", "W:WK18,K19,27:BK3,12"] {
            let [line, whole] = lines(fen, &tablebase);
            let (ScoreKind::Wins(Some(plies)) | ScoreKind::Loses(Some(plies))) = line.score.kind() else {
                panic!("{fen}: {line:?}")
            };
            assert_eq!(whole.moves.len(), plies as usize, "{fen}: {whole:?}");
            assert!(whole.moves.starts_with(&line.moves) && whole.score == line.score, "{fen}");
            let mut game = History::new(fen.parse().unwrap());
            for &mv in &whole.moves {
                assert!(game.position().moves().contains(&mv), "{fen}: {mv} is legal");
                game.push_unchecked(mv);
            }
            assert!(!game.position().has_move(), "{fen}: the game is over");
        }
    }

    #[test]
    fn a_line_without_a_known_distance_stays_as_it_is() {
        let tablebase = Tablebase::embedded();
        let [line, whole] = lines("W:WK32:BK1", &tablebase);
        assert_eq!(line, whole, "a draw has no end");
        let won: Position = "W:WK18,K19:BK3".parse().unwrap();
        let won_line =
            PvLine { score: Score::tablebase_win(0), moves: vec![won.parse_move("18-22").unwrap()] };
        assert_eq!(
            won_line.played_out(&won, &tablebase.with_distances_up_to(2)),
            won_line,
            "no distance is known"
        );
        assert_eq!(won_line.played_out(&won, &tablebase).moves.len(), 7);
        let [line, whole] = lines("B:W21-32:B1-12", &tablebase);
        assert_eq!(line, whole, "far from the tablebase");
    }
}
