//! Draws the PDN viewer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::Viewer;
use crate::tui::game_screen::{draw_too_small, resting};
use crate::tui::hints;
use crate::tui::keys::Action;
use crate::tui::layout::Layout;
use crate::tui::look::{BOLD, DIM, Look};
use crate::tui::panel::Panel;

const HINTS: [(&str, &str, Action); 8] = [
    ("?", "help", Action::Help),
    ("PgUp", "back", Action::Back),
    ("PgDn", "forward", Action::Forward),
    ("Home", "first", Action::First),
    ("End", "last", Action::Last),
    ("p", "play from here", Action::PlayFromHere),
    ("f", "flip", Action::Flip),
    ("q", "quit", Action::Quit),
];

impl Viewer {
    pub(crate) fn draw(&mut self, area: Rect, look: Look, buffer: &mut Buffer) {
        self.actions.clear();
        self.moves.clear();
        let layout = match Layout::new(area) {
            Ok(layout) => layout,
            Err(needed) => return draw_too_small(needed, area, look, buffer),
        };
        let view = self.recorded.view();
        let bottom = if self.settings.flipped { !view.bottom } else { view.bottom };
        layout.board.draw(&resting(&view, bottom, self.settings.numbers), look, buffer);
        self.title().render(layout.title, buffer);
        self.moves = Panel { view: &view, bottom, look }.draw(layout.sides, buffer);
        self.draw_status(layout.status, buffer);
        self.entry_line(look).render(layout.entry, buffer);
        self.actions = hints::draw(&HINTS, layout.hints, buffer);
    }

    fn title(&self) -> Line<'static> {
        let tags = &self.recorded.read().game.tags;
        let tag = |name: &str| tags.get(name).filter(|value| !value.is_empty() && *value != "?");
        let words: Vec<&str> = ["Event", "Date", "Round"].into_iter().filter_map(tag).collect();
        let game = match self.recorded.count() {
            1 => "Game".to_owned(),
            count => format!("Game {} of {count}", self.recorded.number()),
        };
        Line::from(vec![Span::styled(game, BOLD), Span::styled(format!("  {}", words.join(", ")), DIM)])
    }

    /// Draws the comment on the move, a warning about the file, or the result.
    fn draw_status(&self, area: Rect, buffer: &mut Buffer) {
        let (plies, end) = (self.recorded.plies(), self.recorded.end());
        let place = || match plies {
            plies if plies == end => {
                format!("Move {plies} of {end}. Result: {}.", self.recorded.read().game.result)
            }
            plies => format!("Move {plies} of {end}."),
        };
        let text = self.message.clone().or_else(|| self.recorded.comment()).unwrap_or_else(place);
        Paragraph::new(text).style(BOLD).wrap(Wrap { trim: true }).render(area, buffer);
    }

    fn entry_line(&self, look: Look) -> Line<'static> {
        if !self.entry.is_empty() {
            return Line::from(vec![Span::styled("Game: ", DIM), Span::styled(self.entry.clone(), BOLD)]);
        }
        let steps = look.pick("←→ step", "left and right step");
        let more = look.pick("  ↑↓ other games, or type a number", "  up and down other games");
        Line::styled(format!("{steps}{}", if self.recorded.count() > 1 { more } else { "" }), DIM)
    }
}
