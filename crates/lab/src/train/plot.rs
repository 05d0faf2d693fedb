//! The losses of a fit as a picture.

use core::fmt::Write;

use super::fit::Losses;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
/// Room for the numbers on the left and below.
const LEFT: f64 = 70.0;
const BELOW: f64 = 40.0;
const MARGIN: f64 = 20.0;

/// Both losses after each pass, as SVG.
pub fn plot(losses: &[Losses]) -> String {
    let all = losses.iter().flat_map(|loss| [loss.learnt, loss.held_out]);
    let (least, most) =
        all.fold((f64::MAX, f64::MIN), |(least, most), loss| (least.min(loss), most.max(loss)));
    let scale = Scale { passes: losses.len(), least, most };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for share in [0.0, 0.5, 1.0] {
        let loss = least + share * (most - least);
        let y = scale.y(loss);
        let right = WIDTH - MARGIN;
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"8\" y=\"{:.1}\">{loss:.4}</text>", y + 4.0);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\">loss after passes 1 to {}</text>",
        HEIGHT - 12.0,
        losses.len()
    );
    let mut draw = |name: &str, colour: &str, x: f64, loss: fn(&Losses) -> f64| {
        let point = |(pass, losses)| format!("{:.1},{:.1}", scale.x(pass), scale.y(loss(losses)));
        let points = losses.iter().enumerate().map(point).collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{name}</text>",
            HEIGHT - 12.0
        );
    };
    draw("learnt", "#b3412e", 300.0, |loss| loss.learnt);
    draw("held out", "#2e6f40", 400.0, |loss| loss.held_out);
    svg.push_str("</svg>\n");
    svg
}

struct Scale {
    passes: usize,
    least: f64,
    most: f64,
}

impl Scale {
    fn x(&self, pass: usize) -> f64 {
        LEFT + (WIDTH - LEFT - MARGIN) * pass as f64 / self.passes.saturating_sub(1).max(1) as f64
    }

    fn y(&self, loss: f64) -> f64 {
        let share = (loss - self.least) / (self.most - self.least).max(f64::MIN_POSITIVE);
        HEIGHT - BELOW - (HEIGHT - BELOW - MARGIN) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_loss_is_at_the_top_and_the_smallest_at_the_bottom() {
        let svg = plot(&[Losses { learnt: 0.5, held_out: 0.6 }, Losses { learnt: 0.4, held_out: 0.55 }]);
        assert!(svg.contains("points=\"70.0,150.0 620.0,280.0\""), "{svg}");
        assert!(svg.contains("points=\"70.0,20.0 620.0,85.0\""), "{svg}");
    }

    #[test]
    fn a_single_pass_can_be_drawn() {
        assert!(!plot(&[Losses { learnt: 0.5, held_out: 0.5 }]).contains("NaN"));
    }
}
