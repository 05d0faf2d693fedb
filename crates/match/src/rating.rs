//! Rating statistics: Elo with its error, the sequential probability ratio test (SPRT), and rating lists.

pub mod bradley_terry;

use crownhead_tablebase::Wdl;

/// Results of one player against another. Games come in pairs from one opening with colours reversed, and statistics
/// are over the scores of pairs (pentanomial), since the two games of an opening are not independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their score in half points, 0 to 4.
    pentanomial: [u64; 5],
}

/// An Elo difference with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The most likely difference.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

/// 95 % of a normal distribution lie within this many standard deviations.
const Z_95: f64 = 1.959_964;

const fn half_points(result: Wdl) -> usize {
    match result {
        Wdl::Win => 2,
        Wdl::Draw => 1,
        Wdl::Loss => 0,
    }
}

impl Results {
    /// Adds a pair of games.
    pub fn add(&mut self, pair: [Wdl; 2]) {
        for result in pair {
            match result {
                Wdl::Win => self.wins += 1,
                Wdl::Draw => self.draws += 1,
                Wdl::Loss => self.losses += 1,
            }
        }
        self.pentanomial[half_points(pair[0]) + half_points(pair[1])] += 1;
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, from 0 to 1; one half before the first game.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Has each side scored, so that the score gives a finite difference?
    pub fn has_elo(&self) -> bool {
        self.points() > 0.0 && self.points() < self.games() as f64
    }

    /// One for a win and one half for a draw.
    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The difference in strength that these results suggest.
    pub fn elo(&self) -> Elo {
        let margin = Z_95 * (self.variance() / self.pair_count().max(1.0)).sqrt();
        let score = self.score();
        let (low, high) = (elo_of(score - margin), elo_of(score + margin));
        Elo { difference: elo_of(score), error: (high - low) / 2.0 }
    }

    fn pair_count(&self) -> f64 {
        self.pentanomial.iter().sum::<u64>() as f64
    }

    /// The variance of the score of a pair, in points per game. The prior is one pair, spread over all scores, so that
    /// a few equal results do not pass for certainty.
    fn variance(&self) -> f64 {
        let weights = self.pentanomial.map(|count| count as f64 + 0.2);
        let total: f64 = weights.iter().sum();
        let points = |half_points: usize| half_points as f64 / 4.0;
        let mean = weights.iter().enumerate().map(|(i, weight)| weight * points(i)).sum::<f64>() / total;
        weights.iter().enumerate().map(|(i, weight)| weight * (points(i) - mean).powi(2)).sum::<f64>() / total
    }
}

/// The difference in Elo that corresponds to a score. Scores near 0 and 1 are clamped.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(1e-4, 1.0 - 1e-4);
    400.0 * (score / (1.0 - score)).log10()
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The sequential probability ratio test (SPRT): is the difference `elo1` rather than `elo0`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The difference is `elo1` or more.
    Accepted,
    /// The difference is `elo0` or less.
    Rejected,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The log-likelihood ratio at which the test ends either way: 5 % errors of either kind.
    pub const BOUND: f64 = 2.944_439;

    /// A test of the difference `elo1` against `elo0`, the null hypothesis; `None` unless both are finite and the first
    /// is the smaller one.
    pub fn new(elo0: f64, elo1: f64) -> Option<Sprt> {
        (elo0.is_finite() && elo1.is_finite() && elo0 < elo1).then_some(Sprt { elo0, elo1 })
    }

    /// The two differences, the smaller one first.
    pub fn elo(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The log-likelihood ratio of the two hypotheses.
    pub fn ratio(&self, results: &Results) -> f64 {
        let (score0, score1) = (score_of(self.elo0), score_of(self.elo1));
        let gain = (score1 - score0) * (2.0 * results.score() - score0 - score1);
        results.pair_count() * gain / (2.0 * results.variance())
    }

    /// The decision after these results.
    pub fn decision(&self, results: &Results) -> Decision {
        match self.ratio(results) {
            ratio if ratio >= Sprt::BOUND => Decision::Accepted,
            ratio if ratio <= -Sprt::BOUND => Decision::Rejected,
            _ => Decision::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(pairs: &[([Wdl; 2], u64)]) -> Results {
        let mut results = Results::default();
        for &(pair, count) in pairs {
            (0..count).for_each(|_| results.add(pair));
        }
        results
    }

    use Wdl::{Draw, Loss, Win};

    #[test]
    fn elo_follows_from_the_score() {
        let even = results(&[([Win, Loss], 50), ([Draw, Draw], 50)]);
        assert_eq!((even.games(), even.score()), (200, 0.5));
        assert!(even.elo().difference.abs() < 1e-9);
        let three_quarters = results(&[([Win, Draw], 400)]);
        assert!((three_quarters.elo().difference - 190.85).abs() < 0.01);
    }

    #[test]
    fn the_error_shrinks_with_the_root_of_the_games() {
        let some = |n| results(&[([Win, Draw], n), ([Draw, Loss], n), ([Draw, Draw], n)]).elo().error;
        assert!((some(100) / some(400) - 2.0).abs() < 0.05);
        // 300 pairs with a standard deviation of sqrt(1/24) points: 1.96 × 0.204 / sqrt(300) = 0.0231, that is 16 Elo.
        assert!((some(100) - 16.1).abs() < 0.3, "{}", some(100));
    }

    #[test]
    fn nothing_is_certain_before_the_first_game() {
        let nothing = Results::default();
        assert!(nothing.elo().error > 200.0);
        assert_eq!(Sprt { elo0: 0.0, elo1: 10.0 }.decision(&nothing), Decision::Open);
    }

    #[test]
    fn one_sided_results_have_no_elo() {
        let telling = [[Draw, Draw], [Win, Draw], [Loss, Win]];
        assert!(telling.iter().all(|&pair| results(&[(pair, 1)]).has_elo()));
        assert!(![[Win, Win], [Loss, Loss]].iter().any(|&pair| results(&[(pair, 9)]).has_elo()));
        assert!(!Results::default().has_elo());
    }

    #[test]
    fn a_sequential_test_needs_two_differences() {
        assert!(Sprt::new(-5.0, 0.0).is_some());
        for [elo0, elo1] in [[10.0, 0.0], [0.0, 0.0], [f64::NAN, 5.0], [0.0, f64::NAN], [0.0, f64::INFINITY]]
        {
            assert_eq!(Sprt::new(elo0, elo1), None);
        }
    }

    #[test]
    fn the_sequential_test_decides_both_ways() {
        let test = Sprt { elo0: 0.0, elo1: 10.0 };
        let better = results(&[([Win, Draw], 300), ([Draw, Draw], 600), ([Draw, Loss], 100)]);
        let worse = results(&[([Win, Draw], 100), ([Draw, Draw], 600), ([Draw, Loss], 300)]);
        assert_eq!(test.decision(&better), Decision::Accepted);
        assert_eq!(test.decision(&worse), Decision::Rejected);
        assert_eq!(test.decision(&results(&[([Draw, Draw], 20)])), Decision::Open);
    }
}
