//! Game review: the assessment of each move, the mistakes with better moves, and the accuracy of each side.
//!
//! [`Judgement`] defines what counts as a mistake, in one place for page, terminal and command line.

mod judgement;
mod notes;

use crownhead_engine::{Control, Limits, Score, ScoreKind};
use crownhead_rules::{DrawReason, History, Move, Outcome, Position, Rulebook, Side};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::analysis::line_text;
use crate::assessment::tenths;
use crate::{Assessment, Computer};
use judgement::mean;
pub use judgement::{Accuracy, Judgement, move_accuracy};

/// The review of a game, move by move.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The assessments of all positions, the first and the last included.
    pub positions: Vec<ReviewedPosition>,
    /// The assessments of all moves; one fewer than positions.
    pub moves: Vec<ReviewedMove>,
}

/// A position of a game, with the best line from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedPosition {
    /// The number of moves that led to it.
    pub ply: usize,
    /// The side to move.
    pub side: Side,
    /// The assessment for the side to move.
    pub assessment: Assessment,
    /// The best line, best move first; empty where the game is over.
    pub line: Vec<Move>,
    /// The same moves in the usual notation.
    pub text: Vec<String>,
}

/// A move of a game with its judgement.
///
/// As JSON: `move`; then, for the side that made it, `score` in men, `plies` and `value` where they are proven; and its
/// loss against the best move: `loss` in men (at most ten), `lost_chances` from 0 to 1, `judgement` (`inaccuracy`,
/// `mistake`, `blunder` or `null`), and `better`, the best move if this was a different one.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// The side that made it.
    pub side: Side,
    /// The move that was played.
    pub mv: Move,
    /// The same move in the usual notation.
    pub text: String,
    /// Was it the only legal move?
    pub is_forced: bool,
    /// The assessment of the move for the side that made it.
    pub assessment: Assessment,
    /// The assessment of the best move for that side.
    pub best: Assessment,
    /// The best move and the line that follows it.
    pub best_line: Vec<Move>,
    /// The best move in the usual notation.
    pub best_text: String,
    /// The winning chances that the move gave away, 0 to 1.
    pub lost_chances: f64,
    /// The judgement on the move, if it was bad at all.
    pub judgement: Option<Judgement>,
}

/// The largest number of moves that are singled out as the worst.
const WORST: usize = 3;
/// A decided game counts as this many hundredths of a man where a loss is given in men.
const DECIDED: i32 = 500;

impl Computer {
    /// Reviews a game: searches each position within the limits, from the first to the last, and reports each. A stop
    /// signal ends the review with the results so far.
    ///
    /// A draw by rule counts where it ended the game. If the record goes on, the players did not claim the draw, and
    /// that rule counts nowhere in the record: a score that takes it into account would contradict the next one.
    ///
    /// Clears the hash table first, so that with one thread the same game always gets the same review.
    pub fn review(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
        report: &mut dyn FnMut(&ReviewedPosition),
    ) -> Review {
        self.clear();
        let rulebook = &played_by(game, rulebook);
        let mut review = Review { positions: Vec::new(), moves: Vec::new() };
        let mut so_far = History::new(*game.start());
        for ply in 0..=game.moves().len() {
            if let Some(last) = ply.checked_sub(1) {
                so_far.push_unchecked(game.moves()[last]);
            }
            let position = self.review_position(&so_far, rulebook, limits, control);
            if control.stopped() {
                break;
            }
            report(&position);
            if let Some(before) = review.positions.last() {
                let mv = game.moves()[ply - 1];
                review.moves.push(ReviewedMove::new(&game.positions()[ply - 1], mv, before, &position));
            }
            review.positions.push(position);
        }
        review
    }

    fn review_position(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
    ) -> ReviewedPosition {
        let position = game.position();
        let (assessment, line) = if is_drawn(game, rulebook) {
            (Assessment::DRAWN, Vec::new())
        } else if let Some(found) = self.engine.search(game, rulebook, limits, control, &mut |_| {}) {
            // The tables do not know the rule book, so a win that they promise may come too late under it.
            let score = if leads_to_draw(game, found.pv(), rulebook) { Score::DRAW } else { found.score() };
            (Assessment::with_tables(score, position, &self.tables), found.pv().to_vec())
        } else {
            (Assessment::LOST, Vec::new())
        };
        let (ply, side) = (game.moves().len(), position.side_to_move());
        ReviewedPosition { ply, side, assessment, text: line_text(position, &line), line }
    }
}

impl Review {
    /// All inaccuracies, mistakes and blunders in the order of the game, with their indices.
    pub fn mistakes(&self) -> impl Iterator<Item = (usize, &ReviewedMove)> {
        self.moves.iter().enumerate().filter(|(_, reviewed)| reviewed.judgement.is_some())
    }

    /// The indices of the mistakes that gave away most, at most three, in the order of the game.
    pub fn worst(&self) -> Vec<usize> {
        let mut worst: Vec<(usize, &ReviewedMove)> = self.mistakes().collect();
        worst.sort_by(|(_, one), (_, other)| other.lost_chances.total_cmp(&one.lost_chances));
        worst.truncate(WORST);
        let mut places: Vec<usize> = worst.into_iter().map(|(place, _)| place).collect();
        places.sort_unstable();
        places
    }

    /// The accuracy of each side.
    pub fn accuracy(&self) -> Accuracy {
        let of = |side| {
            let chosen = self.moves.iter().filter(|reviewed| reviewed.side == side && !reviewed.is_forced);
            mean(chosen.map(|reviewed| move_accuracy(reviewed.lost_chances)))
        };
        Accuracy { black: of(Side::Black), white: of(Side::White) }
    }
}

impl ReviewedPosition {
    /// Black's winning chances, 0 to 1, for the graph of the game.
    pub fn black_chances(&self) -> f64 {
        let chances = self.assessment.winning_chances();
        if self.side == Side::Black { chances } else { 1.0 - chances }
    }

    /// The assessment as a sentence, given the names of the sides.
    pub fn sentence(&self, name: &dyn Fn(Side) -> String) -> String {
        self.assessment.sentence(self.side, name)
    }
}

impl ReviewedMove {
    fn new(
        position: &Position,
        mv: Move,
        before: &ReviewedPosition,
        after: &ReviewedPosition,
    ) -> ReviewedMove {
        let (best, assessment) = (before.assessment, after.assessment.before_the_move());
        let is_forced = position.distinct_moves().len() == 1;
        // Two paths over the same pieces count as one move.
        let is_best = before
            .line
            .first()
            .is_some_and(|&best| position.play_unchecked(best) == position.play_unchecked(mv));
        let lost = best.winning_chances() - assessment.winning_chances();
        // A forced move is also the best one.
        let lost_chances = if is_best { 0.0 } else { lost.max(0.0) };
        ReviewedMove {
            side: position.side_to_move(),
            mv,
            text: position.move_text(mv),
            is_forced,
            assessment,
            best,
            best_line: before.line.clone(),
            best_text: before.text.first().cloned().unwrap_or_default(),
            lost_chances,
            judgement: Judgement::of(lost_chances),
        }
    }

    /// The loss in hundredths of a man; a decided game counts as five men.
    pub fn lost_hundredths(&self) -> i32 {
        let bounded = |it: Assessment| it.score().hundredths().clamp(-DECIDED, DECIDED);
        if self.lost_chances > 0.0 { (bounded(self.best) - bounded(self.assessment)).max(0) } else { 0 }
    }

    /// What was wrong with the move, as a sentence, given the names of the sides.
    pub fn sentence(&self, name: &dyn Fn(Side) -> String) -> String {
        let (side, better) = (name(self.side), &self.best_text);
        match (self.best.score().kind(), self.assessment.score().kind()) {
            (ScoreKind::Wins(_), ScoreKind::Loses(_)) => {
                format!("{side} had a win with {better} and now loses.")
            }
            (ScoreKind::Wins(_), _) => format!("{side} lets the win slip: {better} wins."),
            (ScoreKind::Draw, ScoreKind::Loses(_)) => format!("This loses; {better} keeps the game level."),
            (_, ScoreKind::Loses(_)) => format!("This loses by force; {better} was better."),
            _ => {
                // The loss without its bound, because the sentence stands beside scores.
                let men = self.best.score().hundredths() - self.assessment.score().hundredths();
                format!("{better} was better, by the worth of {} men.", tenths(men.unsigned_abs()))
            }
        }
    }
}

impl Serialize for ReviewedMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lost = self.lost_hundredths();
        let mut reviewed = serializer.serialize_struct("ReviewedMove", 8)?;
        reviewed.serialize_field("move", &self.text)?;
        reviewed.serialize_field("score", &self.assessment.score().in_men())?;
        reviewed.serialize_field("plies", &self.assessment.plies())?;
        reviewed.serialize_field("value", &self.assessment.value())?;
        reviewed.serialize_field("loss", &(f64::from(lost) / 100.0))?;
        reviewed.serialize_field("lost_chances", &((self.lost_chances * 1e4).round() / 1e4))?;
        reviewed.serialize_field("judgement", &self.judgement)?;
        reviewed.serialize_field("better", &(lost > 0).then_some(&self.best_text))?;
        reviewed.end()
    }
}

/// The rule book without the drawing rules that the players let pass.
fn played_by(game: &History, rulebook: &Rulebook) -> Rulebook {
    let mut rulebook = *rulebook;
    let mut so_far = History::new(*game.start());
    for &mv in game.moves() {
        // A player who makes a move has not claimed the draw before it.
        while let Some(Outcome::Draw(reason)) = so_far.outcome(&rulebook) {
            match reason {
                DrawReason::Repetition => rulebook.repetition = None,
                _ => rulebook.move_limit = None,
            }
        }
        so_far.push_unchecked(mv);
    }
    rulebook
}

/// Is the position a draw by rule?
fn is_drawn(game: &History, rulebook: &Rulebook) -> bool {
    matches!(game.outcome(rulebook), Some(Outcome::Draw(_)))
}

/// Does this line lead to a draw by rule?
fn leads_to_draw(game: &History, line: &[Move], rulebook: &Rulebook) -> bool {
    let mut ahead = game.clone();
    line.iter().any(|&mv| {
        ahead.push_unchecked(mv);
        is_drawn(&ahead, rulebook)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use core::sync::atomic::{AtomicU32, Ordering};
    use core::time::Duration;
    use crownhead_engine::Timeless;
    use crownhead_rules::{MoveLimit, Progress};
    use crownhead_tablebase::Tablebase;

    pub(super) fn review(game: &History) -> Review {
        review_by(game, &Rulebook::default(), &Tablebase::empty())
    }

    fn review_by(game: &History, rulebook: &Rulebook, tables: &Tablebase) -> Review {
        let mut computer = Computer::new(1 << 20, tables.clone()).unwrap();
        let mut plies = Vec::new();
        let mut report = |position: &ReviewedPosition| plies.push(position.ply);
        let review = computer.review(game, rulebook, &Limits::nodes(20_000), &Timeless, &mut report);
        assert_eq!(plies, (0..=game.moves().len()).collect::<Vec<_>>());
        assert_eq!((review.positions.len(), review.moves.len() + 1), (plies.len(), plies.len()));
        review
    }

    /// Three kings against one, with these moves.
    fn three_kings(side: char, moves: &str) -> History {
        let mut game = History::new(format!("{side}:WK32,K31,K30:BK1").parse().unwrap());
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        game
    }

    /// Tables with the winner of every position of four pieces, but without distances.
    fn tables() -> Tablebase {
        Tablebase::embedded().with_distances_up_to(3)
    }

    /// White could win with 27-23 and plays another move; Black then fails to punish it.
    pub(super) fn game() -> History {
        let mut game = History::new("W:W32,27,24,22:B20,15,10,7".parse().unwrap());
        for text in ["22-17", "7-11", "17-13"] {
            game.play(text).unwrap();
        }
        game
    }

    #[test]
    fn the_move_that_gave_the_win_away_is_the_worst() {
        let review = review(&game());
        assert_eq!(review.worst().first(), Some(&0));
        assert_eq!(review.moves[0].best_line[0].to_string(), "27-23");
        assert_eq!(review.moves[0].judgement, Some(Judgement::Blunder), "{:?}", review.moves[0]);
    }

    #[test]
    fn the_third_repetition_gives_the_win_away() {
        let game = three_kings('B', "1-5 32-27 5-1 27-32 1-5 32-27 5-1 27-32");
        let review = review_by(&game, &Rulebook::default(), &tables());
        let last = &review.moves[7];
        assert!(last.assessment == Assessment::DRAWN && last.best.value() == Some(Value::Win), "{last:?}");
        assert_eq!(review.worst(), [7], "{review:?}");
        let exact = review_by(&game, &Rulebook::default(), &Tablebase::embedded());
        assert_eq!(exact.worst(), [7], "{exact:?}");
    }

    #[test]
    fn who_saves_himself_by_repetition_has_not_lost() {
        let moves = "32-27 1-5 27-32 5-1 32-27 1-5 27-32 5-1";
        let last = &review(&three_kings('W', moves)).moves[7];
        assert_eq!((last.assessment, last.judgement), (Assessment::DRAWN, None), "{last:?}");
        let longer = review(&three_kings('W', &format!("{moves} 32-28")));
        assert!(longer.moves[7].assessment.score() < Score::DRAW, "the game went on: {:?}", longer.moves[7]);
        assert!(longer.moves.iter().all(|reviewed| !reviewed.best_line.is_empty()), "{longer:?}");
    }

    #[test]
    fn only_what_is_certain_is_called_drawn() {
        let mut game = History::new("B:WK32:BK1".parse().unwrap());
        game.play("1-5").unwrap();
        let certain = |tables: Tablebase| {
            let review = review_by(&game, &Rulebook::default(), &tables);
            (review.moves[0].assessment.value(), review.moves[0].best.value())
        };
        assert_eq!(certain(Tablebase::embedded()), (Some(Value::Draw), Some(Value::Draw)));
        assert_eq!(certain(Tablebase::empty()), (None, None));
    }

    #[test]
    fn where_nobody_claimed_the_draw_a_won_game_stays_won() {
        let mut game = History::new("W:WK1,K2:BK32".parse().unwrap());
        for text in "1-5 32-27 5-1 27-32 1-5 32-27 5-1 27-32 1-5 32-28".split(' ') {
            game.play(text).unwrap();
        }
        let review = review_by(&game, &Rulebook::default(), &Tablebase::embedded());
        for (place, reviewed) in review.moves.iter().enumerate() {
            let value = Some(if place % 2 == 0 { Value::Win } else { Value::Loss });
            assert_eq!((reviewed.assessment.value(), reviewed.best.value()), (value, value), "{reviewed:?}");
        }
        assert!(review.worst().is_empty(), "{review:?}");
    }

    #[test]
    fn a_limit_of_moves_that_nobody_claimed_does_not_count() {
        let limit = MoveLimit { plies: 3, resets: Progress::CaptureOrManMove };
        let hasty = Rulebook { move_limit: Some(limit), ..Rulebook::default() };
        let review = review_by(&three_kings('W', "32-27 1-5 27-32 5-1"), &hasty, &tables());
        assert!(review.moves.iter().all(|reviewed| reviewed.assessment.score().is_decided()), "{review:?}");
    }

    #[test]
    fn a_win_that_comes_too_late_by_the_rule_book_is_none() {
        let limit = MoveLimit { plies: 3, resets: Progress::CaptureOrManMove };
        let hasty = Rulebook { move_limit: Some(limit), ..Rulebook::default() };
        let review = review_by(&three_kings('W', "32-27 1-5 27-32"), &hasty, &tables());
        let scores: Vec<Score> =
            review.moves.iter().flat_map(|it| [it.assessment.score(), it.best.score()]).collect();
        assert_eq!(scores, [Score::DRAW; 6]);
        assert!(review.worst().is_empty());
    }

    #[test]
    fn the_best_move_gives_nothing_away() {
        let mut game = History::new("W:W32,28,23,19:B20,11,9,5".parse().unwrap());
        game.play("28-24").unwrap();
        let review = review(&game);
        assert_eq!((review.moves[0].lost_hundredths(), review.moves[0].judgement), (0, None));
        assert!(review.worst().is_empty());
        assert_eq!(review.accuracy(), Accuracy { black: None, white: Some(100.0) });
    }

    /// A move that gave away these winning chances.
    fn reviewed(side: Side, lost_chances: f64) -> ReviewedMove {
        let judged = review(&game()).moves.swap_remove(0);
        ReviewedMove { side, lost_chances, judgement: Judgement::of(lost_chances), ..judged }
    }

    #[test]
    fn the_three_worst_of_all_mistakes_stand_in_the_order_of_the_game() {
        let lost = [0.3, 0.0, 0.1, 0.9, 0.1, 0.2, 0.06];
        let moves = lost.map(|lost| reviewed(Side::Black, lost)).to_vec();
        let review = Review { positions: Vec::new(), moves };
        assert_eq!(review.mistakes().map(|(place, _)| place).collect::<Vec<_>>(), [0, 2, 3, 4, 5]);
        assert_eq!(review.worst(), [0, 3, 5]);
    }

    #[test]
    fn a_forced_move_is_no_mistake_and_does_not_count_as_accurate() {
        // The jump is forced, and after it White has nothing left to move.
        let mut game = History::new("W:W18:B5,14,10".parse().unwrap());
        game.play("18x9").unwrap();
        let review = review_by(&game, &Rulebook::default(), &Tablebase::embedded());
        let moved = &review.moves[0];
        assert!(moved.is_forced && moved.judgement.is_none(), "{moved:?}");
        assert_eq!(review.accuracy(), Accuracy::default());
        let moves = vec![reviewed(Side::White, 0.0), reviewed(Side::White, 0.25), moved.clone()];
        let review = Review { positions: Vec::new(), moves };
        assert_eq!(review.accuracy().white, Some(68.4), "the forced one is left out");
    }

    #[test]
    fn the_graph_shows_the_chances_of_black_whoever_is_to_move() {
        let review = review_by(&three_kings('W', "32-27 1-5"), &Rulebook::default(), &tables());
        assert!(review.positions.iter().all(|position| position.black_chances() < 1e-9), "{review:?}");
        let said = review.positions[1].sentence(&|side| side.to_string());
        assert!(said.starts_with("White wins"), "{said}");
    }

    #[test]
    fn a_move_is_reported_as_json_with_what_it_lost() {
        let json = serde_json::to_value(&review(&game()).moves[0]).unwrap();
        assert_eq!((&json["move"], &json["better"]), (&"22-17".into(), &"27-23".into()), "{json}");
        assert_eq!(json["judgement"], "blunder", "{json}");
        assert!(json["loss"].as_f64() > Some(1.0) && json["lost_chances"].as_f64() > Some(0.25), "{json}");
        assert!(json["score"].is_f64() && json["value"].is_null() && json["plies"].is_null(), "{json}");
    }

    /// A control that stops after it has been asked this many times.
    struct Impatient(AtomicU32);

    impl Control for Impatient {
        fn now(&self, _nodes: u64) -> Duration {
            Duration::ZERO
        }

        fn stopped(&self) -> bool {
            let left = self.0.load(Ordering::Relaxed).saturating_sub(1);
            self.0.store(left, Ordering::Relaxed);
            left == 0
        }
    }

    #[test]
    fn a_review_that_is_stopped_tells_only_what_was_searched_in_full() {
        let mut computer = Computer::new(1 << 20, Tablebase::empty()).unwrap();
        let whole = review(&game());
        let mut lengths = Vec::new();
        for asked in [1, 3, 20, 60, 100_000] {
            let control = Impatient(AtomicU32::new(asked));
            let limits = Limits::nodes(20_000);
            let cut = computer.review(&game(), &Rulebook::default(), &limits, &control, &mut |_| {});
            assert_eq!(cut.positions, whole.positions[..cut.positions.len()], "after {asked}");
            assert_eq!(cut.moves, whole.moves[..cut.positions.len().saturating_sub(1)], "after {asked}");
            lengths.push(cut.positions.len());
        }
        assert_eq!((lengths[0], lengths[4]), (0, 4), "{lengths:?}");
    }
}
