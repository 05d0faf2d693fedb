//! The colour palette of board and pieces: RGB for terminals that support it, ANSI names for the others.

use crownhead_rules::Colour;
use ratatui::style::{Color, Modifier, Style};

use crate::tui::look::{Colours, Look};
use crate::tui::rgb::Rgb;

/// The colour of a square. The 256-colour palette lacks these browns and uses the nearest ones that look like wood.
pub(super) const fn wood(dark: bool, colours: Colours) -> Rgb {
    match (dark, colours) {
        (false, Colours::Indexed) => Rgb(0xFF, 0xD7, 0xAF),
        (true, Colours::Indexed) => Rgb(0xAF, 0x87, 0x5F),
        (false, _) => Rgb(0xE9, 0xD3, 0xAE),
        (true, _) => Rgb(0x8B, 0x5E, 0x3C),
    }
}

/// The frame, a shade darker than the dark squares.
pub(super) const fn frame(colours: Colours) -> Rgb {
    match colours {
        Colours::Indexed => Rgb(0x87, 0x5F, 0x00),
        _ => Rgb(0x4E, 0x33, 0x20),
    }
}

/// Marks the cursor, pieces that must jump, and the destinations of the selected piece.
pub(super) const ACCENT: Rgb = Rgb(0xFF, 0xC8, 0x3D);
/// Mixed into the squares of the last move.
pub(super) const LAST_MOVE: Rgb = Rgb(0xC9, 0xB0, 0x37);
/// The squares of a hint.
pub(super) const HINT: Rgb = Rgb(0x3F, 0x9C, 0x8F);

/// The colour of a piece.
pub(super) const fn piece(colour: Colour) -> Rgb {
    match colour {
        Colour::Black => Rgb(0x2A, 0x26, 0x23),
        Colour::Red => Rgb(0xB3, 0x26, 0x1E),
        Colour::White => Rgb(0xF3, 0xEE, 0xE4),
        Colour::Yellow => Rgb(0xE5, 0xB9, 0x3C),
    }
}

/// The colour of the crown on a piece: gold, or dark wood where gold would not show.
pub(super) fn crown(colour: Colour) -> Rgb {
    if piece(colour).brightness() > 0.5 { Rgb(0x6B, 0x3E, 0x12) } else { Rgb(0xF6, 0xD3, 0x65) }
}

/// The square colours in 16-colour mode: both far from all four piece colours in any terminal theme.
pub(super) const ANSI_DARK: Color = Color::Cyan;
pub(super) const ANSI_LIGHT: Color = Color::Gray;
pub(super) const ANSI_ACCENT: Color = Color::Yellow;
pub(super) const ANSI_LAST: Color = Color::Green;
pub(super) const ANSI_HINT: Color = Color::Magenta;

/// The colour of a piece in 16-colour mode.
pub(super) const fn ansi_piece(colour: Colour) -> Color {
    match colour {
        Colour::Black => Color::Black,
        Colour::Red => Color::Red,
        Colour::White => Color::White,
        Colour::Yellow => Color::LightYellow,
    }
}

/// The style of a piece in a line of text: its colour on the wood of the board.
pub(crate) fn chip(colour: Colour, look: Look) -> Style {
    match look.colours {
        Colours::True | Colours::Indexed => {
            Style::new()
                .fg(piece(colour).color(look.colours))
                .bg(wood(true, look.colours).color(look.colours))
        }
        Colours::Ansi => Style::new().fg(ansi_piece(colour)).bg(ANSI_DARK),
        Colours::Mono => Style::new().add_modifier(Modifier::BOLD),
    }
}

/// The accent style for selectable text.
pub(crate) fn ink(look: Look) -> Style {
    match look.colours {
        Colours::True | Colours::Indexed => {
            Style::new().fg(Rgb::BLACK.color(look.colours)).bg(ACCENT.color(look.colours))
        }
        Colours::Ansi => Style::new().fg(Color::Black).bg(ANSI_ACCENT),
        Colours::Mono => Style::new().add_modifier(Modifier::REVERSED),
    }
}
