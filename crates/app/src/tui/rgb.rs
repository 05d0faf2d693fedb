//! RGB colours and their nearest match in the xterm 256-colour palette.

use ratatui::style::Color;

use super::look::Colours;

/// Red, green and blue, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Rgb {
    pub(crate) const BLACK: Rgb = Rgb(0, 0, 0);
    pub(crate) const WHITE: Rgb = Rgb(255, 255, 255);

    /// Mixes in a share of another colour, from 0 (none of it) to 1 (only it).
    #[must_use]
    pub(crate) fn mixed(self, other: Rgb, share: f32) -> Rgb {
        let mix = |a: u8, b: u8| {
            let (a, b) = (f32::from(a), f32::from(b));
            (a + (b - a) * share.clamp(0.0, 1.0)).round() as u8
        };
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// The perceived brightness, from 0 to 1.
    pub(crate) fn brightness(self) -> f32 {
        (0.299 * f32::from(self.0) + 0.587 * f32::from(self.1) + 0.114 * f32::from(self.2)) / 255.0
    }

    /// The colour for a terminal. The 16-colour and monochrome renderers do not use it.
    pub(crate) fn color(self, colours: Colours) -> Color {
        match colours {
            Colours::True => Color::Rgb(self.0, self.1, self.2),
            Colours::Indexed => Color::Indexed(self.nearest()),
            Colours::Ansi | Colours::Mono => Color::Reset,
        }
    }

    /// The nearest colour in xterm's 6×6×6 cube and its 24 greys.
    fn nearest(self) -> u8 {
        let step =
            |value: u8| (0..6u8).min_by_key(|&step| value.abs_diff(CUBE[usize::from(step)])).unwrap_or(0);
        let (r, g, b) = (step(self.0), step(self.1), step(self.2));
        let cube = Rgb(CUBE[usize::from(r)], CUBE[usize::from(g)], CUBE[usize::from(b)]);
        let mean = (u16::from(self.0) + u16::from(self.1) + u16::from(self.2)) / 3;
        let grey_step = (mean.saturating_sub(3) / 10).min(23) as u8;
        let grey = 8 + 10 * grey_step;
        if self.distance(Rgb(grey, grey, grey)) < self.distance(cube) {
            232 + grey_step
        } else {
            16 + 36 * r + 6 * g + b
        }
    }

    /// The perceived difference of two colours: by channel and, because a wrong hue is worse, by the gaps between
    /// channels.
    fn distance(self, other: Rgb) -> i32 {
        let gap = |a: u8, b: u8| i32::from(a) - i32::from(b);
        let (r, g, b) = (gap(self.0, other.0), gap(self.1, other.1), gap(self.2, other.2));
        r * r + g * g + b * b + (r - g).pow(2) + (g - b).pow(2)
    }
}

/// The levels of each channel in xterm's cube.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_cube_and_greys_are_found_again() {
        assert_eq!(Rgb(255, 0, 0).nearest(), 196);
        assert_eq!(Rgb(135, 95, 0).nearest(), 94);
        assert_eq!(Rgb(0, 0, 0).nearest(), 16);
        assert_eq!(Rgb(48, 48, 48).nearest(), 236);
        assert_eq!(Rgb(238, 238, 238).nearest(), 255);
    }

    #[test]
    fn a_mixture_lies_between() {
        assert_eq!(Rgb::BLACK.mixed(Rgb::WHITE, 0.0), Rgb::BLACK);
        assert_eq!(Rgb::BLACK.mixed(Rgb(200, 100, 50), 0.5), Rgb(100, 50, 25));
        assert_eq!(Rgb::BLACK.mixed(Rgb::WHITE, 7.0), Rgb::WHITE);
    }
}
