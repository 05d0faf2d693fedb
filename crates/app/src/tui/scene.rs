//! The board as it is to be drawn: what stands on each square, and what is marked. Plain data, no rules.

use crownhead_rules::{Colour, Side, Square, SquareColour};

use super::grid::place;

/// Everything that a painter of the board needs to know.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    /// The colours of the pieces, by [`Side::index`].
    pub(crate) colours: [Colour; 2],
    /// How the playing squares are painted.
    pub(crate) playing_squares: SquareColour,
    /// Whose side of the board is at the bottom.
    pub(crate) bottom: Side,
    pub(crate) spots: [Spot; Square::COUNT],
    /// A piece on its way, or in the player's hand.
    pub(crate) afloat: Option<Afloat>,
    pub(crate) numbers: bool,
    /// How strongly the pieces that must jump are marked now, 0 to 1.
    pub(crate) pulse: f32,
}

/// One square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "marks may come together in any way")]
pub(crate) struct Spot {
    pub(crate) figure: Option<Figure>,
    /// The piece has been jumped and leaves when the jump is complete.
    pub(crate) ghost: bool,
    pub(crate) cursor: bool,
    pub(crate) selected: bool,
    pub(crate) must_jump: bool,
    pub(crate) last_move: bool,
    pub(crate) hint: bool,
    pub(crate) target: Option<Target>,
}

/// Where the selected piece can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Step,
    Jump,
}

/// A piece, as far as it looks different from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) side: Side,
    pub(crate) king: bool,
}

/// A piece that is not on a square. Its middle is told in squares from the upper left corner of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Afloat {
    pub(crate) figure: Figure,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Scene {
    /// The squares of the board with their places, columns and rows counted from the upper left corner.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (Square, &Spot, (usize, usize))> {
        Square::all().map(|square| (square, &self.spots[square.index()], place(square, self.bottom)))
    }

    /// Is a place painted dark?
    pub(crate) fn is_dark(&self, column: usize, row: usize) -> bool {
        // The board looks the same from both sides.
        let playing = Square::at(row, column).is_some();
        playing == (self.playing_squares == SquareColour::Dark)
    }

    pub(crate) fn colour(&self, side: Side) -> Colour {
        self.colours[side.index()]
    }
}
