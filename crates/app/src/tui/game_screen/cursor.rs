//! The keyboard cursor on the board.

use crownhead_game::View;
use crownhead_rules::{Side, Square};

use crate::tui::grid::{place, square_at};
use crate::tui::keys::Arrow;

/// The square of the cursor and whether it is visible; it is hidden while the mouse is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    square: Square,
    is_shown: bool,
}

impl Cursor {
    /// A cursor on a movable piece, if there is one.
    pub(crate) fn on(view: &View) -> Cursor {
        let first = view.moves.first().and_then(|piece| Square::new(piece.from));
        let square = first.or_else(|| square_at(3, 4, view.bottom)).expect("3, 4 is a playing square");
        Cursor { square, is_shown: false }
    }

    pub(crate) fn square(self) -> Square {
        self.square
    }

    pub(crate) fn is_on(self, square: Square) -> bool {
        self.is_shown && self.square == square
    }

    pub(crate) fn show(&mut self) {
        self.is_shown = true;
    }

    /// Moves to a square chosen with the mouse.
    pub(crate) fn follow_mouse(&mut self, square: Square) {
        *self = Cursor { square, is_shown: false };
    }

    /// Moves to the next square in a direction. Up and down alternate between two columns, so that every square is
    /// reachable.
    pub(crate) fn go(&mut self, arrow: Arrow, bottom: Side) {
        if !self.is_shown {
            self.is_shown = true;
            return;
        }
        let (column, row) = place(self.square, bottom);
        let swung = if column % 2 == 0 { column + 1 } else { column - 1 };
        let (column, row) = match arrow {
            Arrow::Left => (column.wrapping_sub(2), row),
            Arrow::Right => (column + 2, row),
            Arrow::Up => (swung, row.wrapping_sub(1)),
            Arrow::Down => (swung, row + 1),
        };
        // At the edge the cursor stays.
        self.square = square_at(column, row, bottom).unwrap_or(self.square);
    }

    /// Moves to the next of these squares, row by row from the upper left, wrapping around.
    pub(crate) fn hop(&mut self, squares: &[u8], bottom: Side, forward: bool) {
        self.is_shown = true;
        let order = |square: Square| {
            let (column, row) = place(square, bottom);
            (row, column)
        };
        let mut squares: Vec<Square> = squares.iter().filter_map(|&number| Square::new(number)).collect();
        squares.sort_by_key(|&square| order(square));
        let here = order(self.square);
        let next = if forward {
            squares.iter().find(|&&square| order(square) > here).or(squares.first())
        } else {
            squares.iter().rev().find(|&&square| order(square) < here).or(squares.last())
        };
        self.square = next.copied().unwrap_or(self.square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u8) -> Cursor {
        Cursor { square: Square::new(number).unwrap(), is_shown: true }
    }

    fn gone(number: u8, arrow: Arrow, bottom: Side) -> u8 {
        let mut cursor = at(number);
        cursor.go(arrow, bottom);
        cursor.square().number()
    }

    #[test]
    fn arrows_go_where_they_point_for_both_players() {
        assert_eq!(gone(22, Arrow::Up, Side::White), 18);
        assert_eq!(gone(22, Arrow::Right, Side::White), 23);
        assert_eq!(gone(11, Arrow::Up, Side::Black), 15);
        assert_eq!(gone(11, Arrow::Right, Side::Black), 10);
    }

    #[test]
    fn every_square_is_reached_and_none_beyond_the_edge() {
        let mut seen = std::collections::BTreeSet::new();
        let mut waiting = vec![11];
        while let Some(number) = waiting.pop() {
            if seen.insert(number) {
                let arrows = [Arrow::Up, Arrow::Down, Arrow::Left, Arrow::Right];
                waiting.extend(arrows.map(|arrow| gone(number, arrow, Side::White)));
            }
        }
        assert_eq!(seen.len(), 32);
    }

    #[test]
    fn hopping_goes_round() {
        let mut cursor = at(9);
        let seen: Vec<u8> = (0..3)
            .map(|_| {
                cursor.hop(&[12, 9, 10], Side::White, true);
                cursor.square().number()
            })
            .collect();
        assert_eq!(seen, [10, 12, 9]);
        cursor.hop(&[12, 9, 10], Side::White, false);
        assert_eq!(cursor.square().number(), 12);
        cursor.hop(&[], Side::White, true);
        assert_eq!(cursor.square().number(), 12);
    }

    #[test]
    fn a_hidden_cursor_shows_itself_before_it_moves() {
        let mut cursor = Cursor { square: Square::new(11).unwrap(), is_shown: false };
        cursor.go(Arrow::Up, Side::Black);
        assert!(cursor.is_on(Square::new(11).unwrap()));
    }
}
