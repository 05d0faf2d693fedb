//! The assessment of a position or a move for a side: its score, the proven result if there is one, and the winning
//! chances.

use core::fmt;

use crownhead_engine::{Network, Score, ScoreKind};
use crownhead_rules::{Position, Side};
use crownhead_tablebase::Tablebase;
use serde::Serialize;

/// The assessment of a position or a move for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assessment {
    score: Score,
    is_drawn: bool,
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the result of that name")]
pub enum Value {
    Win,
    Draw,
    Loss,
}

/// A lead of fewer hundredths of a man than this counts as an even position.
const EVEN: u32 = 25;

impl Assessment {
    /// A proven draw, by the tables or because the game ended in one.
    pub const DRAWN: Assessment = Assessment { score: Score::DRAW, is_drawn: true };
    /// The side to move has no move.
    pub const LOST: Assessment = Assessment { score: Score::loss_in(0), is_drawn: false };

    /// The assessment from a search score. A win or a loss is proven by its score; a draw is not, because the search
    /// may have seen only a repetition.
    pub const fn searched(score: Score) -> Assessment {
        Assessment { score, is_drawn: false }
    }

    /// The assessment from the search score of the position that the game comes to. The tables can prove a draw there,
    /// whichever side is to move.
    pub fn with_tables(score: Score, position: &Position, tables: &Tablebase) -> Assessment {
        Assessment { score, is_drawn: !score.is_decided() && tables.is_drawn(position) == Some(true) }
    }

    /// The score, as the engine returns it.
    pub const fn score(self) -> Score {
        self.score
    }

    /// The result, if it is proven.
    pub const fn value(self) -> Option<Value> {
        match self.score.kind() {
            ScoreKind::Wins(_) => Some(Value::Win),
            ScoreKind::Loses(_) => Some(Value::Loss),
            _ if self.is_drawn => Some(Value::Draw),
            ScoreKind::Draw | ScoreKind::Men(_) => None,
        }
    }

    /// The number of plies to the win or the loss, if it is proven.
    pub const fn plies(self) -> Option<u32> {
        match self.score.kind() {
            ScoreKind::Wins(plies) | ScoreKind::Loses(plies) => plies,
            ScoreKind::Draw | ScoreKind::Men(_) => None,
        }
    }

    /// The expected points of the side: 1 for a win, ½ for a draw, 0 for a loss.
    ///
    /// A proven result counts in full. Other scores are mapped with the scale that the evaluation was trained on:
    /// [`Network::HUNDREDTHS`] hundredths of a man make a win *e* times as likely as a loss.
    pub fn winning_chances(self) -> f64 {
        match self.value() {
            Some(Value::Win) => 1.0,
            Some(Value::Draw) => 0.5,
            Some(Value::Loss) => 0.0,
            None => {
                let logit = f64::from(self.score.hundredths()) / f64::from(Network::HUNDREDTHS);
                1.0 / (1.0 + (-logit).exp())
            }
        }
    }

    /// The assessment for the side that made the move leading here: the end is one ply farther away.
    pub fn before_the_move(self) -> Assessment {
        let score = match self.score.kind() {
            ScoreKind::Wins(Some(plies)) => Score::loss_in(plies + 1),
            ScoreKind::Loses(Some(plies)) => Score::win_in(plies + 1),
            _ => -self.score,
        };
        Assessment { score, ..self }
    }

    /// The assessment as a sentence, given the side to move and the names of the sides.
    pub fn sentence(self, mover: Side, name: &dyn Fn(Side) -> String) -> String {
        let in_moves = self.plies().map(|plies| format!(" in {}", plies.div_ceil(2))).unwrap_or_default();
        match (self.value(), self.score.hundredths()) {
            (Some(Value::Win), _) => format!("{} wins{in_moves}.", name(mover)),
            (Some(Value::Loss), _) if self.plies() == Some(0) => format!("{} has lost.", name(mover)),
            (Some(Value::Loss), _) => format!("{} wins{in_moves}.", name(!mover)),
            (Some(Value::Draw), _) => "A draw with best play.".to_owned(),
            (None, hundredths) if hundredths.unsigned_abs() < EVEN => "Even.".to_owned(),
            (None, hundredths) => {
                let leader = if hundredths > 0 { mover } else { !mover };
                format!("{} is {} men ahead.", name(leader), tenths(hundredths.unsigned_abs()))
            }
        }
    }
}

/// Hundredths rounded to one decimal: 148 is 1.5.
pub(crate) fn tenths(hundredths: u32) -> String {
    // Formatting a float would link the float formatting code into the page's module.
    let tenths = (hundredths + 5) / 10;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// `draw` if that is proven, otherwise the score: `+0.42`, `wins in 7`.
impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value() == Some(Value::Draw) { f.write_str("draw") } else { self.score.fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(assessment: Assessment, mover: Side) -> String {
        assessment.sentence(mover, &|side| ["Black", "Red"][side.index()].to_owned())
    }

    #[test]
    fn a_position_is_put_in_words() {
        let searched = Assessment::searched;
        for (assessment, words) in [
            (searched(Score::win_in(5)), "Red wins in 3."),
            (searched(Score::loss_in(6)), "Black wins in 3."),
            (Assessment::LOST, "Red has lost."),
            (Assessment::DRAWN, "A draw with best play."),
            (searched(Score::DRAW), "Even."),
            (searched(Score::men(-24)), "Even."),
            (searched(Score::men(148)), "Red is 1.5 men ahead."),
            (searched(Score::men(-1_004)), "Black is 10.0 men ahead."),
        ] {
            assert_eq!(sentence(assessment, Side::White), words);
        }
    }

    #[test]
    fn a_proven_result_is_certain_and_a_score_never_is() {
        let chances = |score| Assessment::searched(score).winning_chances();
        let proven =
            [chances(Score::win_in(40)), Assessment::DRAWN.winning_chances(), chances(Score::loss_in(3))];
        assert_eq!(proven.map(|chances| (200.0 * chances) as u32), [200, 100, 0]);
        assert!(chances(Score::men(900)) < 1.0 && chances(Score::men(900)) > 0.99);
        let e = chances(Score::men(Network::HUNDREDTHS));
        assert!((e / (1.0 - e) - core::f64::consts::E).abs() < 1e-9, "the scale of the evaluation: {e}");
    }

    #[test]
    fn a_move_is_worth_what_comes_after_it_seen_from_the_other_side() {
        let before = |score| Assessment::searched(score).before_the_move().score();
        assert_eq!(before(Score::win_in(4)), Score::loss_in(5));
        assert_eq!(before(Score::men(30)), Score::men(-30));
        assert_eq!(Assessment::LOST.before_the_move().score(), Score::win_in(1));
        assert_eq!(Assessment::DRAWN.before_the_move(), Assessment::DRAWN);
    }
}
