//! The character shapes of pieces, by the height of the square.

use crate::tui::look::{Charset, Colours, Look};
use crownhead_rules::Side;

/// The filling of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    /// Filled with the colour of the piece.
    Solid,
    /// An outline only.
    Hollow,
}

/// The rows of a piece, each twice as many characters wide as there are rows. A blank inside the outline belongs to the
/// piece, one outside it to the square.
pub(super) struct Shape {
    pub(super) rows: &'static [&'static str],
    pub(super) filling: Filling,
}

/// The shape of a side's piece on squares of this height in cells.
pub(super) fn shape(side: Side, height: u16, look: Look) -> Shape {
    let is_hollow = look.colours == Colours::Mono && side == Side::White || look.charset == Charset::Ascii;
    let filling = if is_hollow { Filling::Hollow } else { Filling::Solid };
    let rows: &[&str] = match (look.charset, filling, height) {
        (Charset::Ascii, _, 2) => &["/--\\", "\\--/"],
        (Charset::Ascii, _, 3) => &["/----\\", "|    |", "\\----/"],
        (Charset::Ascii, _, _) => &["/------\\", "|      |", "|      |", "\\------/"],
        (Charset::Unicode, Filling::Solid, 2) => &["▟██▙", "▜██▛"],
        (Charset::Unicode, Filling::Solid, 3) => &[" ▄▄▄▄ ", "██████", " ▀▀▀▀ "],
        (Charset::Unicode, Filling::Solid, _) => &[" ▟████▙ ", "████████", "████████", " ▜████▛ "],
        (Charset::Unicode, Filling::Hollow, 2) => &["╭──╮", "╰──╯"],
        (Charset::Unicode, Filling::Hollow, 3) => &["╭────╮", "│    │", "╰────╯"],
        (Charset::Unicode, Filling::Hollow, _) => &["╭──────╮", "│      │", "│      │", "╰──────╯"],
    };
    Shape { rows, filling }
}

/// The row of a text centred on a piece.
pub(super) const fn middle_row(height: u16) -> u16 {
    (height - 1) / 2
}
