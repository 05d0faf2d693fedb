//! The panel beside the board: players, clocks and move list.

use crownhead_game::{Captured, ListedMove, Seat, View, clock_text};
use crownhead_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::board::{chip, glyph, ink};
use super::layout::Sides;
use super::look::{BOLD, DIM, Look};
use super::scene::Figure;

/// A clickable move in the list: its area, and the number of plies that the board shows after the click.
pub(crate) type MovePlace = (Rect, usize);

/// The width of a move number with its dot and a blank.
const NUMBER_WIDTH: u16 = 4;

/// The players and moves, with the side `bottom` shown below.
pub(crate) struct Panel<'a> {
    pub(crate) view: &'a View,
    pub(crate) bottom: Side,
    pub(crate) look: Look,
}

impl Panel<'_> {
    pub(crate) fn draw(&self, sides: Sides, buffer: &mut Buffer) -> Vec<MovePlace> {
        match sides {
            Sides::Beside(area) => self.draw_beside(area, buffer),
            Sides::Around { above, below, moves } => {
                self.one_line(!self.bottom).render(above, buffer);
                self.one_line(self.bottom).render(below, buffer);
                self.draw_moves_in_line(moves, buffer)
            }
            Sides::Nowhere => Vec::new(),
        }
    }

    fn draw_beside(&self, area: Rect, buffer: &mut Buffer) -> Vec<MovePlace> {
        let is_low = area.height < 12;
        let (above, below) = (
            self.seat_lines(!self.bottom, area.width, is_low),
            self.seat_lines(self.bottom, area.width, is_low),
        );
        let gap = u16::from(!is_low);
        let list_top = area.y + above.len() as u16 + gap;
        let below_top = area.bottom().saturating_sub(below.len() as u16);
        for (line, y) in above.into_iter().zip(area.y..).chain(below.into_iter().zip(below_top..)) {
            line.render(Rect::new(area.x, y, area.width, 1), buffer);
        }
        let mut list = Rect::new(area.x, list_top, area.width, (below_top - gap).saturating_sub(list_top));
        if let Some(opening) = self.view.opening.as_ref().filter(|_| list.height > 4) {
            list.height -= 1;
            let line = Line::styled(format!("Opening {}: {}", opening.number, opening.name), DIM);
            line.render(Rect::new(list.x, list.bottom(), list.width, 1), buffer);
        }
        self.draw_moves(list, buffer)
    }

    fn seat(&self, side: Side) -> &Seat {
        self.view.players.of(side)
    }

    /// The disc of a side, on wood.
    fn disc(&self, side: Side, king: bool) -> Span<'static> {
        let colour = self.view.rulebook.colour(side);
        Span::styled(format!("{} ", glyph(Figure { side, king }, colour, self.look)), chip(colour, self.look))
    }

    fn seat_lines(&self, side: Side, width: u16, is_low: bool) -> Vec<Line<'static>> {
        let seat = self.seat(side);
        let mark = if self.view.turn == Some(side) { self.look.pick("▸ ", "> ") } else { "  " };
        let clock = self.clock(side);
        let name = format!(" {}", seat.name);
        let mut disc = self.disc(side, false);
        disc.content = format!(" {}", disc.content).into();
        let used = 2 + disc.width() + Span::raw(name.as_str()).width();
        let pad = usize::from(width).saturating_sub(used + clock.width());
        let first = Line::from(vec![
            Span::styled(mark, BOLD),
            disc,
            Span::styled(name, BOLD),
            Span::raw(" ".repeat(pad)),
            clock,
        ]);
        let mut lines = vec![first];
        if !is_low {
            lines.push(Line::styled(format!("      {}", self.about(side)), DIM));
        }
        lines.push(self.captured_line(side));
        lines
    }

    /// Details about a player besides the name.
    fn about(&self, side: Side) -> String {
        let seat = self.seat(side);
        match seat.level {
            Some(level) => format!("{}, level {level}", seat.colour),
            None if seat.name != seat.colour.to_string() => seat.colour.to_string(),
            None if self.seat(!side).level.is_some() => "you".to_owned(),
            None => String::new(),
        }
    }

    fn clock(&self, side: Side) -> Span<'static> {
        match self.seat(side).clock {
            Some(clock) => {
                let style = if clock.running { BOLD } else { DIM };
                Span::styled(clock_text(clock.left_ms), style)
            }
            None => Span::raw(""),
        }
    }

    fn captured_line(&self, side: Side) -> Line<'static> {
        let Captured { men, kings } = self.seat(side).captured;
        let mut spans = vec![Span::raw("      ")];
        spans.extend((0..kings).map(|_| self.disc(!side, true)));
        spans.extend((0..men).map(|_| self.disc(!side, false)));
        Line::from(spans)
    }

    fn one_line(&self, side: Side) -> Line<'static> {
        let seat = self.seat(side);
        let mut spans = vec![self.disc(side, false), Span::styled(format!(" {} ", seat.name), BOLD)];
        if let Some(level) = seat.level {
            spans.push(Span::styled(format!("level {} ", level.number()), DIM));
        }
        spans.push(self.clock(side));
        spans.push(Span::raw(" "));
        let Captured { men, kings } = seat.captured;
        spans.extend((0..kings).map(|_| self.disc(!side, true)));
        spans.extend((0..men).map(|_| self.disc(!side, false)));
        Line::from(spans)
    }

    /// Pairs of moves, scrolled to the one on the board.
    fn draw_moves(&self, area: Rect, buffer: &mut Buffer) -> Vec<MovePlace> {
        let mut places = Vec::new();
        let pairs: Vec<&[ListedMove]> =
            self.view.list.chunk_by(|one, other| one.number == other.number).collect();
        let first_number = self.view.list.first().map_or(1, |mv| mv.number);
        let shown_number =
            self.view.shown.checked_sub(1).and_then(|i| self.view.list.get(i)).map_or(0, |mv| mv.number);
        let shown_row = shown_number.saturating_sub(first_number);
        let rows = usize::from(area.height);
        let last_first = pairs.len().saturating_sub(rows);
        let first = (shown_row + 1).saturating_sub(rows.div_ceil(2) + 1).min(last_first);
        let mut plies = pairs[..first].iter().map(|pair| pair.len()).sum::<usize>();
        let column = area.width.saturating_sub(NUMBER_WIDTH) / 2;
        for (pair, y) in pairs[first..].iter().take(rows).zip(area.y..) {
            Line::styled(format!("{:>2}.", pair[0].number), DIM)
                .render(Rect::new(area.x, y, NUMBER_WIDTH, 1), buffer);
            for mv in *pair {
                plies += 1;
                let x = area.x + NUMBER_WIDTH + if mv.side == Side::White { column.min(12) } else { 0 };
                let span = Span::styled(mv.text.clone(), self.move_style(mv, plies));
                let place = Rect::new(x, y, (span.width() as u16).min(column), 1).intersection(area);
                span.render(place, buffer);
                places.push((place, plies));
            }
        }
        places
    }

    fn move_style(&self, mv: &ListedMove, plies: usize) -> Style {
        if plies == self.view.shown {
            ink(self.look)
        } else if mv.given {
            DIM
        } else {
            Style::new()
        }
    }

    /// The last moves, in one line.
    fn draw_moves_in_line(&self, area: Rect, buffer: &mut Buffer) -> Vec<MovePlace> {
        let mut words: Vec<(String, usize)> = Vec::new();
        for (i, mv) in self.view.list.iter().enumerate().take(self.view.shown.max(1)) {
            let number =
                if mv.side == Side::Black || i == 0 { format!("{}. ", mv.number) } else { String::new() };
            words.push((format!("{number}{}", mv.text), i + 1));
        }
        let mut width = 0;
        let fitting = words.iter().rev().take_while(|(text, _)| {
            width += text.len() + 1;
            width <= usize::from(area.width)
        });
        let first = words.len() - fitting.count();
        let (mut x, mut places) = (area.x, Vec::new());
        for (text, plies) in &words[first..] {
            let style = if *plies == self.view.shown { BOLD } else { DIM };
            let place = Rect::new(x, area.y, text.len() as u16, 1).intersection(area);
            Span::styled(text.as_str(), style).render(place, buffer);
            x += text.len() as u16 + 1;
            places.push((place, *plies));
        }
        places
    }
}
