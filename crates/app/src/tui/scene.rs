//! The scene that the board renderers draw: pieces and marks by square. Plain data, no rules.

use crownhead_rules::{Colour, Side, Square, SquareColour};

use super::grid::place;

/// Everything that a board renderer needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    /// The colours of the pieces, by [`Side::index`].
    pub(crate) colours: [Colour; 2],
    /// The colour of the playing squares.
    pub(crate) playing_squares: SquareColour,
    /// The side at the bottom of the screen.
    pub(crate) bottom: Side,
    pub(crate) spots: [Spot; Square::COUNT],
    /// A piece that is being animated or dragged.
    pub(crate) afloat: Option<Afloat>,
    pub(crate) numbers: bool,
    /// The current intensity of the mark on pieces that must jump, 0 to 1.
    pub(crate) pulse: f32,
}

/// One square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "marks may come together in any way")]
pub(crate) struct Spot {
    pub(crate) figure: Option<Figure>,
    /// The piece has been jumped and disappears when the jump is complete.
    pub(crate) ghost: bool,
    pub(crate) cursor: bool,
    pub(crate) selected: bool,
    pub(crate) must_jump: bool,
    pub(crate) last_move: bool,
    pub(crate) hint: bool,
    pub(crate) target: Option<Target>,
}

/// A destination of the selected piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Step,
    Jump,
}

/// The visible properties of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) side: Side,
    pub(crate) king: bool,
}

/// A piece that is not on a square. Its centre is given in squares from the upper left corner of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Afloat {
    pub(crate) figure: Figure,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Scene {
    /// The playing squares with their column and row, counted from the upper left corner.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (Square, &Spot, (usize, usize))> {
        Square::all().map(|square| (square, &self.spots[square.index()], place(square, self.bottom)))
    }

    /// Is the square at this column and row dark?
    pub(crate) fn is_dark(&self, column: usize, row: usize) -> bool {
        // The pattern of squares is the same from both sides.
        let playing = Square::at(row, column).is_some();
        playing == (self.playing_squares == SquareColour::Dark)
    }

    pub(crate) fn colour(&self, side: Side) -> Colour {
        self.colours[side.index()]
    }
}
