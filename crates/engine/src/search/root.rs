//! The root of a search: its moves, filtered by the tablebase, and the score of a draw.

use core::cmp::Reverse;

use crownhead_rules::{History, Move, Position, Rng, Rulebook, Side};

use super::draws::{DrawDetector, QuietMoveCount};
use crate::score::Score;
use crate::search_result::PvLine;
use crate::tablebase::{Probe, ProbeResult};

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The value by the rule book.
    Analysis,
    /// A move to play: repeating a position of the game scores as a draw, so that play makes progress.
    Play,
}

/// The position to search, with its moves.
pub(crate) struct Root {
    pub(super) position: Position,
    pub(super) draws: DrawDetector,
    pub(super) quiet_moves: QuietMoveCount,
    /// The moves to search.
    pub(super) moves: Vec<Move>,
    /// The moves that the tablebase proves to be worse, the best of them first.
    pub(super) worse: Vec<PvLine>,
    /// The tablebase value of the position, if it has no distance.
    pub(super) wdl: Option<RootWdl>,
    /// Does every repetition of a position of the game score as a draw?
    no_repetition: bool,
}

/// Part of the transposition table key of searches in which every repetition is a draw.
const NO_REPETITION_SALT: u64 = 0xbb67_ae85_84ca_a73b;

/// The tablebase value of the root without a distance (DTW). Probing positions with as many pieces below it would
/// return the same value again and again, so the search finds the way by itself, among the moves that keep the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RootWdl {
    /// `None` for a draw.
    winner: Option<Side>,
    /// The number of pieces on the board.
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

    /// Does this value also follow from the value of the root? It does not if a mistake has changed it, if pieces have
    /// been captured, or if its distance is known.
    pub(super) fn implies(self, pieces: u32, side: Side, known: ProbeResult) -> bool {
        known.lacks_distance() && self == RootWdl::new(known, side, pieces)
    }

    /// Part of the transposition table key: different for each value.
    pub(super) fn salt(self) -> u64 {
        let winner = self.winner.map_or(2, Side::index) as u64;
        Rng::new(u64::from(self.pieces) << 2 | winner).next_u64()
    }

    /// The score of a draw (contempt): for the side with a won position it is worse than any evaluation, so that it
    /// never settles for one.
    pub(super) fn draw_score(self, side: Side) -> Score {
        match self.winner {
            None => Score::DRAW,
            Some(winner) if winner == side => Score::men(i32::MIN),
            Some(_) => Score::men(i32::MAX),
        }
    }

    /// The line with its score corrected to the tablebase value, for the side to move. A distance that was found stays.
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
    /// `None` if the side to move has no move.
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
        let wdl = tablebase.filter(|tablebase| pieces <= tablebase.max_pieces()).and_then(|tablebase| {
            let known = tablebase.probe(&position).filter(|known| known.lacks_distance())?;
            (moves, worse) = split_moves(known, &position, &moves, tablebase);
            Some(RootWdl::new(known, position.side_to_move(), pieces))
        });
        // With a tablebase value, a repetition only delays the end.
        let no_repetition = purpose == Purpose::Play || wdl.is_some();
        let (draws, quiet_moves) = DrawDetector::new(game, rulebook, no_repetition);
        (!moves.is_empty()).then_some(Root { position, draws, quiet_moves, moves, worse, wdl, no_repetition })
    }

    /// Part of the transposition table key, so that searches that score draws differently do not share entries.
    pub(super) fn salt(&self) -> u64 {
        let salt = self.wdl.map_or(0, RootWdl::salt);
        if self.no_repetition { salt ^ NO_REPETITION_SALT } else { salt }
    }
}

/// Splits the moves into those that keep the value of the position and those that do not.
fn split_moves(
    known: ProbeResult,
    position: &Position,
    moves: &[Move],
    tablebase: &dyn Probe,
) -> (Vec<Move>, Vec<PvLine>) {
    let value =
        |mv| tablebase.probe(&position.play_unchecked(mv)).map_or(Score::DRAW, |known| -known.score(1));
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
    fn searches_with_another_meaning_of_a_draw_have_keys_of_their_own() {
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
        for (index, salt) in salts.iter().enumerate() {
            assert!(!salts[..index].contains(salt), "{index}");
        }
        assert_eq!(salt(Purpose::Play, won), salt(Purpose::Play, lost), "the same winner");
    }
}
