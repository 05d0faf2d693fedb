//! The help screen: the list of keys.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Row, Table, Widget};

use super::dialog::frame;
use super::look::Look;

/// All keys of the game screen with their descriptions.
const KEYS: [(&str, &str, &str); 19] = [
    ("↑ ↓ ← →", "arrows", "move over the squares"),
    ("Enter, Space", "Enter, Space", "pick a piece up, drop it"),
    ("Tab", "Tab", "to the next piece that can move, or where it can go"),
    ("11-15 Enter", "11-15 Enter", "type a move; jumps are 22x15 or 22x15x8"),
    ("mouse", "mouse", "click or drag a piece; click words and moves"),
    ("Esc", "Esc", "put the piece down, back to the game"),
    ("u  U", "u  U", "take a move back, make it again"),
    ("h", "h", "a hint"),
    ("t", "t", "show what the computer thinks"),
    ("d", "d", "offer a draw"),
    ("c  a", "c  a", "claim a draw, or leave without a result, by the rules"),
    ("r", "r", "resign"),
    ("n  o", "n  o", "play again, or choose another game"),
    ("PgUp PgDn", "PgUp PgDn", "look back move by move; Home and End too"),
    ("f  #", "f  #", "turn the board, numbers on or off"),
    ("s", "s", "save the game as PDN"),
    ("p", "p", "in a file: play on from this position"),
    ("Ctrl-Z", "Ctrl-Z", "suspend the program"),
    ("q, Ctrl-C", "q, Ctrl-C", "quit; an unfinished game is kept"),
];

const WIDTH: u16 = 72;
const KEY_WIDTH: u16 = 14;

/// Draws the keys over the screen, scrolled to line `first` if not all of them fit.
pub(crate) fn draw(first: usize, area: Rect, look: Look, buffer: &mut Buffer) {
    let (width, height) = (area.width.min(WIDTH), area.height.min(KEYS.len() as u16 + 2));
    let bounds =
        Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    Clear.render(bounds, buffer);
    let rows = KEYS.iter().skip(first).map(|&(key, ascii, words)| Row::new([look.pick(key, ascii), words]));
    let table = Table::new(rows, [Constraint::Length(KEY_WIDTH), Constraint::Fill(1)])
        .block(frame(look).title(" Keys "))
        .column_spacing(1)
        .style(Style::new())
        .column_highlight_style(Style::new().add_modifier(Modifier::BOLD));
    Widget::render(table, bounds, buffer);
}

/// The last scroll position of the help on a screen of this height.
pub(crate) fn last_line(height: u16) -> usize {
    (KEYS.len() + 2).saturating_sub(height.into())
}
