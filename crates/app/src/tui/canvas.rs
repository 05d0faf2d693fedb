//! A pixel canvas for the terminal: half-block characters make two roughly square pixels of each cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::look::Colours;
use super::rgb::Rgb;

/// Antialiasing samples per pixel in each direction. Small palettes have no intermediate colours for smooth edges.
const fn samples(colours: Colours) -> usize {
    match colours {
        Colours::True => 4,
        Colours::Indexed | Colours::Ansi | Colours::Mono => 1,
    }
}

/// A picture of a whole number of cells.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    colours: Colours,
    pixels: Vec<Rgb>,
}

impl Canvas {
    /// A black canvas of this size in pixels for a terminal with these colours. `height` must be even.
    pub(crate) fn new(width: usize, height: usize, colours: Colours) -> Canvas {
        debug_assert!(height.is_multiple_of(2));
        Canvas { width, height, colours, pixels: vec![Rgb::BLACK; width * height] }
    }

    /// The colour of a pixel.
    pub(crate) fn at(&self, x: usize, y: usize) -> Rgb {
        self.pixels[y * self.width + x]
    }

    /// Fills a square.
    pub(crate) fn fill(&mut self, x: usize, y: usize, size: usize, colour: Rgb) {
        for row in y..y + size {
            self.pixels[row * self.width + x..][..size].fill(colour);
        }
    }

    /// Paints a shape around a centre. For every sample near it, a callback maps the offset from the centre, in units
    /// of `radius`, to a colour and its opacity.
    pub(crate) fn paint(
        &mut self,
        centre: (f32, f32),
        radius: f32,
        shape: &dyn Fn(f32, f32) -> Option<(Rgb, f32)>,
    ) {
        // Shadows and crowns may extend beyond the radius by half of it.
        let reach = radius * 1.5;
        let count = samples(self.colours);
        let range = |centre: f32, end: usize| {
            let first = (centre - reach).floor().max(0.0) as usize;
            first..((centre + reach).ceil().max(0.0) as usize).min(end)
        };
        for row in range(centre.1, self.height) {
            for column in range(centre.0, self.width) {
                let under = self.at(column, row);
                let samples = (0..count * count).map(|sample| {
                    let offset = |n: usize| (n as f32 + 0.5) / count as f32;
                    let dx = (column as f32 + offset(sample % count) - centre.0) / radius;
                    let dy = (row as f32 + offset(sample / count) - centre.1) / radius;
                    shape(dx, dy).map_or(under, |(colour, share)| under.mixed(colour, share))
                });
                self.pixels[row * self.width + column] = mean(samples);
            }
        }
    }

    /// Sets the pixels marked `#` in a pattern, centred on the pixel corner nearest to a point.
    pub(crate) fn stamp(&mut self, (x, y): (f32, f32), pattern: &[&str], colour: Rgb) {
        let left = x.round() as isize - pattern.first().map_or(0, |row| row.len()) as isize / 2;
        let top = y.round() as isize - pattern.len() as isize / 2;
        for (dy, row) in pattern.iter().enumerate() {
            for (dx, _) in row.bytes().enumerate().filter(|(_, dot)| *dot == b'#') {
                let (x, y) = (left + dx as isize, top + dy as isize);
                if (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y) {
                    self.pixels[y as usize * self.width + x as usize] = colour;
                }
            }
        }
    }

    /// Renders the pixels into the cells of a buffer.
    pub(crate) fn put(&self, buffer: &mut Buffer, area: Rect) {
        for row in 0..self.height / 2 {
            for column in 0..self.width {
                let Some(cell) = buffer.cell_mut((area.x + column as u16, area.y + row as u16)) else {
                    continue;
                };
                let (upper, lower) = (self.at(column, 2 * row), self.at(column, 2 * row + 1));
                let (upper, lower) = (upper.color(self.colours), lower.color(self.colours));
                cell.reset();
                cell.set_bg(lower);
                if upper == lower {
                    cell.set_char(' ').set_fg(lower);
                } else {
                    cell.set_char('▀').set_fg(upper);
                }
            }
        }
    }

    /// The mean colour of a cell's two pixels: the background of a letter in that cell.
    pub(crate) fn cell(&self, column: usize, row: usize) -> Rgb {
        self.at(column, 2 * row).mixed(self.at(column, 2 * row + 1), 0.5)
    }
}

fn mean(samples: impl Iterator<Item = Rgb>) -> Rgb {
    let (mut sums, mut count) = ([0.0; 3], 0.0);
    for Rgb(red, green, blue) in samples {
        for (sum, part) in sums.iter_mut().zip([red, green, blue]) {
            *sum += f32::from(part);
        }
        count += 1.0;
    }
    let [red, green, blue] = sums.map(|sum: f32| (sum / count).round() as u8);
    Rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_covers_its_middle_and_not_its_corners() {
        let mut canvas = Canvas::new(8, 8, Colours::True);
        canvas.paint((4.0, 4.0), 4.0, &|x, y| (x.hypot(y) <= 1.0).then_some((Rgb::WHITE, 1.0)));
        assert_eq!(canvas.at(4, 4), Rgb::WHITE);
        assert_eq!(canvas.at(0, 0), Rgb::BLACK);
        let edge = canvas.at(1, 1).brightness();
        assert!(edge > 0.1 && edge < 1.0, "{edge}");
    }

    #[test]
    fn what_lies_outside_is_not_painted() {
        let mut canvas = Canvas::new(4, 4, Colours::True);
        canvas.paint((-9.0, 40.0), 3.0, &|_, _| Some((Rgb::WHITE, 1.0)));
        assert!(canvas.pixels.iter().all(|&pixel| pixel == Rgb::BLACK));
    }

    #[test]
    fn a_cell_shows_two_pixels() {
        let mut canvas = Canvas::new(2, 2, Colours::True);
        canvas.fill(0, 0, 1, Rgb::WHITE);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        let area = buffer.area;
        canvas.put(&mut buffer, area);
        assert_eq!(buffer[(0, 0)].symbol(), "▀");
        assert_eq!(
            (buffer[(0, 0)].fg, buffer[(0, 0)].bg),
            (Rgb::WHITE.color(Colours::True), Rgb::BLACK.color(Colours::True))
        );
        assert_eq!(buffer[(1, 0)].symbol(), " ");
    }
}
