//! Scores: an evaluation in hundredths of a man, a draw, or a proven win or loss with its distance.

use core::fmt;
use core::ops::{Add, Neg, Sub};

/// The maximum ply of a search.
pub(crate) const MAX_PLY: usize = 128;

/// The score of a position for the side to move. Larger is better.
///
/// Zero is reserved for draws; an evaluation is never zero. Proven wins lie above all evaluations: near ones above far
/// ones, and below those the tablebase wins of unknown distance. Losses mirror them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// What a [`Score`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreKind {
    /// The evaluation, in hundredths of a man.
    Men(i32),
    /// A forced win; the distance in plies, if known.
    Wins(Option<u32>),
    /// A forced loss; the distance in plies, if known.
    Loses(Option<u32>),
    /// A draw by the tablebase, or as far as the search sees.
    Draw,
}

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);

    /// Above every score of a position.
    pub(crate) const INFINITE: Score = Score(32_000);
    /// A win on the board. One less for each ply until it is reached.
    const WON: i32 = 31_000;
    /// The farthest win of known distance.
    const FARTHEST_WIN: i32 = 30_000;
    /// A win of unknown distance at the root. One less for each ply from the root.
    const TABLEBASE_WIN: i32 = 29_000;
    /// The largest evaluation.
    const MAX_EVALUATION: i32 = 20_000;

    /// An evaluation in hundredths of a man; never a draw, a win or a loss.
    #[inline]
    pub fn men(hundredths: i32) -> Score {
        let hundredths = hundredths.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION);
        Score(if hundredths == 0 { 1 } else { hundredths })
    }

    /// A win in this many plies.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        let plies = plies as i32;
        Score(if plies < Score::WON - Score::FARTHEST_WIN { Score::WON - plies } else { Score::FARTHEST_WIN })
    }

    /// A loss in this many plies.
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        Score(-Score::win_in(plies).0)
    }

    /// A win of unknown distance, found `ply` plies from the root.
    #[inline]
    pub(crate) const fn tablebase_win(ply: usize) -> Score {
        Score(Score::TABLEBASE_WIN - ply as i32)
    }

    /// What the score says.
    pub const fn kind(self) -> ScoreKind {
        let plies =
            if self.0.abs() >= Score::FARTHEST_WIN { Some((Score::WON - self.0.abs()) as u32) } else { None };
        match self.0 {
            0 => ScoreKind::Draw,
            score if score > Score::MAX_EVALUATION => ScoreKind::Wins(plies),
            score if score < -Score::MAX_EVALUATION => ScoreKind::Loses(plies),
            score => ScoreKind::Men(score),
        }
    }

    /// Hundredths of a man; wins and losses have values far beyond any evaluation.
    #[inline]
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// Men, as protocols and files write scores: a win is 100 men, less a hundredth for each ply to it, and 90 if the
    /// distance is unknown.
    pub fn in_men(self) -> f64 {
        let win = |plies: Option<u32>| 100.0 - f64::from(plies.unwrap_or(1000)) / 100.0;
        match self.kind() {
            ScoreKind::Men(hundredths) => f64::from(hundredths) / 100.0,
            ScoreKind::Wins(plies) => win(plies),
            ScoreKind::Loses(plies) => -win(plies),
            ScoreKind::Draw => 0.0,
        }
    }

    /// Is it a proven win or loss?
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Score::MAX_EVALUATION
    }

    /// The score as the transposition table stores it: distances count from the position, not from the root.
    #[inline]
    pub(crate) fn to_tt(self, ply: usize) -> i16 {
        let ply = if self.is_decided() { ply as i32 * self.0.signum() } else { 0 };
        (self.0 + ply) as i16
    }

    /// Undoes [`to_tt`](Score::to_tt).
    #[inline]
    pub(crate) fn from_tt(stored: i16, ply: usize) -> Score {
        let score = Score(i32::from(stored));
        let ply = if score.is_decided() { ply as i32 * score.0.signum() } else { 0 };
        Score(score.0 - ply)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, hundredths: i32) -> Score {
        Score(self.0 + hundredths)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, hundredths: i32) -> Score {
        Score(self.0 - hundredths)
    }
}

/// `+0.42`, `wins in 7`, `loses`; distances in plies. A draw is `+0.00`, since a search that sees one has not proven
/// it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Men(hundredths) => {
                let sign = if hundredths < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
            }
            ScoreKind::Wins(Some(plies)) => write!(f, "wins in {plies}"),
            ScoreKind::Loses(Some(plies)) => write!(f, "loses in {plies}"),
            ScoreKind::Wins(None) => f.write_str("wins"),
            ScoreKind::Loses(None) => f.write_str("loses"),
            ScoreKind::Draw => f.write_str("+0.00"),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_says_what_it_means() {
        let words = |score: Score| score.to_string();
        assert_eq!(words(Score::men(142)), "+1.42");
        assert_eq!(words(Score::men(-5)), "-0.05");
        assert_eq!(words(Score::men(0)), "+0.01");
        assert_eq!(words(Score::DRAW), "+0.00");
        assert_eq!(words(Score::win_in(7)), "wins in 7");
        assert_eq!(words(Score::loss_in(0)), "loses in 0");
        assert_eq!(words(-Score::tablebase_win(3)), "loses");
    }

    #[test]
    fn better_scores_are_larger() {
        let rising = [
            -Score::INFINITE,
            Score::loss_in(2),
            Score::loss_in(50),
            -Score::tablebase_win(9),
            Score::men(-99_999),
            Score::DRAW,
            Score::men(30),
            Score::men(99_999),
            Score::tablebase_win(9),
            Score::win_in(51),
            Score::win_in(1),
            Score::INFINITE,
        ];
        assert!(rising.is_sorted());
    }

    #[test]
    fn a_distance_survives_the_transposition_table() {
        let seen = Score::win_in(9);
        let stored = seen.to_tt(4);
        assert_eq!(Score::from_tt(stored, 4), seen);
        assert_eq!(Score::from_tt(stored, 0), Score::win_in(5));
        assert_eq!(Score::from_tt(Score::loss_in(8).to_tt(3), 1), Score::loss_in(6));
        assert_eq!(Score::from_tt(Score::men(-70).to_tt(3), 9), Score::men(-70));
    }
}
