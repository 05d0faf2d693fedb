//! Judgement of moves: the thresholds for inaccuracies, mistakes and blunders, and the accuracy formula.
//!
//! A move is judged by the winning chances that it gave away: the expected points of its side after the best move,
//! minus those after the move that was played ([`Assessment::winning_chances`](crate::Assessment::winning_chances)). A
//! proven win counts 1, a proven draw ½, a proven loss 0, so missing a faster win costs nothing, and losing a man costs
//! little in a lost game.
//!
//! | loses at least | judgement | marked | from an even position about |
//! |---|---|---|---|
//! | 0.07 | an inaccuracy | `?!` | a quarter of a man |
//! | 0.15 | a mistake | `?` | half a man |
//! | 0.25 | a blunder | `??` | a whole man, or any proven result |
//!
//! A forced move (the only legal one) and the engine's best move give nothing away, whatever the search finds after
//! them. No move is praised: proving that a move was the only good one would take a second search.
//!
//! The accuracy of a move is 100 · e^(−loss / 0.25) percent: 100 if nothing was given away, 37 at the threshold of a
//! blunder, 14 for a win that became a draw. The accuracy of a side is the mean over its moves that were not forced.

use serde::Serialize;

/// The judgement on a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// The accuracy of each side in percent; `None` for a side that never had a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Accuracy {
    /// Of Black, to one decimal.
    pub black: Option<f64>,
    /// Of White, to one decimal.
    pub white: Option<f64>,
}

impl Judgement {
    /// The judgement on a move that gave away these winning chances, if it was bad at all.
    pub fn of(lost_chances: f64) -> Option<Judgement> {
        let rising = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];
        rising.into_iter().rfind(|judgement| lost_chances >= judgement.least_lost())
    }

    /// The smallest loss of winning chances that earns this judgement.
    pub const fn least_lost(self) -> f64 {
        match self {
            Judgement::Inaccuracy => 0.07,
            Judgement::Mistake => 0.15,
            Judgement::Blunder => 0.25,
        }
    }

    /// The mark that follows the move.
    pub const fn glyph(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }
}

/// The accuracy of a move that gave away these winning chances, in percent.
pub fn move_accuracy(lost_chances: f64) -> f64 {
    100.0 * (-lost_chances / Judgement::Blunder.least_lost()).exp()
}

/// The mean, to one decimal.
pub(super) fn mean(accuracies: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = accuracies.fold((0_u32, 0.0), |(count, sum), accuracy| (count + 1, sum + accuracy));
    (count > 0).then(|| (10.0 * sum / f64::from(count)).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_is_lost_the_worse_the_judgement() {
        let glyph = |lost| Judgement::of(lost).map_or("", Judgement::glyph);
        assert_eq!(
            [0.0, 0.069, 0.07, 0.149, 0.15, 0.249, 0.25, 1.0].map(glyph),
            ["", "", "?!", "?!", "?", "?", "??", "??"]
        );
    }

    #[test]
    fn accuracy_falls_from_100_percent_and_is_averaged() {
        let rounded = |lost| move_accuracy(lost).round() as u32;
        assert_eq!([0.0, 0.05, 0.25, 0.5].map(rounded), [100, 82, 37, 14]);
        assert_eq!(mean([100.0, 37.46].into_iter()), Some(68.7));
        assert_eq!(mean(core::iter::empty()), None);
    }
}
