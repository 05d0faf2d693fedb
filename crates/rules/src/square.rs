//! The 32 playing squares and the four diagonal directions.

use core::fmt;

/// A playing square.
///
/// Players number the squares from 1 to 32 ([`number`](Square::number)), code indexes them from 0 to 31
/// ([`index`](Square::index)). Seen with White at the bottom, the numbers run from left to right and from
/// the top row down:
///
/// ```text
///       1   2   3   4
///     5   6   7   8
///       9  10  11  12
///    13  14  15  16
///      17  18  19  20
///    21  22  23  24
///      25  26  27  28
///    29  30  31  32
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 32;

    /// The square with this number, 1 to 32.
    pub const fn new(number: u8) -> Option<Square> {
        if number >= 1 && number <= 32 { Some(Square(number - 1)) } else { None }
    }

    /// The square with this index, 0 to 31.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 32 { Some(Square(index as u8)) } else { None }
    }

    /// Reads a square from its number. `None` if the text has other characters than digits; an error with the text if
    /// the number is not 1 to 32.
    pub(crate) fn read(text: &str) -> Option<Result<Square, &str>> {
        let digits = text.trim();
        let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        are_digits.then(|| digits.parse().ok().and_then(Square::new).ok_or(digits))
    }

    /// The square at `row` 0–7 (from the top, with White at the bottom) and `column` 0–7 (from the left), if it is a
    /// playing square.
    pub const fn at(row: usize, column: usize) -> Option<Square> {
        if row < 8 && column < 8 && (row + column) % 2 == 1 {
            Some(Square((row * 4 + column / 2) as u8))
        } else {
            None
        }
    }

    /// All squares, 1 to 32.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..32).map(Square)
    }

    /// The number that players use, 1 to 32.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The index, 0 to 31.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 (squares 1–4) to 7 (squares 29–32).
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / 4
    }

    /// The column, 0 to 7 from the left with White at the bottom.
    #[inline]
    pub const fn column(self) -> usize {
        2 * (self.index() % 4) + (self.row() + 1) % 2
    }

    /// The square after turning the board by 180°: 1 becomes 32, 2 becomes 31 and so on.
    #[inline]
    pub const fn turned(self) -> Square {
        Square(31 - self.0)
    }

    /// The neighbour in a direction, unless that is off the board.
    pub const fn neighbour(self, direction: Direction) -> Option<Square> {
        let (down, right) = match direction {
            Direction::DownLeft => (1, -1),
            Direction::DownRight => (1, 1),
            Direction::UpRight => (-1, 1),
            Direction::UpLeft => (-1, -1),
        };
        // A coordinate off the board wraps to a huge number, which `at` rejects.
        Square::at(self.row().wrapping_add_signed(down), self.column().wrapping_add_signed(right))
    }

    /// The bit of this square in a word of [`Squares`](crate::Squares): a spare bit follows every eight squares.
    #[inline]
    pub(crate) const fn place(self) -> u32 {
        (self.0 + self.0 / 8) as u32
    }

    /// The square of a bit in a word of [`Squares`](crate::Squares). It must not be a spare bit.
    #[inline]
    pub(crate) const fn from_place(place: u32) -> Square {
        debug_assert!(place < 35 && place % 9 != 8);
        // The mask makes the result a valid square for any input.
        Square(((place - place / 9) & 31) as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({})", self.number())
    }
}

/// One of the four diagonal directions, seen with White at the bottom. Down is forward for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Towards higher numbers and the left edge, as 11–15.
    DownLeft,
    /// Towards higher numbers and the right edge, as 11–16.
    DownRight,
    /// Towards lower numbers and the right edge, as 15–11.
    UpRight,
    /// Towards lower numbers and the left edge, as 16–11.
    UpLeft,
}

impl Direction {
    /// All four directions, in the order of their codes.
    pub const ALL: [Direction; 4] =
        [Direction::DownLeft, Direction::DownRight, Direction::UpRight, Direction::UpLeft];

    /// The opposite direction.
    #[inline]
    pub const fn back(self) -> Direction {
        match self {
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
            Direction::UpRight => Direction::DownLeft,
            Direction::UpLeft => Direction::DownRight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_lead_back_to_the_square() {
        for square in Square::all() {
            assert_eq!(Square::at(square.row(), square.column()), Some(square));
            assert_eq!(Square::from_place(square.place()), square);
        }
        assert_eq!(Square::at(0, 0), None);
        assert_eq!(Square::at(7, 0), Square::new(29));
    }

    #[test]
    fn neighbours_are_those_of_the_printed_board() {
        let number = |n: u8, d| Square::new(n).unwrap().neighbour(d).map(Square::number);
        assert_eq!(Direction::ALL.map(|d| number(11, d)), [Some(15), Some(16), Some(8), Some(7)]);
        assert_eq!(Direction::ALL.map(|d| number(15, d)), [Some(18), Some(19), Some(11), Some(10)]);
        assert_eq!(Direction::ALL.map(|d| number(4, d)), [Some(8), None, None, None]);
        assert_eq!(Direction::ALL.map(|d| number(29, d)), [None, None, Some(25), None]);
        assert_eq!(Direction::ALL.map(|d| number(5, d)), [None, Some(9), Some(1), None]);
    }
}
