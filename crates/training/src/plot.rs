//! Plots the loss curves of a training run as SVG.

use core::fmt::Write;

use crate::trainer::Losses;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Room for the title above, the epochs below, the losses on the left, and half a number on the right.
const ABOVE: f64 = 70.0;
const BELOW: f64 = 56.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
/// The positions of the legend entries for the two curves and the ring, above all lines.
const LEGEND: [f64; 3] = [LEFT, LEFT + 110.0, LEFT + 231.0];
const LEGEND_Y: f64 = 52.0;
/// The baseline of a text is this much lower than the thing that it labels.
const TEXT_DROP: f64 = 4.5;
/// The most grid lines, and the most epochs that are labelled.
const MAX_LINES: f64 = 6.0;
const MAX_NUMBERS: usize = 16;
/// Smaller differences of loss are not readable.
const MIN_STEP: f64 = 1e-4;

/// Light and dark colours, so that the picture fits into a page of either theme.
const STYLE: &str = "\
svg { --paper: #fff; --ink: #24292f; --grid: #d8dee4; --training: #b3412e; --validation: #1f5f9e; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #161b22; --ink: #d5dbe2; --grid: #343b44; --training: #f0836f; --validation: #6cb2f0; }
}
.paper { fill: var(--paper); }
.grid { stroke: var(--grid); }
.axis { stroke: var(--ink); }
text { fill: var(--ink); }
.title { font-size: 16px; font-weight: 600; }
.number { text-anchor: end; }
.middle { text-anchor: middle; }
.training { --colour: var(--training); }
.validation { --colour: var(--validation); }
.curve { fill: none; stroke: var(--colour); stroke-width: 2.5; stroke-linejoin: round; }
.dot { fill: var(--colour); }
.best { fill: none; stroke: var(--ink); stroke-width: 1.5; }
";

/// Training and validation loss after each epoch, as SVG, with a ring around the best checkpoint.
pub fn plot(losses: &[Losses], best: usize) -> String {
    let scale = Scale::of(losses);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, \
         sans-serif\" font-size=\"13\">\n<title>Loss after each epoch</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"30\">Loss after each epoch</text>\n"
    );
    scale.draw(&mut svg);
    let [training, validation, ring] = LEGEND;
    draw_curve(&mut svg, &scale, ("training", training), losses.iter().map(|loss| loss.training));
    draw_curve(&mut svg, &scale, ("validation", validation), losses.iter().map(|loss| loss.validation));
    if let Some(Losses { validation: loss, .. }) = losses.get(best).filter(|loss| loss.validation.is_finite())
    {
        let (x, y) = (scale.x(best), scale.y(*loss));
        let _ = writeln!(
            svg,
            "<circle class=\"best\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\"/>\n\
             <circle class=\"best\" cx=\"{:.1}\" cy=\"{LEGEND_Y}\" r=\"5\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\">best: {loss:.4} after epoch {}</text>",
            ring,
            ring + 13.0,
            LEGEND_Y + TEXT_DROP,
            best + 1
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A curve with its entry in the legend.
fn draw_curve(svg: &mut String, scale: &Scale, (name, left): (&str, f64), losses: impl Iterator<Item = f64>) {
    let points: Vec<(f64, f64)> = losses
        .enumerate()
        .filter(|(_, loss)| loss.is_finite())
        .map(|(epoch, loss)| (scale.x(epoch), scale.y(loss)))
        .collect();
    let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<g class=\"{name}\">\n<path class=\"curve\" d=\"M{left} {LEGEND_Y}h24\"/>\n<text x=\"{}\" y=\"{}\">{name}</text>\n\
         <polyline class=\"curve\" points=\"{}\"/>",
        left + 32.0,
        LEGEND_Y + TEXT_DROP,
        line.join(" ")
    );
    for (x, y) in points {
        let _ = writeln!(svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
    }
    svg.push_str("</g>\n");
}

/// The axes: where epochs and losses are in the picture.
struct Scale {
    epochs: usize,
    /// The lowest line and the highest one, counted in steps from zero.
    lines: [f64; 2],
    /// From line to line, a round number.
    step: f64,
}

impl Scale {
    fn of(losses: &[Losses]) -> Scale {
        let all = || {
            losses.iter().flat_map(|loss| [loss.training, loss.validation]).filter(|loss| loss.is_finite())
        };
        let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
        let least = least.min(most);
        // Two lines are left for rounding the ends outwards.
        let step = round_up(((most - least) / (MAX_LINES - 2.0)).max(MIN_STEP));
        let lines = [(least / step).floor(), (most / step).ceil()];
        let lines = if lines[0] < lines[1] { lines } else { [lines[0], lines[0] + 1.0] };
        Scale { epochs: losses.len(), lines, step }
    }

    fn x(&self, epoch: usize) -> f64 {
        let share = if self.epochs > 1 { epoch as f64 / (self.epochs - 1) as f64 } else { 0.5 };
        LEFT + (WIDTH - LEFT - RIGHT) * share
    }

    fn y(&self, loss: f64) -> f64 {
        let [lowest, highest] = self.lines;
        let share = (loss / self.step - lowest) / (highest - lowest);
        HEIGHT - BELOW - (HEIGHT - ABOVE - BELOW) * share
    }

    /// The grid lines with their losses, and the epochs below.
    fn draw(&self, svg: &mut String) {
        let [lowest, highest] = self.lines;
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BELOW);
        let decimals = (-self.step.log10()).ceil().max(0.0) as usize;
        for line in 0..=(highest - lowest) as usize {
            let loss = (lowest + line as f64) * self.step;
            let y = self.y(loss);
            let class = if line == 0 { "axis" } else { "grid" };
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{right}\"/>\n\
                 <text class=\"number\" x=\"{}\" y=\"{:.1}\">{loss:.decimals$}</text>",
                LEFT - 10.0,
                y + TEXT_DROP
            );
        }
        let every = self.epochs.div_ceil(MAX_NUMBERS).max(1);
        for epoch in (0..self.epochs).filter(|epoch| (epoch + 1).is_multiple_of(every)) {
            let (x, number) = (self.x(epoch), epoch + 1);
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{x:.1} {bottom}v5\"/>\n\
                 <text class=\"middle\" x=\"{x:.1}\" y=\"{}\">{number}</text>",
                bottom + 20.0
            );
        }
        let (x, y) = (f64::midpoint(LEFT, right), f64::midpoint(ABOVE, bottom));
        let _ = writeln!(
            svg,
            "<text class=\"middle\" x=\"{x}\" y=\"{}\">epoch</text>\n\
             <text class=\"middle\" transform=\"translate(22 {y}) rotate(-90)\">mean loss, in nats</text>",
            HEIGHT - 12.0
        );
    }
}

/// The next number up that is 1, 2 or 5 times a power of ten.
fn round_up(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= number * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(pairs: &[(f64, f64)]) -> Vec<Losses> {
        pairs.iter().map(|&(training, validation)| Losses { training, validation }).collect()
    }

    #[test]
    fn losses_lie_between_round_numbers_and_epochs_go_from_left_to_right() {
        let svg = plot(&losses(&[(0.5, 0.6), (0.4, 0.55)]), 1);
        for number in ["0.40", "0.45", "0.50", "0.55", "0.60"] {
            assert!(svg.contains(&format!(">{number}</text>")), "{number}: {svg}");
        }
        assert!(svg.contains("points=\"84.0,207.0 692.0,344.0\""), "{svg}");
        assert!(svg.contains("points=\"84.0,70.0 692.0,138.5\""), "{svg}");
        assert!(svg.contains(">best: 0.5500 after epoch 2</text>"), "{svg}");
    }

    #[test]
    fn steps_are_round_numbers() {
        let steps = [0.0007, 0.01, 0.011, 0.3, 6.0].map(round_up);
        for (step, round) in steps.into_iter().zip([0.001, 0.01, 0.02, 0.5, 10.0]) {
            assert!((step / round - 1.0).abs() < 1e-9, "{step} for {round}");
        }
    }

    #[test]
    fn any_number_of_epochs_and_losses_that_are_not_numbers_can_be_drawn() {
        let many: Vec<(f64, f64)> = (1..500).map(|epoch| (0.5, 1.0 / f64::from(epoch))).collect();
        for all in [&[][..], &[(0.5, 0.5)], &[(0.0, 0.0); 2], &[(0.5, 0.6), (f64::NAN, f64::NAN)], &many] {
            let svg = plot(&losses(all), 0);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.matches("class=\"middle\"").count() <= MAX_NUMBERS + 2, "{svg}");
            assert!(svg.matches("class=\"number\"").count() <= MAX_LINES as usize + 1, "{svg}");
        }
    }
}
