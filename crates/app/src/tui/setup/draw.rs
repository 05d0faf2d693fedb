//! Draws the setup screen: a preview of the board with the choices beside it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::{Row, Setup};
use crate::tui::board::ink;
use crate::tui::game_screen::{draw_too_small, resting};
use crate::tui::layout::{Layout, Sides};
use crate::tui::look::{BOLD, DIM, Look};

/// The width of the labels.
const LABEL_WIDTH: usize = 10;

impl Setup {
    pub(crate) fn draw(&mut self, area: Rect, look: Look, buffer: &mut Buffer) {
        self.places.clear();
        let layout = match Layout::new(area) {
            Ok(layout) => layout,
            Err(needed) => return draw_too_small(needed, area, look, buffer),
        };
        let Sides::Beside(panel) = layout.sides else {
            self.draw_rows(area, look, buffer);
            return;
        };
        let mut scene = resting(&self.preview, self.preview.bottom, false);
        for spot in &mut scene.spots {
            spot.last_move = false;
        }
        layout.board.draw(&scene, look, buffer);
        let title = vec![Span::styled("Crownhead", BOLD), Span::styled("  a game of checkers", DIM)];
        Line::from(title).render(layout.title, buffer);
        self.draw_rows(panel, look, buffer);
        let keys = look.pick(
            "↑↓ choose  ←→ change  Enter play  ? help  q quit",
            "arrows choose and change  Enter play  ? help  q quit",
        );
        Line::styled(keys, DIM).render(layout.hints, buffer);
    }

    fn draw_rows(&mut self, area: Rect, look: Look, buffer: &mut Buffer) {
        let rows = self.rows();
        let roomy = area.height as usize >= 2 * rows.len() + 2;
        let step = if roomy { 2 } else { 1 };
        let mut y = area.y;
        for row in rows {
            if y >= area.bottom() {
                return;
            }
            let place = Rect::new(area.x, y, area.width, 1);
            self.row_line(row, area.width, look).render(place, buffer);
            self.places.push((place, row));
            y += step;
        }
        let rest = Rect::new(area.x, y, area.width, area.bottom().saturating_sub(y));
        let text = self.message.clone().unwrap_or_else(|| self.about(self.row));
        let style = if self.message.is_some() { BOLD } else { DIM };
        Paragraph::new(text).style(style).wrap(Wrap { trim: true }).render(rest, buffer);
    }

    fn row_line(&self, row: Row, width: u16, look: Look) -> Line<'static> {
        let is_focused = row == self.row;
        if row == Row::Play {
            let style = if is_focused { ink(look) } else { Style::new() };
            return Line::styled("   Play   ", style.add_modifier(Modifier::BOLD));
        }
        let value = self.value(row);
        let room = usize::from(width).saturating_sub(LABEL_WIDTH + 4);
        // A long position shows its end, where the player is typing.
        let cut = value.chars().count().saturating_sub(room);
        let value: String =
            value.chars().skip(if row == Row::Position { cut } else { 0 }).take(room).collect();
        let [left, right] = if is_focused { look.pick(["‹ ", " ›"], ["< ", " >"]) } else { ["  ", "  "] };
        let style = if is_focused { ink(look) } else { BOLD };
        Line::from(vec![
            Span::styled(format!("{:<LABEL_WIDTH$}", row.label()), DIM),
            Span::raw(left),
            Span::styled(value, style),
            Span::raw(right),
        ])
    }
}
