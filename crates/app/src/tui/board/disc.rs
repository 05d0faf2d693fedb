//! Renders a piece as a wooden disc in pixels: rim, groove, light from the upper left, crown.

use crownhead_rules::Side;

use super::palette;
use crate::tui::canvas::Canvas;
use crate::tui::look::Colours;
use crate::tui::rgb::Rgb;
use crate::tui::scene::{Figure, Scene};

/// The radius of a disc in squares; its edge keeps clear of its neighbours.
const DISC_RADIUS: f32 = 0.46;
/// Squares of up to this many pixels are too small for a crown of pixels.
const SMALL: f32 = 4.0;
/// From this size on there is room for a shadow, and for a king that is two discs high.
const TALL: f32 = 8.0;
/// Crowns, pixel by pixel.
const CROWN: [&str; 4] = ["#.##.#", "#.##.#", "######", "######"];
const SMALL_CROWN: [&str; 3] = ["#..#", "####", "####"];

/// The state of a piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pose {
    Resting,
    /// Picked up by the player.
    Lifted,
    /// Jumped, to be removed when the jump is complete.
    Ghost,
}

/// Is a square of this many pixels large enough for a crown of pixels?
pub(super) fn has_room_for_crown(size: usize) -> bool {
    size as f32 > SMALL
}

/// The appearance of a piece.
pub(super) struct Disc {
    colour: Rgb,
    crown: Rgb,
    /// The sides also differ in their grooves: Black has a ring, White a hub.
    side: Side,
    king: bool,
    pub(super) pose: Pose,
    /// How much of the rim shows the accent.
    pub(super) rim: f32,
    /// Does it have lighting and a shadow? With 256 colours both would change the hue.
    is_lit: bool,
}

impl Disc {
    pub(super) fn of(scene: &Scene, figure: Figure, colours: Colours) -> Disc {
        let colour = scene.colour(figure.side);
        let (colour, crown) = (palette::piece(colour), palette::crown(colour));
        let is_lit = colours == Colours::True;
        Disc { colour, crown, side: figure.side, king: figure.king, pose: Pose::Resting, rim: 0.0, is_lit }
    }

    /// Paints it around a point given in squares.
    pub(super) fn paint(&self, canvas: &mut Canvas, (x, y): (f32, f32), size: usize) {
        let size = size as f32;
        let radius = DISC_RADIUS * size * if self.pose == Pose::Lifted { 1.08 } else { 1.0 };
        let (x, y) = (x * size, y * size);
        let share = if self.pose == Pose::Ghost { 0.35 } else { 1.0 };
        let is_tall = size >= TALL;
        let rise = if self.pose == Pose::Lifted && is_tall { 0.2 * radius } else { 0.0 };
        if self.pose != Pose::Ghost && is_tall && self.is_lit {
            let shadow = |dx: f32, dy: f32| (dx.hypot(dy) <= 1.0).then_some((Rgb::BLACK, 0.35));
            canvas.paint((x + 0.06 * size, y + 0.07 * size), radius, &shadow);
        }
        let paint = |canvas: &mut Canvas, y: f32| {
            canvas.paint((x, y), radius, &|dx, dy| Some((self.shade(dx, dy, radius)?, share)));
        };
        if self.king && is_tall {
            paint(canvas, y + 0.05 * size);
            paint(canvas, y - rise - 0.08 * size);
        } else {
            paint(canvas, y - rise);
        }
        if self.king && size > SMALL {
            // A little above the middle: below it is the number.
            let top = y - rise - 0.1 * size;
            let crown = if is_tall { &CROWN[..] } else { &SMALL_CROWN[..] };
            canvas.stamp((x, top), crown, if self.pose == Pose::Ghost { self.colour } else { self.crown });
        }
    }

    /// The colour of a point of the disc.
    fn shade(&self, dx: f32, dy: f32, radius: f32) -> Option<Rgb> {
        let distance = dx.hypot(dy);
        if distance > 1.0 {
            return None;
        }
        let is_fine = radius > 2.5;
        let rim_colour = self.colour.mixed(palette::ACCENT, self.rim);
        if distance > if is_fine { 0.8 } else { 0.72 } && (is_fine || self.rim > 0.0) {
            let edge = if self.colour.brightness() < 0.2 { Rgb::WHITE } else { Rgb::BLACK };
            return Some(if self.rim > 0.0 { rim_colour } else { self.colour.mixed(edge, 0.3) });
        }
        let light = if self.is_lit { 0.12 - 0.14 * (dx + dy) } else { 0.0 };
        let body = if light > 0.0 {
            self.colour.mixed(Rgb::WHITE, light)
        } else {
            self.colour.mixed(Rgb::BLACK, -light)
        };
        let groove = match self.side {
            Side::Black => is_fine && (0.42..0.58).contains(&distance),
            Side::White => distance < 0.34 && (is_fine || self.is_lit),
        };
        Some(match (groove, self.side) {
            (true, Side::Black) => body.mixed(Rgb::BLACK, 0.4),
            (true, Side::White) => body.mixed(Rgb::WHITE, 0.3),
            (false, _) => body,
        })
    }
}
