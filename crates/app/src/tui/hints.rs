//! The line of key hints at the bottom of a screen. The hints can be clicked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::keys::Action;
use super::look::{BOLD, DIM};

const GAP: u16 = 2;

/// Draws as many hints as fit and returns their areas.
pub(crate) fn draw(
    hints: &[(&'static str, &'static str, Action)],
    area: Rect,
    buffer: &mut Buffer,
) -> Vec<(Rect, Action)> {
    let mut places = Vec::new();
    let mut x = area.x;
    for &(key, word, action) in hints {
        let line = Line::from(vec![Span::styled(key, BOLD), Span::styled(format!(" {word}"), DIM)]);
        let place = Rect::new(x, area.y, line.width() as u16, area.height.min(1));
        if place.right() > area.right() {
            break;
        }
        x = place.right() + GAP;
        line.render(place, buffer);
        places.push((place, action));
    }
    places
}
