//! The playing squares on the grid of columns and rows, as somebody sees them who sits at the bottom.

use crownhead_rules::{Side, Square};

/// The playing square at a column and row.
pub(crate) fn square_at(column: usize, row: usize, bottom: Side) -> Option<Square> {
    let seen = Square::at(row, column)?;
    Some(if bottom == Side::White { seen } else { seen.turned() })
}
