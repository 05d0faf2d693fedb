//! Maps squares to columns and rows of the screen, for either orientation of the board.

use crownhead_rules::{Side, Square};

/// Column and row of a square, from the upper left corner.
pub(crate) fn place(square: Square, bottom: Side) -> (usize, usize) {
    let seen = if bottom == Side::White { square } else { square.turned() };
    (seen.column(), seen.row())
}

/// The playing square at a column and row.
pub(crate) fn square_at(column: usize, row: usize, bottom: Side) -> Option<Square> {
    let seen = Square::at(row, column)?;
    Some(if bottom == Side::White { seen } else { seen.turned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_player_has_the_own_squares_nearest() {
        let square = |number| Square::new(number).unwrap();
        assert_eq!(place(square(29), Side::White), (0, 7));
        assert_eq!(place(square(4), Side::Black), (0, 7));
        for number in 1..=32 {
            for bottom in Side::BOTH {
                let (column, row) = place(square(number), bottom);
                assert_eq!(square_at(column, row, bottom), Some(square(number)));
            }
        }
    }
}
