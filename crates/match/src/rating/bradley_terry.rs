//! Rating lists: Bradley–Terry ratings of many players from their results against each other, with a plot.

use core::fmt::Write;

use super::Results;

/// The results of two players against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Their indices in the list of players.
    pub players: [usize; 2],
    /// The results of the first one.
    pub results: Results,
}

/// Iterations of the minorization–maximization algorithm; far more than a few dozen players need.
const ITERATIONS: usize = 20_000;

/// The maximum-likelihood ratings in Elo above the first player.
///
/// Every meeting counts one more drawn game, so that a clean sheet is not infinitely better. Players who never met, not
/// even through others, cannot be compared.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for Meeting { players: [a, b], results } in meetings {
        points[*a] += results.points() + 0.5;
        points[*b] += results.games() as f64 - results.points() + 0.5;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..ITERATIONS {
        let mut expected = vec![0.0; players];
        for Meeting { players: [a, b], results } in meetings {
            let share = (results.games() as f64 + 1.0) / (strengths[*a] + strengths[*b]);
            expected[*a] += share;
            expected[*b] += share;
        }
        for ((strength, points), expected) in strengths.iter_mut().zip(&points).zip(&expected) {
            *strength = points / expected;
        }
    }
    let elo = |strength: f64| 400.0 * (strength / strengths[0]).log10();
    strengths.iter().copied().map(elo).collect()
}

const WIDTH: f64 = 640.0;
const ROW: f64 = 30.0;
/// Room for the names on the left and the numbers on the right.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 70.0;

/// Names and ratings from top to bottom, as SVG.
pub fn plot(ratings: &[(String, f64)]) -> String {
    let elos = || ratings.iter().map(|(_, elo)| *elo);
    let least = elos().fold(f64::MAX, f64::min);
    let span = (elos().fold(f64::MIN, f64::max) - least).max(1.0);
    let height = ROW * (ratings.len() as f64 + 0.5);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (row, (name, elo)) in ratings.iter().enumerate() {
        let y = ROW * (row as f64 + 0.75);
        let x = LEFT + (WIDTH - LEFT - RIGHT) * (elo - least) / span;
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{:.1}\">{name}</text><path d=\"M{LEFT} {y:.1}H{x:.1}\" stroke=\"#b3412e\" \
             stroke-width=\"3\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"#b3412e\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{elo:+.0}</text>",
            y + 5.0,
            x + 13.0,
            y + 5.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_tablebase::Wdl::{self, Draw, Loss, Win};

    fn meeting(players: [usize; 2], pairs: &[[Wdl; 2]]) -> Meeting {
        let mut results = Results::default();
        for _ in 0..250 {
            for &pair in pairs {
                results.add(pair);
            }
        }
        Meeting { players, results }
    }

    #[test]
    fn differences_add_up_where_the_results_agree() {
        // Three of four points are 191 Elo.
        let better = [[Win, Draw], [Draw, Win]];
        let elos = ratings(3, &[meeting([1, 0], &better), meeting([2, 1], &better)]);
        assert!(elos[0].abs() < 1e-9);
        assert!((elos[1] - 191.0).abs() < 1.0 && (elos[2] - 382.0).abs() < 2.0, "{elos:?}");
    }

    #[test]
    fn contradictory_results_are_averaged() {
        let even = [[Win, Loss]];
        let better = [[Win, Draw]];
        let round = [meeting([1, 0], &better), meeting([2, 1], &better), meeting([2, 0], &even)];
        let elos = ratings(3, &round);
        assert!(elos[1].abs() > 10.0 && elos[2] > elos[0] && elos[2] < 382.0, "{elos:?}");
    }

    #[test]
    fn a_clean_sheet_is_not_infinitely_better() {
        let elos = ratings(2, &[meeting([1, 0], &[[Win, Win]])]);
        assert!(elos[1].is_finite() && elos[1] > 1000.0, "{elos:?}");
    }

    #[test]
    fn the_strongest_reaches_the_right_edge() {
        let svg = plot(&[("weak".into(), 0.0), ("strong".into(), 300.0)]);
        assert!(svg.contains("H570.0") && svg.contains("H90.0") && svg.contains("+300"), "{svg}");
    }
}
