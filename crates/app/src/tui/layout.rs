//! Responsive layout of the game screen: board, panel, status and entry by the size of the terminal.

use ratatui::layout::Rect;

use super::board::{Board, SQUARE_HEIGHTS};

/// The areas of the game screen. An area without room has no height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) title: Rect,
    pub(crate) board: Board,
    pub(crate) sides: Sides,
    /// The state of the game, in one or two lines.
    pub(crate) status: Rect,
    /// The text that the player is typing.
    pub(crate) entry: Rect,
    pub(crate) hints: Rect,
}

/// The areas of the players and the move list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// Beside the board.
    Beside(Rect),
    /// A line above it, a line below it, and a line for the moves.
    Around { above: Rect, below: Rect, moves: Rect },
    /// There is no room for them.
    Nowhere,
}

/// The screen is too small; the size that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSmall {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

const GAP: u16 = 2;
const MIN_PANEL_WIDTH: u16 = 20;
const MAX_PANEL_WIDTH: u16 = 42;
const MIN_DIALOG_WIDTH: u16 = 30;
const STATUS_LINES: u16 = 2;
/// The lines above and below a small board get at least this width if the screen has it.
const MIN_LINE_WIDTH: u16 = 40;
/// The smallest width for sentences.
const MIN_WIDTH: u16 = 20;

impl Layout {
    /// The layout with the largest board that fits together with everything around it.
    pub(crate) fn new(area: Rect) -> Result<Layout, TooSmall> {
        SQUARE_HEIGHTS
            .into_iter()
            .find_map(|height| Layout::beside(area, height).or_else(|| Layout::around(area, height)))
            .or_else(|| Layout::bare(area))
            .ok_or_else(|| {
                let (width, height) = Board::size(1);
                TooSmall { width: width.max(MIN_WIDTH), height: height + STATUS_LINES + 1 }
            })
    }

    /// The area of a dialog: beside the board if there is room, so that the whole board stays visible.
    pub(crate) fn dialog_area(&self, whole: Rect) -> Rect {
        match self.sides {
            Sides::Beside(panel) if panel.width >= MIN_DIALOG_WIDTH => panel,
            _ => whole,
        }
    }

    /// Title, board with a panel beside it, status, entry, hints.
    fn beside(area: Rect, square_height: u16) -> Option<Layout> {
        let (board_width, board_height) = Board::size(square_height);
        let spare = area.height.checked_sub(board_height + STATUS_LINES + 3)?;
        let panel_width =
            area.width.checked_sub(board_width + GAP).filter(|&width| width >= MIN_PANEL_WIDTH)?;
        let panel_width = panel_width.min(MAX_PANEL_WIDTH);
        let width = board_width + GAP + panel_width;
        let mut rows = Rows::new(area.x + (area.width - width) / 2, area.y, width);
        rows.skip(spare.saturating_sub(2) / 2);
        let title = rows.take(1);
        rows.skip(u16::from(spare >= 2));
        let row = rows.take(board_height);
        rows.skip(u16::from(spare >= 1));
        let board = Board::new(row.x, row.y, square_height);
        let panel = Rect::new(row.x + board_width + GAP, row.y, panel_width, board_height);
        let (status, entry, hints) = (rows.take(STATUS_LINES), rows.take(1), rows.take(1));
        Some(Layout { title, board, sides: Sides::Beside(panel), status, entry, hints })
    }

    /// As on a phone: title, a player, board, the other player, status, moves, entry, hints.
    fn around(area: Rect, square_height: u16) -> Option<Layout> {
        let (board_width, board_height) = Board::size(square_height);
        let spare = area.height.checked_sub(board_height + STATUS_LINES + 6)?;
        if area.width < board_width.max(MIN_WIDTH) {
            return None;
        }
        let width = board_width.max(MIN_LINE_WIDTH).min(area.width);
        let mut rows = Rows::new(area.x + (area.width - width) / 2, area.y, width);
        rows.skip(spare / 2);
        let (title, above, row, below) = (rows.take(1), rows.take(1), rows.take(board_height), rows.take(1));
        let board = Board::new(row.x + (width - board_width) / 2, row.y, square_height);
        let (status, moves, entry, hints) =
            (rows.take(STATUS_LINES), rows.take(1), rows.take(1), rows.take(1));
        Some(Layout { title, board, sides: Sides::Around { above, below, moves }, status, entry, hints })
    }

    /// The smallest: board, status, entry.
    fn bare(area: Rect) -> Option<Layout> {
        let (board_width, board_height) = Board::size(1);
        let fits = area.width >= board_width.max(MIN_WIDTH) && area.height > board_height + STATUS_LINES;
        fits.then(|| {
            let mut rows = Rows::new(area.x, area.y, area.width);
            let nowhere = rows.take(0);
            let row = rows.take(board_height);
            let board = Board::new(row.x + (area.width - board_width) / 2, row.y, 1);
            let (status, entry) = (rows.take(STATUS_LINES), rows.take(1));
            Layout { title: nowhere, board, sides: Sides::Nowhere, status, entry, hints: nowhere }
        })
    }
}

/// Allocates rows of one width from the top.
struct Rows {
    x: u16,
    y: u16,
    width: u16,
}

impl Rows {
    fn new(x: u16, y: u16, width: u16) -> Rows {
        Rows { x, y, width }
    }

    fn take(&mut self, height: u16) -> Rect {
        let row = Rect::new(self.x, self.y, self.width, height);
        self.y += height;
        row
    }

    fn skip(&mut self, height: u16) {
        self.y += height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_height(width: u16, height: u16) -> Option<u16> {
        Layout::new(Rect::new(0, 0, width, height)).ok().map(|layout| layout.board.square_height)
    }

    #[test]
    fn the_board_grows_with_the_window() {
        assert_eq!(square_height(80, 24), Some(2));
        assert_eq!(square_height(120, 40), Some(4));
        assert_eq!(square_height(40, 15), Some(1));
        assert_eq!(square_height(200, 60), Some(5));
        assert_eq!(square_height(20, 13), Some(1));
        assert_eq!(square_height(20, 5), None);
    }

    #[test]
    fn everything_lies_within_the_window_and_apart() {
        for (width, height) in
            (0..140).step_by(3).flat_map(|width| (0..60).map(move |height| (width, height)))
        {
            let area = Rect::new(0, 0, width, height);
            let Ok(layout) = Layout::new(area) else { continue };
            let sides = match layout.sides {
                Sides::Beside(panel) => vec![panel],
                Sides::Around { above, below, moves } => vec![above, below, moves],
                Sides::Nowhere => vec![],
            };
            let mut places = vec![layout.title, layout.board.area, layout.status, layout.entry, layout.hints];
            places.extend(sides);
            for (i, place) in places.iter().enumerate().filter(|(_, place)| !place.is_empty()) {
                assert_eq!(area.intersection(*place), *place, "{width}x{height}: {place:?} is cut off");
                let clash = places[..i].iter().find(|other| !other.is_empty() && other.intersects(*place));
                assert_eq!(clash, None, "{width}x{height}: {place:?} is covered");
            }
        }
    }
}
