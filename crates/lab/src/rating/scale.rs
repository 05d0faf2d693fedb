//! Many players on one scale of strength, and the scale as a picture.

use core::fmt::Write;

use super::Tally;

/// How two players did against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Their places in the list of players.
    pub players: [usize; 2],
    /// The games, from the first one's side.
    pub tally: Tally,
}

/// Rounds of improvement; far more than a few dozen players need.
const ROUNDS: usize = 20_000;

/// The strength of each player that makes the results the likeliest, in Elo above the first player.
///
/// Every meeting counts as if it had one more drawn game, so that a clean sheet is not infinitely better. Players who
/// never met, not even by way of others, cannot be compared.
pub fn scale(players: usize, meetings: &[Meeting]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for Meeting { players: [a, b], tally } in meetings {
        points[*a] += tally.points() + 0.5;
        points[*b] += tally.games() as f64 - tally.points() + 0.5;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..ROUNDS {
        let mut expected = vec![0.0; players];
        for Meeting { players: [a, b], tally } in meetings {
            let share = (tally.games() as f64 + 1.0) / (strengths[*a] + strengths[*b]);
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

/// Names and strengths from top to bottom, as SVG.
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
    use super::super::Point::{Draw, Loss, Win};
    use super::*;

    fn meeting(players: [usize; 2], pairs: &[[super::super::Point; 2]]) -> Meeting {
        let mut tally = Tally::default();
        for _ in 0..250 {
            for &pair in pairs {
                tally.add(pair);
            }
        }
        Meeting { players, tally }
    }

    #[test]
    fn distances_add_up_where_the_results_agree() {
        // Three of four points are 191 Elo.
        let better = [[Win, Draw], [Draw, Win]];
        let elos = scale(3, &[meeting([1, 0], &better), meeting([2, 1], &better)]);
        assert!(elos[0].abs() < 1e-9);
        assert!((elos[1] - 191.0).abs() < 1.0 && (elos[2] - 382.0).abs() < 2.0, "{elos:?}");
    }

    #[test]
    fn results_that_disagree_are_weighed_against_each_other() {
        let even = [[Win, Loss]];
        let better = [[Win, Draw]];
        let round = [meeting([1, 0], &better), meeting([2, 1], &better), meeting([2, 0], &even)];
        let elos = scale(3, &round);
        assert!(elos[1].abs() > 10.0 && elos[2] > elos[0] && elos[2] < 382.0, "{elos:?}");
    }

    #[test]
    fn a_clean_sheet_is_not_infinite() {
        let elos = scale(2, &[meeting([1, 0], &[[Win, Win]])]);
        assert!(elos[1].is_finite() && elos[1] > 1000.0, "{elos:?}");
    }

    #[test]
    fn the_strongest_reaches_the_right_edge() {
        let svg = plot(&[("weak".into(), 0.0), ("strong".into(), 300.0)]);
        assert!(svg.contains("H570.0") && svg.contains("H90.0") && svg.contains("+300"), "{svg}");
    }
}
