//! Iterative deepening from the position on the board.

use core::cmp::Reverse;

use crownhead_rules::{History, Move, Position, Rulebook, Side};

use super::draws::{DrawDetector, QuietMoveCount};
use crate::dice::Dice;
use crate::score::Score;
use crate::search_result::PvLine;
use crate::tablebase::{Probe, ProbeResult};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To tell the truth by the rule book.
    Analysis,
    /// To get on with a game: going back to what has been on the board is worth no more than a draw.
    Play,
}

/// The position to think about.
pub(crate) struct Root {
    pub(super) position: Position,
    pub(super) draws: DrawDetector,
    pub(super) quiet_moves: QuietMoveCount,
    /// The moves to search.
    pub(super) moves: Vec<Move>,
    /// The moves that the tables prove to be worse, the better ones first.
    pub(super) worse: Vec<PvLine>,
    /// What the tables say, if they do not say how to get there.
    pub(super) root_wdl: Option<RootWdl>,
    /// Is nobody to go back to what has been on the board?
    no_repetition: bool,
}

/// Sets what is found where nobody is to go back apart in the hash table.
const NO_REPETITION_SALT: u64 = 0xbb67_ae85_84ca_a73b;

/// The value of a position in the tables without a distance. Asking them about the positions after it would tell the
/// same again and again, so the search has to find a way of its own among as many pieces, and only among the moves
/// that keep the root_wdl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RootWdl {
    /// Nobody in a draw.
    winner: Option<Side>,
    /// The pieces on the board.
    pieces: u32,
}

impl RootWdl {
    fn new(known: ProbeResult, side: Side, pieces: u32) -> RootWdl {
        let winner = match known {
            ProbeResult::Win(_) => Some(side),
            ProbeResult::Loss(_) => Some(!side),
            ProbeResult::Draw => None,
        };
        RootWdl { winner, pieces }
    }

    /// Is there no news in what the tables say about a position below the root? It would be if somebody has erred, or if
    /// they know the distance.
    pub(super) fn implies(self, pieces: u32, side: Side, known: ProbeResult) -> bool {
        known.lacks_distance() && self == RootWdl::new(known, side, pieces)
    }

    /// A word of its own for each root_wdl.
    pub(super) fn salt(self) -> u64 {
        let winner = self.winner.map_or(2, Side::index) as u64;
        Dice::new(u64::from(self.pieces) << 2 | winner).roll()
    }

    /// What a draw is worth to a side: to who is promised a win it is the worst that can happen, worse than standing badly
    /// on the way.
    pub(super) fn draw_score(self, side: Side) -> Score {
        match self.winner {
            None => Score::DRAW,
            Some(winner) if winner == side => Score::men(i32::MIN),
            Some(_) => Score::men(i32::MAX),
        }
    }

    /// What a line of a side is worth, given the root_wdl. The end may have been found, or stay out of sight.
    pub(super) fn apply_to(self, side: Side, line: &PvLine) -> PvLine {
        let win = Score::tablebase_win(0);
        let score = match self.winner {
            None => Score::DRAW,
            Some(winner) if winner == side => line.score.max(win),
            Some(_) => line.score.min(-win),
        };
        PvLine { score, moves: line.moves.clone() }
    }
}

impl Root {
    /// Nothing if the side to move has no move.
    pub(crate) fn new(
        game: &History,
        rulebook: &Rulebook,
        purpose: Purpose,
        tablebase: Option<&dyn Probe>,
    ) -> Option<Root> {
        let position = *game.position();
        let mut moves: Vec<Move> = position.distinct_moves().to_vec();
        let mut worse = Vec::new();
        let pieces = position.occupied().len();
        let root_wdl = tablebase.filter(|tablebase| pieces <= tablebase.max_pieces()).and_then(|tablebase| {
            let known = tablebase.probe(&position).filter(|known| known.lacks_distance())?;
            (moves, worse) = split_moves(known, &position, &moves, tablebase);
            Some(RootWdl::new(known, position.side_to_move(), pieces))
        });
        // What is promised is certain, and only the way is looked for.
        let no_repetition = purpose == Purpose::Play || root_wdl.is_some();
        let (draws, quiet_moves) = DrawDetector::new(game, rulebook, no_repetition);
        (!moves.is_empty()).then_some(Root {
            position,
            draws,
            quiet_moves,
            moves,
            worse,
            root_wdl,
            no_repetition,
        })
    }

    /// A word of its own for each way of valuing positions: an analysis and a player do not mean the same by a draw, nor
    /// does who has been promised something.
    pub(super) fn salt(&self) -> u64 {
        let promised = self.root_wdl.map_or(0, RootWdl::salt);
        if self.no_repetition { promised ^ NO_REPETITION_SALT } else { promised }
    }
}

/// Parts the moves that keep a value from those that are worse.
fn split_moves(
    known: ProbeResult,
    position: &Position,
    moves: &[Move],
    tablebase: &dyn Probe,
) -> (Vec<Move>, Vec<PvLine>) {
    let value = |mv| tablebase.probe(&position.after(mv)).map_or(Score::DRAW, |known| -known.score(1));
    let lines = moves.iter().map(|&mv| PvLine { score: value(mv), moves: vec![mv] });
    let sign = |score: Score| score.hundredths().signum();
    let (kept, mut worse): (Vec<PvLine>, Vec<PvLine>) =
        lines.partition(|line| sign(line.score) == sign(known.score(0)));
    worse.sort_by_key(|line| Reverse(line.score));
    (kept.iter().map(|line| line.moves[0]).collect(), worse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_tablebase::Tablebase;

    #[test]
    fn what_means_something_else_is_kept_apart() {
        let tablebase = Tablebase::embedded().with_distances_up_to(3);
        let salt = |purpose, fen: &str| {
            let game = History::new(fen.parse().unwrap());
            Root::new(&game, &Rulebook::default(), purpose, Some(&tablebase)).unwrap().salt()
        };
        let [level, won, lost] = ["B:W21-32:B1-12", "W:WK32,K31,K30:BK1", "B:WK32,K31,K30:BK1"];
        let salts = [
            salt(Purpose::Analysis, level),
            salt(Purpose::Play, level),
            salt(Purpose::Play, won),
            salt(Purpose::Play, "W:WK32,K31:BK1,K2"),
        ];
        for (place, one) in salts.iter().enumerate() {
            assert!(!salts[..place].contains(one), "{place}");
        }
        assert_eq!(salt(Purpose::Play, won), salt(Purpose::Play, lost), "the same root_wdl");
    }
}
