//! The probe report: the value of a position and of each of its moves, as commands and servers show it.

use std::cmp::Reverse;

use crownhead_rules::Position;
use serde::Serialize;

use crate::Wdl;
use crate::tablebase::Tablebase;

/// The value of a position and of each of its moves. As JSON it is what `crownhead tablebase probe --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The FEN of the position.
    pub fen: String,
    /// The value for the side to move; `None` outside the tables.
    pub value: Option<Wdl>,
    /// The plies to the end with best play, if distances are known.
    pub plies: Option<u32>,
    /// All moves, the best first. `None` in a report without moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveReport>>,
}

/// The value of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The move in standard notation.
    #[serde(rename = "move")]
    pub text: String,
    /// The value after the move, for the side that makes it; `None` outside the tables.
    pub value: Option<Wdl>,
    /// The plies to the end, including this move.
    pub plies: Option<u32>,
}

impl Tablebase {
    /// The value of a position and of each of its moves.
    pub fn report(&self, position: &Position) -> Report {
        let mut moves: Vec<_> = position
            .distinct_moves()
            .into_iter()
            .map(|mv| {
                let after = position.play_unchecked(mv);
                MoveReport {
                    text: position.move_text(mv),
                    value: self.probe(&after).map(|value| -value),
                    plies: self.distance(&after).map(|plies| plies + 1),
                }
            })
            .collect();
        moves.sort_by_key(MoveReport::rank);
        Report { moves: Some(moves), ..self.report_without_moves(position) }
    }

    /// The value of a position alone.
    pub fn report_without_moves(&self, position: &Position) -> Report {
        Report {
            fen: position.to_string(),
            value: self.probe(position),
            plies: self.distance(position),
            moves: None,
        }
    }
}

impl MoveReport {
    /// Wins first, the shorter the better; then unknown values, draws, and losses, the longer the better.
    fn rank(&self) -> (u8, u32, Reverse<u32>) {
        let plies = self.plies.unwrap_or(0);
        match self.value {
            Some(Wdl::Win) => (0, self.plies.unwrap_or(u32::MAX), Reverse(0)),
            None => (1, 0, Reverse(0)),
            Some(Wdl::Draw) => (2, 0, Reverse(0)),
            Some(Wdl::Loss) => (3, 0, Reverse(plies)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_best_first() {
        let tables = Tablebase::embedded();
        for fen in ["B:W29,30:B4,24", "W:WK14,K19:BK1", "B:WK18,22:BK10,3", "W:W22:BK17,K18,K26"] {
            let position: Position = fen.parse().unwrap();
            let report = tables.report(&position);
            let moves = report.moves.unwrap();
            assert_eq!(moves.len(), position.distinct_moves().len());
            assert_eq!((moves[0].value, moves[0].plies), (report.value, report.plies), "{fen}");
            let order: Vec<_> = moves.iter().map(|mv| mv.value).collect();
            assert!(order.is_sorted_by(|a, b| a >= b), "{fen}: {order:?}");
        }
    }

    #[test]
    fn outside_of_the_tables_nothing_is_claimed() {
        let report = Tablebase::embedded().report(&Position::start());
        assert_eq!((report.value, report.plies), (None, None));
        assert!(report.moves.unwrap().iter().all(|mv| mv.value.is_none()));
    }
}
