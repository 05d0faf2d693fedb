//! Iterative deepening from the position on the board.

use core::cmp::Reverse;
use core::sync::atomic::Ordering;

use crownhead_rules::{History, Move, Position, Rulebook, Side};

use super::draws::{DrawDetector, QuietMoveCount};
use super::tuning::{ASPIRATION, ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_MAX};
use super::{Node, Searcher, SharedState, Stopped};
use crate::dice::Dice;
use crate::limits::TimeLimit;
use crate::score::{MAX_PLY, Score, ScoreKind};
use crate::search_result::{PvLine, SearchResult};
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
    position: Position,
    pub(super) draws: DrawDetector,
    quiet_moves: QuietMoveCount,
    /// The moves to search.
    moves: Vec<Move>,
    /// The moves that the tables prove to be worse, the better ones first.
    worse: Vec<PvLine>,
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
    fn apply_to(self, side: Side, line: &PvLine) -> PvLine {
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

impl Searcher<'_> {
    /// Searches deeper and deeper until a limit is reached, and reports each depth.
    pub(crate) fn iterative_deepening(
        mut self,
        root: &Root,
        report: &mut dyn FnMut(&SearchResult),
    ) -> SearchResult {
        let limits = self.shared.limits;
        let mut lines: Vec<PvLine> =
            root.moves.iter().map(|&mv| PvLine { score: -Score::INFINITE, moves: vec![mv] }).collect();
        let wanted = limits.multi_pv.clamp(1, lines.len());
        // Scores of different depths cannot be compared, so of several lines those of the last whole depth count.
        let mut whole = None;
        let mut depth = 0;
        while depth < limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32) {
            let done = (0..wanted)
                .try_for_each(|first| self.aspiration_search(root, depth + 1, &mut lines[first..]));
            if done.is_err() {
                lines = whole.filter(|_| wanted > 1).unwrap_or(lines);
                break;
            }
            depth += 1;
            // A line that is searched after another one may still come out above it.
            lines[..wanted].sort_by_key(|line| Reverse(line.score));
            whole = Some(lines.clone());
            self.count_nodes();
            report(&self.result(root, depth, &lines[..wanted]));
            if self.is_main_thread && self.can_stop(depth, &lines, wanted) {
                break;
            }
        }
        self.count_nodes();
        self.result(root, depth, &lines[..wanted])
    }

    /// Finds the best of some root moves and puts it in front. The first guess is that it is worth what the depth
    /// before said, more or less; a window that turns out too narrow is opened on that side.
    fn aspiration_search(&mut self, root: &Root, depth: u32, lines: &mut [PvLine]) -> Result<(), Stopped> {
        let guess = lines[0].score;
        let (mut below, mut above) = (ASPIRATION, ASPIRATION);
        loop {
            let wide = depth <= ASPIRATION_DEPTH || guess.is_decided();
            let open = |margin| wide || margin > ASPIRATION_MAX;
            let alpha = if open(below) { -Score::INFINITE } else { guess - below };
            let beta = if open(above) { Score::INFINITE } else { guess + above };
            let score = self.search_root(root, depth, lines, alpha, beta)?;
            if score <= alpha {
                below *= ASPIRATION_GROWTH;
            } else if score >= beta {
                above *= ASPIRATION_GROWTH;
            } else {
                return Ok(());
            }
        }
    }

    /// As [`aspiration_search`](Searcher::aspiration_search), within a window.
    fn search_root(
        &mut self,
        root: &Root,
        depth: u32,
        lines: &mut [PvLine],
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let Root { position, quiet_moves, .. } = *root;
        let depth = depth as i32;
        let node =
            Node { position, alpha, beta, depth, ply: 0, quiet_moves, after_capture: false, excluded: None };
        let mut best = -Score::INFINITE;
        for i in 0..lines.len() {
            let mv = lines[i].moves[0];
            let score = self.search_move(&node, mv, alpha, i)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.update_pv(0, mv);
                lines[i].score = score;
                // Above the window nobody looks for the whole line, so that one from a depth before may be longer.
                if score < beta || self.pv[0].len() > lines[i].moves.len() {
                    lines[i].moves.clone_from(&self.pv[0]);
                }
                // The best so far is_main_thread, so that a search that is broken off keeps it.
                lines[..=i].rotate_right(1);
                if score >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Would another depth be in vain?
    fn can_stop(&self, depth: u32, lines: &[PvLine], wanted: usize) -> bool {
        let shared: &SharedState = self.shared;
        let out_of_time = shared.budget.is_some_and(|budget| shared.elapsed() >= budget.soft);
        // A forced move needs no thought when that saves time for later ones.
        let forced = lines.len() == 1 && matches!(shared.limits.time, Some(TimeLimit::Clock(_)));
        let settled = lines[..wanted].iter().all(|line| match line.score.kind() {
            ScoreKind::Wins(Some(plies)) | ScoreKind::Loses(Some(plies)) => plies <= depth,
            _ => false,
        });
        out_of_time || forced || settled
    }

    fn result(&self, root: &Root, depth: u32, lines: &[PvLine]) -> SearchResult {
        let wanted = self.shared.limits.multi_pv.max(1);
        let mut searched: Vec<&PvLine> = lines.iter().filter(|line| line.score > -Score::INFINITE).collect();
        // A search that is broken off at once has looked at no move, and still names one.
        let untried = PvLine { score: Score::men(0), moves: vec![root.moves[0]] };
        if searched.is_empty() {
            searched.push(&untried);
        }
        let searched = searched.into_iter().map(|line| match root.root_wdl {
            Some(root_wdl) => root_wdl.apply_to(root.position.side_to_move(), line),
            None => line.clone(),
        });
        SearchResult {
            lines: searched.chain(root.worse.iter().cloned()).take(wanted).collect(),
            depth,
            seldepth: self.seldepth as u32,
            nodes: self.shared.nodes(),
            time: self.shared.elapsed(),
            tablebase_hits: self.shared.tablebase_hits.load(Ordering::Relaxed),
        }
    }
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
