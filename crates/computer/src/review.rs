//! A game looked through move by move: what each move was worth, and where it went wrong.

mod notes;

use crownhead_engine::{Control, Engine, Limits, Score, Verdict};
use crownhead_rules::{DrawReason, History, Move, Outcome, Rulebook};
use crownhead_tablebase::{Tablebase, Wdl};

/// What the engine thinks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// One for each move of the game.
    pub moves: Vec<Reviewed>,
}

/// What the engine thinks of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The move that was played.
    pub mv: Move,
    /// Its value for the side that made it.
    pub score: Score,
    /// Is the position after it drawn for certain, by the tables or because the game ended there?
    pub is_drawn: bool,
    /// The value of the best move for that side.
    pub best_score: Score,
    /// Do the tables prove that this is a draw?
    pub best_is_drawn: bool,
    /// What would have been best, and how play could have gone on.
    pub best_line: Vec<Move>,
    /// What the move gave away, in hundredths of a man. A win or a draw given away counts as several men.
    pub loss: i32,
}

/// What the engine thinks of a position.
struct Thought {
    score: Score,
    /// Is it drawn for certain?
    is_drawn: bool,
    line: Vec<Move>,
}

impl Thought {
    fn new(score: Score) -> Thought {
        Thought { score, is_drawn: false, line: Vec::new() }
    }
}

/// So many moves of a game are marked as the worst.
const MARKED: usize = 3;
/// A move that gives away less than this is no mistake worth a mark, in hundredths.
const MISTAKE: i32 = 25;
/// A decided game is reckoned as this many hundredths, so that missing a faster win is no blunder.
const DECIDED: i32 = 500;

impl Review {
    /// Looks through a game, at each position within the limits. `step` is told after each move. The tables say which
    /// draws are certain; the engine should have the same.
    ///
    /// A draw by rule counts where it ended the game. Where the record goes on nobody claimed it, so that rule counts
    /// nowhere in the record: a score that knows it would contradict the next one.
    pub fn of(
        game: &History,
        rulebook: &Rulebook,
        engine: &mut Engine,
        tables: &Tablebase,
        limits: &Limits,
        control: &dyn Control,
        step: &mut dyn FnMut(),
    ) -> Review {
        let rulebook = &played_by(game, rulebook);
        let mut so_far = History::new(*game.start());
        let mut think = |so_far: &History| {
            let found = engine.search(so_far, rulebook, limits, control, &mut |_| {});
            // A side without a move has lost.
            let Some(found) = found else { return Thought::new(Score::loss_in(0)) };
            // What the tables promise may come too late by the rule book, of which they know nothing.
            let score = if leads_to_draw(so_far, found.pv(), rulebook) { Score::DRAW } else { found.score() };
            let is_drawn = !score.is_decided() && tables.probe(so_far.position()) == Some(Wdl::Draw);
            Thought { score, is_drawn, line: found.pv().to_vec() }
        };
        let mut before = think(&so_far);
        let mut moves = Vec::with_capacity(game.moves().len());
        for &mv in game.moves() {
            so_far.push(mv);
            let after = if is_drawn(&so_far, rulebook) {
                Thought { is_drawn: true, ..Thought::new(Score::DRAW) }
            } else {
                think(&so_far)
            };
            let best = core::mem::replace(&mut before, after);
            let score = one_ply_later(before.score);
            let gave_away = bounded(best.score) - bounded(score);
            moves.push(Reviewed {
                mv,
                score,
                is_drawn: before.is_drawn,
                best_score: best.score,
                best_is_drawn: best.is_drawn,
                loss: if best.line.first() == Some(&mv) { 0 } else { gave_away.max(0) },
                best_line: best.line,
            });
            step();
        }
        Review { moves }
    }

    /// The moves that gave away most, in the order of the game: their places in it.
    pub fn worst(&self) -> Vec<usize> {
        let mut places: Vec<usize> =
            (0..self.moves.len()).filter(|&place| self.moves[place].loss >= MISTAKE).collect();
        places.sort_by_key(|&place| -self.moves[place].loss);
        places.truncate(MARKED);
        places.sort_unstable();
        places
    }
}

/// The rule book without the draws that the players passed over.
fn played_by(game: &History, rulebook: &Rulebook) -> Rulebook {
    let mut rulebook = *rulebook;
    let mut so_far = History::new(*game.start());
    for &mv in game.moves() {
        // Who makes a move has not claimed the draw before it.
        while let Some(Outcome::Draw(reason)) = so_far.outcome(&rulebook) {
            match reason {
                DrawReason::Repetition => rulebook.repetition = None,
                _ => rulebook.move_limit = None,
            }
        }
        so_far.push(mv);
    }
    rulebook
}

/// Is the game a draw by rule?
fn is_drawn(game: &History, rulebook: &Rulebook) -> bool {
    matches!(game.outcome(rulebook), Some(Outcome::Draw(_)))
}

/// Does the game become a draw by rule on this line?
fn leads_to_draw(game: &History, line: &[Move], rulebook: &Rulebook) -> bool {
    let mut ahead = game.clone();
    line.iter().any(|&mv| {
        ahead.push(mv);
        is_drawn(&ahead, rulebook)
    })
}

/// The score of the position after a move, for the side that made it.
fn one_ply_later(score: Score) -> Score {
    match score.verdict() {
        Verdict::Wins(Some(plies)) => Score::loss_in(plies + 1),
        Verdict::Loses(Some(plies)) => Score::win_in(plies + 1),
        _ => -score,
    }
}

fn bounded(score: Score) -> i32 {
    score.hundredths().clamp(-DECIDED, DECIDED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_engine::Timeless;
    use crownhead_rules::{MoveLimit, Progress};
    use std::sync::Arc;

    pub(super) fn review(game: &History) -> Review {
        review_by(game, &Rulebook::default(), &Tablebase::empty())
    }

    fn review_by(game: &History, rulebook: &Rulebook, tables: &Tablebase) -> Review {
        let mut engine = Engine::new(1 << 20).unwrap();
        engine.set_tables(Some(Arc::new(tables.clone())));
        let (limits, mut steps) = (Limits::nodes(20_000), 0);
        let review = Review::of(game, rulebook, &mut engine, tables, &limits, &Timeless, &mut || steps += 1);
        assert_eq!((review.moves.len(), steps), (game.moves().len(), game.moves().len()));
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

    /// Tables that know who wins with four pieces, but not how soon.
    fn tables() -> Tablebase {
        Tablebase::embedded().with_distances_up_to(3)
    }

    /// White wins with 27-23 and plays something else; Black then lets it off.
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
        assert!(review.moves[0].loss >= MISTAKE, "{:?}", review.moves[0]);
    }

    #[test]
    fn the_third_repetition_gives_the_win_away() {
        let game = three_kings('B', "1-5 32-27 5-1 27-32 1-5 32-27 5-1 27-32");
        let review = review_by(&game, &Rulebook::default(), &tables());
        let last = &review.moves[7];
        assert!(last.score == Score::DRAW && last.best_score.is_decided(), "{last:?}");
        assert_eq!(review.worst(), [7], "{review:?}");
        let exact = review_by(&game, &Rulebook::default(), &Tablebase::embedded());
        assert_eq!(exact.worst(), [7], "{exact:?}");
    }

    #[test]
    fn who_saves_himself_by_repetition_has_not_lost() {
        let moves = "32-27 1-5 27-32 5-1 32-27 1-5 27-32 5-1";
        let last = &review(&three_kings('W', moves)).moves[7];
        assert_eq!((last.score, last.loss), (Score::DRAW, 0), "{last:?}");
        let longer = review(&three_kings('W', &format!("{moves} 32-28")));
        assert!(longer.moves[7].score < Score::DRAW, "the game went on: {:?}", longer.moves[7]);
        assert!(longer.moves.iter().all(|reviewed| !reviewed.best_line.is_empty()), "{longer:?}");
    }

    #[test]
    fn only_what_is_certain_is_called_drawn() {
        let mut game = History::new("B:WK32:BK1".parse().unwrap());
        game.play("1-5").unwrap();
        let certain = |tables: Tablebase| {
            let review = review_by(&game, &Rulebook::default(), &tables);
            (review.moves[0].is_drawn, review.moves[0].best_is_drawn)
        };
        assert_eq!(certain(Tablebase::embedded()), (true, true));
        assert_eq!(certain(Tablebase::empty()), (false, false));
    }

    #[test]
    fn where_nobody_claimed_the_draw_a_won_game_stays_won() {
        let mut game = History::new("W:WK1,K2:BK32".parse().unwrap());
        for text in "1-5 32-27 5-1 27-32 1-5 32-27 5-1 27-32 1-5 32-28".split(' ') {
            game.play(text).unwrap();
        }
        let review = review_by(&game, &Rulebook::default(), &Tablebase::embedded());
        for (place, reviewed) in review.moves.iter().enumerate() {
            assert_eq!(reviewed.score > Score::DRAW, place % 2 == 0, "White wins throughout: {reviewed:?}");
            assert!(reviewed.score.is_decided() && reviewed.best_score.is_decided(), "{reviewed:?}");
        }
        assert!(review.worst().is_empty(), "{review:?}");
    }

    #[test]
    fn a_limit_of_moves_that_nobody_claimed_does_not_count() {
        let limit = MoveLimit { plies: 3, resets: Progress::CaptureOrManMove };
        let hasty = Rulebook { move_limit: Some(limit), ..Rulebook::default() };
        let review = review_by(&three_kings('W', "32-27 1-5 27-32 5-1"), &hasty, &tables());
        assert!(review.moves.iter().all(|reviewed| reviewed.score.is_decided()), "{review:?}");
    }

    #[test]
    fn a_win_that_comes_too_late_by_the_rule_book_is_none() {
        let limit = MoveLimit { plies: 3, resets: Progress::CaptureOrManMove };
        let hasty = Rulebook { move_limit: Some(limit), ..Rulebook::default() };
        let review = review_by(&three_kings('W', "32-27 1-5 27-32"), &hasty, &tables());
        let scores: Vec<Score> = review.moves.iter().flat_map(|it| [it.score, it.best_score]).collect();
        assert_eq!(scores, [Score::DRAW; 6]);
        assert!(review.worst().is_empty());
    }

    #[test]
    fn the_best_move_gives_nothing_away() {
        let mut game = History::new("W:W32,28,23,19:B20,11,9,5".parse().unwrap());
        game.play("28-24").unwrap();
        let review = review(&game);
        assert_eq!(review.moves[0].loss, 0);
        assert!(review.worst().is_empty());
    }
}
