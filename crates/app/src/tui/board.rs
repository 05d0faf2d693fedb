//! The board widget: its geometry, the mapping from cells to squares, and the choice of renderer.

mod disc;
mod discs;
mod glyphs;
mod palette;

use crownhead_rules::{Side, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::grid::{place, square_at};
use super::look::{Colours, Look};
use super::scene::Scene;

pub(crate) use glyphs::glyph;
pub(crate) use palette::{chip, ink};

/// Squares are twice as many cells wide as high, because cells are about twice as high as wide.
pub(crate) const SQUARE_HEIGHTS: [u16; 5] = [5, 4, 3, 2, 1];

/// The frame takes a cell on each side.
const FRAME: u16 = 1;

/// A board at a position on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The area of the board with its frame.
    pub(crate) area: Rect,
    pub(crate) square_height: u16,
}

impl Board {
    /// The size of a board with squares of this height.
    pub(crate) const fn size(square_height: u16) -> (u16, u16) {
        (16 * square_height + 2 * FRAME, 8 * square_height + 2 * FRAME)
    }

    /// A board with its upper left corner at `x`, `y`.
    pub(crate) const fn new(x: u16, y: u16, square_height: u16) -> Board {
        let (width, height) = Board::size(square_height);
        Board { area: Rect::new(x, y, width, height), square_height }
    }

    const fn square_width(&self) -> u16 {
        2 * self.square_height
    }

    /// The cells of the 64 squares.
    const fn inside(&self) -> Rect {
        let Rect { x, y, width, height } = self.area;
        Rect::new(x + FRAME, y + FRAME, width - 2 * FRAME, height - 2 * FRAME)
    }

    /// The cells of a square.
    pub(crate) fn cells(&self, square: Square, bottom: Side) -> Rect {
        let (column, row) = place(square, bottom);
        let inside = self.inside();
        Rect::new(
            inside.x + column as u16 * self.square_width(),
            inside.y + row as u16 * self.square_height,
            self.square_width(),
            self.square_height,
        )
    }

    /// The playing square that a cell belongs to.
    pub(crate) fn square(&self, x: u16, y: u16, bottom: Side) -> Option<Square> {
        let inside = self.inside();
        if !inside.contains(Position::new(x, y)) {
            return None;
        }
        let (column, row) = ((x - inside.x) / self.square_width(), (y - inside.y) / self.square_height);
        square_at(column.into(), row.into(), bottom)
    }

    /// The centre of a cell in units of squares from the upper left corner, for a piece that follows the mouse.
    pub(crate) fn point(&self, x: u16, y: u16) -> (f32, f32) {
        let inside = self.inside();
        let along = |at: u16, from: u16, size: u16| (f32::from(at) + 0.5 - f32::from(from)) / f32::from(size);
        (along(x, inside.x, self.square_width()), along(y, inside.y, self.square_height))
    }

    /// Draws the board, clipped to the buffer.
    pub(crate) fn draw(&self, scene: &Scene, look: Look, buffer: &mut Buffer) {
        if look.paints_discs() {
            draw_wooden_frame(self.area, look.colours, buffer);
        } else {
            draw_line_frame(self.area, look, buffer);
        }
        if look.paints_discs() && self.square_height > 1 {
            discs::draw(self, scene, look.colours, buffer);
        } else {
            glyphs::draw(self, scene, look, buffer);
        }
    }
}

/// A frame half a cell high and one cell wide, which look equally thick.
fn draw_wooden_frame(area: Rect, colours: Colours, buffer: &mut Buffer) {
    let wood = palette::frame(colours).color(colours);
    for at in area.positions() {
        let Some(cell) = buffer.cell_mut(at) else { continue };
        if at.y == area.top() {
            cell.set_char('▄').set_fg(wood);
        } else if at.y + 1 == area.bottom() {
            cell.set_char('▀').set_fg(wood);
        } else if at.x == area.left() || at.x + 1 == area.right() {
            cell.set_char(' ').set_bg(wood);
        }
    }
}

fn draw_line_frame(area: Rect, look: Look, buffer: &mut Buffer) {
    let [horizontal, vertical] = look.pick(["─", "│"], ["-", "|"]);
    let corners = look.pick(["╭", "╮", "╰", "╯"], ["+"; 4]);
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for at in area.positions() {
        let symbol = match (at.x == area.x || at.x == right, at.y == area.y || at.y == bottom) {
            (true, true) => corners[usize::from(at.x == right) + 2 * usize::from(at.y == bottom)],
            (true, false) => vertical,
            (false, true) => horizontal,
            (false, false) => continue,
        };
        if let Some(cell) = buffer.cell_mut(at) {
            cell.set_symbol(symbol).set_style(Style::new().add_modifier(Modifier::DIM));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_a_square_leads_to_it() {
        for height in SQUARE_HEIGHTS {
            let board = Board::new(3, 2, height);
            for square in Square::all() {
                for bottom in Side::BOTH {
                    for cell in board.cells(square, bottom).positions() {
                        assert_eq!(board.square(cell.x, cell.y, bottom), Some(square));
                    }
                }
            }
        }
    }

    #[test]
    fn frame_and_unused_squares_lead_nowhere() {
        let board = Board::new(0, 0, 2);
        assert_eq!(board.square(0, 0, Side::White), None);
        assert_eq!(board.square(1, 1, Side::White), None);
        assert_eq!(board.square(500, 500, Side::White), None);
    }
}
