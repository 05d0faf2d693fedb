//! What a search comes back with.

use core::time::Duration;

use crownhead_rules::{Move, Position};

use crate::score::Score;
use crate::tablebase::Probe;

/// What a search found, or has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best moves with the play that follows, the best first. Never empty.
    pub lines: Vec<PvLine>,
    /// Plies that were searched in full.
    pub depth: u32,
    /// Plies to the end of the longest line that was looked at.
    pub seldepth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Positions whose value came from endgame tablebase.
    pub tablebase_hits: u64,
}

/// A move, what it is worth, and how play goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvLine {
    /// The value for the side to move.
    pub score: Score,
    /// The moves, the one to play first. Never empty.
    pub moves: Vec<Move>,
}

impl PvLine {
    /// The line from a position, carried on to the end of the game by tables that know how far off it is. A search stops
    /// where the tables begin; who reads the line wants to see the rest.
    pub fn played_out(&self, from: &Position, tablebase: &dyn Probe) -> PvLine {
        let mut moves = self.moves.clone();
        let mut position = moves.iter().fold(*from, |position, &mv| position.after(mv));
        while let Some(mv) = next_move(&position, tablebase) {
            moves.push(mv);
            position = position.after(mv);
        }
        PvLine { score: self.score, moves }
    }
}

/// A move that is as good as the tables say, if they know the distance: the end is one ply nearer after it.
fn next_move(position: &Position, tablebase: &dyn Probe) -> Option<Move> {
    let value = |position: &Position| {
        let known = position.occupied().len() <= tablebase.max_pieces();
        known.then(|| tablebase.probe(position)).flatten().filter(|known| !known.lacks_distance())
    };
    let due = value(position)?.score(0);
    let keeps = |mv: &Move| value(&position.after(*mv)).is_some_and(|known| -known.score(1) == due);
    position.distinct_moves().iter().copied().find(keeps)
}

impl SearchResult {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::ScoreKind;
    use crate::{Engine, Limits, Timeless};
    use crownhead_rules::{History, Rulebook};
    use crownhead_tablebase::Tablebase;
    use std::sync::Arc;

    /// The best line of a position, with the tables of every build, and as they carry it on.
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
    fn a_line_into_the_tables_is_played_out_to_the_end() {
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
                game.push(mv);
            }
            assert!(!game.position().has_move(), "{fen}: the game is over");
        }
    }

    #[test]
    fn a_line_is_left_as_it_is_where_no_distance_is_known() {
        let tablebase = Tablebase::embedded();
        let [line, whole] = lines("W:WK32:BK1", &tablebase);
        assert_eq!(line, whole, "a draw has no end");
        let won: Position = "W:WK18,K19:BK3".parse().unwrap();
        let promised =
            PvLine { score: Score::tablebase_win(0), moves: vec![won.parse_move("18-22").unwrap()] };
        assert_eq!(
            promised.played_out(&won, &tablebase.with_distances_up_to(2)),
            promised,
            "nobody knows the way"
        );
        assert_eq!(promised.played_out(&won, &tablebase).moves.len(), 7);
        let [line, whole] = lines("B:W21-32:B1-12", &tablebase);
        assert_eq!(line, whole, "far from the tables");
    }
}
