//! The board renderer for characters: small windows, 16 colours, monochrome and ASCII.

mod shapes;

use crownhead_rules::{Colour, Side, SquareColour};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use self::shapes::{Filling, middle_row, shape};
use super::{Board, palette};
use crate::tui::look::{Charset, Colours, Look};
use crate::tui::rgb::Rgb;
use crate::tui::scene::{Figure, Scene, Spot, Target};
use crate::tui::text_board::letter;

pub(super) fn draw(board: &Board, scene: &Scene, look: Look, buffer: &mut Buffer) {
    let painter = Painter { scene, look };
    let inside = board.inside();
    let (width, height) = (board.square_width(), board.square_height);
    for (column, row) in (0..8u16).flat_map(|row| (0..8u16).map(move |column| (column, row))) {
        let area = Rect::new(inside.x + column * width, inside.y + row * height, width, height);
        painter.draw_wood(area, scene.is_dark(column.into(), row.into()), buffer);
    }
    for (square, spot, _) in scene.placed() {
        let area = board.cells(square, scene.bottom);
        painter.draw_marks(area, spot, buffer);
        if let Some(figure) = spot.figure {
            painter.draw_piece(area, figure, spot, buffer);
        } else if let Some(target) = spot.target {
            painter.draw_target(area, target, buffer);
        }
        painter.draw_number(area, square.number(), spot, buffer);
        if spot.cursor && look.colours == Colours::Mono {
            draw_brackets(area, buffer);
        }
    }
    if let Some(afloat) = &scene.afloat {
        // The position is the centre of the piece; its corner is half a square further up and left.
        let corner = |at: f32, size: u16| {
            ((at - 0.5) * f32::from(size)).round().clamp(0.0, f32::from(7 * size)) as u16
        };
        let (x, y) = (inside.x + corner(afloat.x, width), inside.y + corner(afloat.y, height));
        let held = Spot { figure: Some(afloat.figure), selected: true, ..Spot::default() };
        painter.draw_piece(Rect::new(x, y, width, height), afloat.figure, &held, buffer);
    }
}

struct Painter<'a> {
    scene: &'a Scene,
    look: Look,
}

impl Painter<'_> {
    fn draw_wood(&self, area: Rect, dark: bool, buffer: &mut Buffer) {
        let (symbol, style) = match self.look.colours {
            Colours::Ansi => {
                (" ", Style::new().bg(if dark { palette::ANSI_DARK } else { palette::ANSI_LIGHT }))
            }
            Colours::True | Colours::Indexed => {
                (" ", Style::new().bg(palette::wood(dark, self.look.colours).color(self.look.colours)))
            }
            // Shade the dark squares, as printed diagrams do.
            Colours::Mono if dark => (self.look.pick("░", "."), Style::new().add_modifier(Modifier::DIM)),
            Colours::Mono => (" ", Style::new()),
        };
        for position in area.positions() {
            if let Some(cell) = buffer.cell_mut(position) {
                cell.reset();
                cell.set_symbol(symbol).set_style(style);
            }
        }
    }

    /// Draws the background of a marked square.
    fn draw_marks(&self, area: Rect, spot: &Spot, buffer: &mut Buffer) {
        let colours = self.look.colours;
        let is_lit = spot.last_move || spot.selected;
        let wood = palette::wood(self.scene.playing_squares == SquareColour::Dark, colours);
        let tint = match colours {
            Colours::Mono => {
                if is_lit || spot.hint {
                    fill(area, self.look.pick("░", ":"), Style::new().add_modifier(Modifier::BOLD), buffer);
                }
                return;
            }
            Colours::Ansi if spot.cursor => palette::ANSI_ACCENT,
            Colours::Ansi if spot.hint => palette::ANSI_HINT,
            Colours::Ansi if is_lit => palette::ANSI_LAST,
            Colours::True | Colours::Indexed if spot.cursor => palette::ACCENT.color(colours),
            Colours::True | Colours::Indexed if spot.hint => palette::HINT.color(colours),
            Colours::True | Colours::Indexed if is_lit => wood.mixed(palette::LAST_MOVE, 0.55).color(colours),
            Colours::Ansi | Colours::True | Colours::Indexed => return,
        };
        buffer.set_style(area, Style::new().bg(tint));
    }

    fn draw_target(&self, area: Rect, target: Target, buffer: &mut Buffer) {
        let dot = match target {
            Target::Step => self.look.pick("·", "*"),
            Target::Jump => self.look.pick("×", "x"),
        };
        let style = Style::new().add_modifier(Modifier::BOLD);
        let style = match self.look.colours {
            Colours::True | Colours::Indexed => style.fg(palette::ACCENT.color(self.look.colours)),
            Colours::Ansi => style.fg(Color::Black),
            Colours::Mono => style.remove_modifier(Modifier::DIM),
        };
        let text = if area.height == 1 { format!("{dot} ") } else { dot.repeat(2) };
        let (x, y) = middle(area);
        buffer.set_string(x, y, text, style);
    }

    fn draw_piece(&self, area: Rect, figure: Figure, spot: &Spot, buffer: &mut Buffer) {
        let mut style = self.piece_style(figure);
        for (set, modifier) in [
            (spot.must_jump, Modifier::UNDERLINED),
            (spot.ghost, Modifier::DIM),
            (!spot.ghost, Modifier::BOLD),
        ] {
            if set {
                style = style.add_modifier(modifier);
            }
        }
        if area.height == 1 {
            let style = if spot.selected { style.add_modifier(Modifier::REVERSED) } else { style };
            // A piece takes both cells of the square, so that nothing shows through beside it.
            buffer.set_string(area.x, area.y, format!("{} ", self.glyph(figure)), style);
            return;
        }
        let shape = shape(figure.side, area.height, self.look);
        for (row, y) in shape.rows.iter().zip(area.y..) {
            self.draw_row(row, (area.x, y), shape.filling, style, buffer);
        }
        let text = if figure.king {
            self.look.pick("▙▟".to_owned(), self.letters(figure))
        } else {
            self.letters(figure)
        };
        if figure.king || self.look.charset == Charset::Ascii || spot.selected {
            let text =
                if spot.selected && !figure.king { self.look.pick("··".to_owned(), text) } else { text };
            let (x, y) = middle(area);
            buffer.set_string(x, y, text, self.on_piece(figure, shape.filling, spot));
        }
    }

    /// Draws a row of a shape. Blanks at its ends show the square.
    fn draw_row(&self, row: &str, (x, y): (u16, u16), filling: Filling, style: Style, buffer: &mut Buffer) {
        for (symbol, x) in row.chars().zip(x..) {
            let Some(cell) = buffer.cell_mut((x, y)) else { continue };
            let is_outside = symbol == ' ' && filling == Filling::Solid;
            if !is_outside {
                if self.look.colours == Colours::Mono {
                    cell.set_style(Style::reset());
                }
                cell.set_char(symbol).set_style(style);
            }
        }
    }

    /// The style of text on a piece.
    fn on_piece(&self, figure: Figure, filling: Filling, spot: &Spot) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match (self.look.colours, filling) {
            // The selected piece is inverted.
            (Colours::Mono, filling) if (filling == Filling::Solid) == spot.selected => style,
            (Colours::Mono, _) => style.add_modifier(Modifier::REVERSED),
            (_, Filling::Hollow) if spot.selected => {
                self.piece_style(figure).add_modifier(Modifier::REVERSED)
            }
            (_, Filling::Hollow) => self.piece_style(figure).add_modifier(Modifier::BOLD),
            (Colours::Ansi, Filling::Solid) => {
                let colour = self.scene.colour(figure.side);
                let ink = if matches!(colour, Colour::Black | Colour::Red) {
                    Color::LightYellow
                } else {
                    Color::Black
                };
                style.fg(ink).bg(palette::ansi_piece(colour))
            }
            (Colours::True | Colours::Indexed, Filling::Solid) => {
                let colour = self.scene.colour(figure.side);
                let (ink, piece) = (palette::crown(colour), palette::piece(colour));
                style.fg(ink.color(self.look.colours)).bg(piece.color(self.look.colours))
            }
        }
    }

    fn draw_number(&self, area: Rect, number: u8, spot: &Spot, buffer: &mut Buffer) {
        let is_hidden = area.height == 1 && (spot.figure.is_some() || spot.target.is_some());
        if !self.scene.numbers || is_hidden {
            return;
        }
        let style = match spot.figure {
            Some(figure) => {
                let shape = shape(figure.side, area.height, self.look);
                self.on_piece(figure, shape.filling, &Spot::default()).remove_modifier(Modifier::BOLD)
            }
            None => self.number_style(spot),
        };
        let x = area.x + area.width / 2 - 1;
        buffer.set_string(x, area.bottom() - 1, format!("{number:>2}"), style);
    }

    fn number_style(&self, spot: &Spot) -> Style {
        match self.look.colours {
            Colours::True | Colours::Indexed => {
                let dark = self.scene.playing_squares == SquareColour::Dark && !spot.cursor;
                let wood = palette::wood(dark, self.look.colours);
                let ink = if dark { Rgb::WHITE } else { Rgb::BLACK };
                Style::new().fg(wood.mixed(ink, 0.5).color(self.look.colours))
            }
            Colours::Ansi => Style::new().fg(Color::Black),
            Colours::Mono => Style::reset().add_modifier(Modifier::DIM),
        }
    }

    fn piece_style(&self, figure: Figure) -> Style {
        let colour = self.scene.colour(figure.side);
        match self.look.colours {
            Colours::True | Colours::Indexed => {
                Style::new().fg(palette::piece(colour).color(self.look.colours))
            }
            Colours::Ansi => Style::new().fg(palette::ansi_piece(colour)),
            Colours::Mono => Style::reset(),
        }
    }

    fn glyph(&self, figure: Figure) -> char {
        glyph(figure, self.scene.colour(figure.side), self.look)
    }

    fn letters(&self, figure: Figure) -> String {
        let ascii = Look { charset: Charset::Ascii, ..self.look };
        glyph(figure, self.scene.colour(figure.side), ascii).to_string().repeat(2)
    }
}

/// The monochrome cursor: brackets around the square, or one bracket after a piece that leaves no room for two.
fn draw_brackets(area: Rect, buffer: &mut Buffer) {
    let is_small_piece = area.height == 1 && buffer[(area.x, area.y)].symbol().trim() != "";
    for y in area.y..area.bottom() {
        for (x, bracket) in [(area.x, "["), (area.right() - 1, "]")] {
            if !(is_small_piece && bracket == "[") {
                buffer.set_string(x, y, bracket, Style::reset().add_modifier(Modifier::BOLD));
            }
        }
    }
}

fn fill(area: Rect, symbol: &str, style: Style, buffer: &mut Buffer) {
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.set_symbol(symbol).set_style(Style::reset()).set_style(style);
        }
    }
}

/// The position of a two-character text centred in a square.
fn middle(area: Rect) -> (u16, u16) {
    (area.x + area.width / 2 - 1, area.y + middle_row(area.height))
}

/// A piece as one character. The sides also differ in shape.
pub(crate) fn glyph(figure: Figure, colour: Colour, look: Look) -> char {
    match (look.charset, figure.side, figure.king) {
        (Charset::Unicode, Side::Black, false) => '●',
        (Charset::Unicode, Side::White, false) if look.colours == Colours::Mono => '○',
        (Charset::Unicode, Side::White, false) => '◉',
        (Charset::Unicode, Side::Black, true) => '♛',
        (Charset::Unicode, Side::White, true) => '♕',
        (Charset::Ascii, _, true) => letter(colour).to_ascii_uppercase(),
        (Charset::Ascii, _, false) => letter(colour),
    }
}
