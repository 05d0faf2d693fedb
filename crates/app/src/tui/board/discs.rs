//! The board renderer for true colour and 256 colours: wooden squares and discs in pixels.

use crownhead_rules::Square;
use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::disc::{self, Disc, Pose};
use super::{Board, palette};
use crate::tui::canvas::Canvas;
use crate::tui::look::Colours;
use crate::tui::rgb::Rgb;
use crate::tui::scene::{Afloat, Scene, Spot, Target};

pub(super) fn draw(board: &Board, scene: &Scene, colours: Colours, buffer: &mut Buffer) {
    let size = usize::from(board.square_width());
    let mut canvas = Canvas::new(8 * size, 8 * size, colours);
    draw_wood(&mut canvas, scene, size, colours);
    for (_, spot, (column, row)) in scene.placed() {
        let middle = (column as f32 + 0.5, row as f32 + 0.5);
        draw_spot(&mut canvas, scene, spot, middle, size, colours);
    }
    if let Some(afloat) = &scene.afloat {
        let mut disc = Disc::of(scene, afloat.figure, colours);
        disc.pose = Pose::Lifted;
        disc.paint(&mut canvas, (afloat.x, afloat.y), size);
    }
    canvas.put(buffer, board.inside());
    if !disc::has_room_for_crown(size) {
        draw_small_crowns(board, scene, &canvas, colours, buffer);
    }
    if scene.numbers {
        draw_numbers(board, scene, &canvas, colours, buffer);
    }
}

fn draw_wood(canvas: &mut Canvas, scene: &Scene, size: usize, colours: Colours) {
    for (column, row) in (0..8).flat_map(|row| (0..8).map(move |column| (column, row))) {
        let colour = palette::wood(scene.is_dark(column, row), colours);
        canvas.fill(column * size, row * size, size, colour);
    }
    for (_, spot, (column, row)) in scene.placed() {
        let tint = if spot.cursor {
            Some((palette::ACCENT, 0.85))
        } else if spot.hint {
            Some((palette::HINT, 0.8))
        } else if spot.last_move || spot.selected {
            Some((palette::LAST_MOVE, 0.55))
        } else {
            None
        };
        if let Some((tint, share)) = tint {
            let wood = canvas.at(column * size, row * size);
            canvas.fill(column * size, row * size, size, wood.mixed(tint, share));
        }
    }
}

fn draw_spot(
    canvas: &mut Canvas,
    scene: &Scene,
    spot: &Spot,
    middle: (f32, f32),
    size: usize,
    colours: Colours,
) {
    if let Some(figure) = spot.figure {
        let rim = if spot.must_jump { scene.pulse } else { 0.0 };
        let pose = match (spot.ghost, spot.selected) {
            (true, _) => Pose::Ghost,
            (false, true) => Pose::Lifted,
            (false, false) => Pose::Resting,
        };
        let mut disc = Disc::of(scene, figure, colours);
        (disc.pose, disc.rim) = (pose, rim);
        disc.paint(canvas, middle, size);
    }
    if let Some(target) = spot.target {
        draw_target(canvas, target, middle, size);
    }
}

/// A dot for a step, a ring for a jump.
fn draw_target(canvas: &mut Canvas, target: Target, (x, y): (f32, f32), size: usize) {
    let size = size as f32;
    canvas.paint((x * size, y * size), size / 2.0, &|dx, dy| {
        let distance = dx.hypot(dy);
        let inside = match target {
            Target::Step => distance < 0.38,
            Target::Jump => distance < 0.85 && (distance > 0.5 || size < 5.0 && dx.abs().min(dy.abs()) > 0.1),
        };
        inside.then_some((palette::ACCENT, 0.95))
    });
}

/// Draws crowns on small discs with two quadrant characters: a band with two points, above the number.
fn draw_small_crowns(board: &Board, scene: &Scene, canvas: &Canvas, colours: Colours, buffer: &mut Buffer) {
    let inside = board.inside();
    let resting = scene.placed().filter(|(_, spot, _)| !spot.ghost).filter_map(|(_, spot, (column, row))| {
        Some(Afloat { figure: spot.figure?, x: column as f32 + 0.5, y: row as f32 + 0.5 })
    });
    for Afloat { figure, x, y } in resting.chain(scene.afloat).filter(|piece| piece.figure.king) {
        let ink = palette::crown(scene.colour(figure.side)).color(colours);
        let left = (x * f32::from(board.square_width())).round() as u16;
        let top = (y * f32::from(board.square_height)).round() as u16;
        for (dx, quarters) in [(0, '▙'), (1, '▟')] {
            let (column, row) = ((left + dx).saturating_sub(1), top.saturating_sub(1));
            if column >= inside.width || row >= inside.height {
                continue;
            }
            let under = canvas.cell(column.into(), row.into());
            let style = Style::new().fg(ink).bg(under.color(colours));
            if let Some(cell) = buffer.cell_mut((inside.x + column, inside.y + row)) {
                cell.set_char(quarters).set_style(style);
            }
        }
    }
}

/// Draws the square numbers in the bottom line of each square, in a colour that contrasts with the background.
fn draw_numbers(board: &Board, scene: &Scene, canvas: &Canvas, colours: Colours, buffer: &mut Buffer) {
    for square in Square::all() {
        let cells = board.cells(square, scene.bottom);
        let inside = board.inside();
        let text = format!("{:>2}", square.number());
        let (left, row) = (cells.x + cells.width / 2 - 1, cells.bottom() - 1);
        for (i, digit) in text.chars().enumerate() {
            let x = left + i as u16;
            let under = canvas.cell(usize::from(x - inside.x), usize::from(row - inside.y));
            let ink = if under.brightness() > 0.5 { Rgb::BLACK } else { Rgb::WHITE };
            let style = Style::new().fg(under.mixed(ink, 0.45).color(colours)).bg(under.color(colours));
            if let Some(cell) = buffer.cell_mut((x, row)).filter(|_| digit != ' ') {
                cell.set_char(digit).set_style(style);
            }
        }
    }
}
