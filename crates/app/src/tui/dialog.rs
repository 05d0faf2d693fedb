//! A modal dialog with a message and buttons.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget, Wrap};

use super::board::ink;
use super::look::{Charset, Look};

/// The message and the answers, one of which has the focus.
pub(crate) struct Dialog<'a> {
    pub(crate) headline: &'a str,
    pub(crate) text: &'a str,
    pub(crate) answers: &'a [&'a str],
    pub(crate) focus: usize,
}

const ASCII_BORDER: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

const MAX_WIDTH: u16 = 52;
/// The border, and a blank on both sides.
const MARGIN: u16 = 4;

/// A frame in Unicode or ASCII characters.
pub(crate) fn frame(look: Look) -> Block<'static> {
    match look.charset {
        Charset::Unicode => Block::bordered().border_type(BorderType::Rounded),
        Charset::Ascii => Block::bordered().border_set(ASCII_BORDER),
    }
}

impl Dialog<'_> {
    /// Draws it in the lower half of an area and returns the areas of the answers.
    pub(crate) fn draw(&self, area: Rect, look: Look, buffer: &mut Buffer) -> Vec<Rect> {
        let width = area.width.min(MAX_WIDTH);
        let inner_width = width.saturating_sub(MARGIN).max(1);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let mut lines = Vec::new();
        if !self.headline.is_empty() {
            lines.push(Line::styled(self.headline.to_owned(), bold));
        }
        lines.push(Line::raw(self.text.to_owned()));
        let text = Paragraph::new(lines).wrap(Wrap { trim: true }).alignment(Alignment::Center);
        let rows = self.answer_rows(inner_width);
        let text_height = wrapped_height(&[self.headline, self.text], inner_width);
        let height = (text_height + rows.len() as u16 + 3).min(area.height);
        let top = area.y + (area.height - height) * 2 / 3;
        let bounds = Rect::new(area.x + (area.width - width) / 2, top, width, height);
        Clear.render(bounds, buffer);
        frame(look).render(bounds, buffer);
        let inside = Rect::new(bounds.x + MARGIN / 2, bounds.y + 1, inner_width, height.saturating_sub(2));
        text.render(inside, buffer);
        self.draw_answers(&rows, inside, look, buffer)
    }

    /// The answers, wrapped into rows that fit.
    fn answer_rows(&self, width: u16) -> Vec<Vec<usize>> {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        let mut used = 0;
        for (i, answer) in self.answers.iter().enumerate() {
            let size = Span::raw(*answer).width() + 4;
            if used > 0 && used + size > usize::from(width) {
                rows.push(Vec::new());
                used = 0;
            }
            used += size;
            if let Some(row) = rows.last_mut() {
                row.push(i);
            }
        }
        rows
    }

    fn draw_answers(&self, rows: &[Vec<usize>], inside: Rect, look: Look, buffer: &mut Buffer) -> Vec<Rect> {
        let mut places = vec![Rect::ZERO; self.answers.len()];
        let first = inside.bottom().saturating_sub(rows.len() as u16);
        for (row, y) in rows.iter().zip(first..) {
            let width: usize = row.iter().map(|&i| Span::raw(self.answers[i]).width() + 4).sum();
            let mut x = inside.x + (usize::from(inside.width).saturating_sub(width) / 2) as u16;
            for &i in row {
                let style = if i == self.focus { ink(look) } else { Style::new() };
                let text = format!(" {} ", self.answers[i]);
                let span = Span::styled(text, style.add_modifier(Modifier::BOLD));
                let place = Rect::new(x + 1, y, span.width() as u16, 1).intersection(inside);
                if y < inside.bottom() {
                    (&span).render(place, buffer);
                    places[i] = place;
                }
                x += span.width() as u16 + 2;
            }
        }
        places
    }
}

/// The number of lines these texts take when wrapped at blanks.
pub(crate) fn wrapped_height(texts: &[&str], width: u16) -> u16 {
    let width = usize::from(width.max(1));
    let lines = |text: &str| {
        let (mut lines, mut used) = (1, 0);
        for word in text.split_whitespace().map(|word| Span::raw(word).width()) {
            if used > 0 && used + 1 + word > width {
                lines += 1;
                used = 0;
            }
            used += word + usize::from(used > 0);
            lines += used.saturating_sub(1) / width;
            used = if used > width { used % width } else { used };
        }
        lines
    };
    texts.iter().filter(|text| !text.is_empty()).map(|text| lines(text)).sum::<usize>() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::look::Colours;

    const LOOK: Look = Look { colours: Colours::Mono, charset: Charset::Ascii };

    #[test]
    fn answers_lie_inside_of_the_box_whatever_its_size() {
        let dialog = Dialog {
            headline: "You win.",
            text: "Red wins: Black resigned.",
            answers: &["Yes", "No"],
            focus: 0,
        };
        for (width, height) in (0..60).flat_map(|width| (0..20).map(move |height| (width, height))) {
            let area = Rect::new(0, 0, width, height);
            let mut buffer = Buffer::empty(area);
            for place in dialog.draw(area, LOOK, &mut buffer) {
                assert_eq!(area.intersection(place), place, "{width}x{height}");
            }
        }
    }

    #[test]
    fn the_height_of_a_text_is_that_of_its_lines() {
        assert_eq!(wrapped_height(&["one two three"], 7), 2);
        assert_eq!(wrapped_height(&["one two three"], 13), 1);
        assert_eq!(wrapped_height(&["", "a"], 5), 1);
    }
}
