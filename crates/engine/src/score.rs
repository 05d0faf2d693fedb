//! What a position is worth to the side to move: so many men, or an end that is certain.

use core::fmt;
use core::ops::{Add, Neg, Sub};

/// The most plies that a search looks ahead.
pub(crate) const MAX_PLY: usize = 128;

/// A value for the side to move. Larger is better.
///
/// Zero is kept for draws; an evaluation is never zero. Ends that are certain lie beyond all evaluations, the nearer
/// wins above the farther ones, and below those the wins that a table promises without saying how far off they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// A [`Score`] in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreKind {
    /// So many hundredths of a man ahead, in the opinion of the evaluation.
    Men(i32),
    /// Wins by force; in so many plies (moves of both sides) if that is known.
    Wins(Option<u32>),
    /// Loses by force; in so many plies if that is known.
    Loses(Option<u32>),
    /// Ends in a draw, by the tables or as far as the search sees.
    Draw,
}

impl Score {
    /// Nobody wins.
    pub const DRAW: Score = Score(0);

    /// Beyond every score that occurs.
    pub(crate) const INFINITE: Score = Score(32_000);
    /// A win at once. One less for each ply until it happens.
    const WON: i32 = 31_000;
    /// The farthest win of known distance.
    const FARTHEST_WIN: i32 = 30_000;
    /// A win of unknown distance, found here. One less for each ply from the root.
    const TABLEBASE_WIN: i32 = 29_000;
    /// No evaluation is larger.
    const MOST_MEN: i32 = 20_000;

    /// So many hundredths of a man ahead; never a draw and never a certain end.
    #[inline]
    pub fn men(hundredths: i32) -> Score {
        let hundredths = hundredths.clamp(-Score::MOST_MEN, Score::MOST_MEN);
        Score(if hundredths == 0 { 1 } else { hundredths })
    }

    /// Wins in so many plies.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        let plies = plies as i32;
        Score(if plies < Score::WON - Score::FARTHEST_WIN { Score::WON - plies } else { Score::FARTHEST_WIN })
    }

    /// Loses in so many plies.
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        Score(-Score::win_in(plies).0)
    }

    /// Wins, nobody knows how soon; found so many plies from the root.
    #[inline]
    pub(crate) const fn tablebase_win(ply: usize) -> Score {
        Score(Score::TABLEBASE_WIN - ply as i32)
    }

    /// What it says.
    pub const fn kind(self) -> ScoreKind {
        let plies =
            if self.0.abs() >= Score::FARTHEST_WIN { Some((Score::WON - self.0.abs()) as u32) } else { None };
        match self.0 {
            0 => ScoreKind::Draw,
            score if score > Score::MOST_MEN => ScoreKind::Wins(plies),
            score if score < -Score::MOST_MEN => ScoreKind::Loses(plies),
            score => ScoreKind::Men(score),
        }
    }

    /// Hundredths of a man; a certain end counts as very many.
    #[inline]
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// Men as protocols and files have them: a certain win is 100 men, less a hundredth for each ply that it takes, and
    /// 90 where nobody knows how many.
    pub fn in_men(self) -> f64 {
        let win = |plies: Option<u32>| 100.0 - f64::from(plies.unwrap_or(1000)) / 100.0;
        match self.kind() {
            ScoreKind::Men(hundredths) => f64::from(hundredths) / 100.0,
            ScoreKind::Wins(plies) => win(plies),
            ScoreKind::Loses(plies) => -win(plies),
            ScoreKind::Draw => 0.0,
        }
    }

    /// Is it a certain win or loss?
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Score::MOST_MEN
    }

    /// The same end, reckoned from a position `ply` plies further on: as the hash table keeps it.
    #[inline]
    pub(crate) fn to_tt(self, ply: usize) -> i16 {
        let ply = if self.is_decided() { ply as i32 * self.0.signum() } else { 0 };
        (self.0 + ply) as i16
    }

    /// Undoes [`to_tt`](Score::to_tt).
    #[inline]
    pub(crate) fn from_tt(kept: i16, ply: usize) -> Score {
        let score = Score(i32::from(kept));
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

/// `+0.42`, `wins in 7`, `loses`; distances in plies. A draw is `+0.00`, for a search that sees one has not proven it.
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
    fn an_end_keeps_its_distance_through_the_hash_table() {
        let seen = Score::win_in(9);
        let kept = seen.to_tt(4);
        assert_eq!(Score::from_tt(kept, 4), seen);
        assert_eq!(Score::from_tt(kept, 0), Score::win_in(5));
        assert_eq!(Score::from_tt(Score::loss_in(8).to_tt(3), 1), Score::loss_in(6));
        assert_eq!(Score::from_tt(Score::men(-70).to_tt(3), 9), Score::men(-70));
    }
}
