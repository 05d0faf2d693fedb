//! The board as a screen draws it: the pieces and their moves.

use crownhead_rules::{
    Colour, Move, Piece, Position, Rank, Rulebook, RulebookId, Side, Square, SquareColour, Squares,
};
use serde::Serialize;

use super::words;
use crate::error::Refusal;
use crate::game::Game;
use crate::selection::{SelectionState, states};

/// What a screen shows of a rule book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulebookView {
    /// `american`, `win-only`, `light`, `numbered` or `quick`.
    pub id: RulebookId,
    /// Its name on screen.
    pub title: &'static str,
    /// What is special about it.
    pub summary: &'static str,
    /// The colour of the side that moves first (`black` in the notation).
    pub black: Colour,
    /// The colour of the other side.
    pub white: Colour,
    /// The colour of the 32 playing squares.
    pub playing_squares: SquareColour,
    /// Are square numbers shown by default?
    pub shows_numbers: bool,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// 1 to 32.
    pub square: u8,
    /// The side that owns it.
    pub side: Side,
    /// Is it a king?
    pub king: bool,
    /// Why the viewer cannot move it now; `null` if they can.
    pub why_not: Option<String>,
}

/// The moves of one piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceMoves {
    /// Where it stands.
    pub from: u8,
    /// Its legal moves. Two paths that end on the same square are two moves.
    pub moves: Vec<MoveView>,
    /// Every state that the selection of one of these moves can be in.
    pub states: Vec<SelectionState>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveView {
    /// The full path, to be sent back in the command `move`.
    #[serde(rename = "move")]
    pub exact: String,
    /// The move as the rule book writes it.
    pub text: String,
    /// The squares from the first over every landing square to the last.
    pub path: Vec<u8>,
    /// The jumped squares in order: one fewer than `path`, or none.
    pub captured: Vec<u8>,
    /// Does the man become a king?
    pub crowns: bool,
}

/// The move that led to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastMove {
    /// The side that made it.
    pub side: Side,
    /// “Red jumps from 22 to 15 and takes a man.”
    pub sentence: String,
    /// The move itself.
    #[serde(flatten)]
    pub mv: MoveView,
}

impl RulebookView {
    /// The parts of a rule book that a screen shows.
    pub fn of(book: &Rulebook) -> RulebookView {
        RulebookView {
            id: book.id,
            title: book.id.title(),
            summary: book.id.summary(),
            black: book.colour(Side::Black),
            white: book.colour(Side::White),
            playing_squares: book.playing_squares,
            shows_numbers: book.shows_numbers,
        }
    }

    /// The colour of a side.
    pub const fn colour(&self, side: Side) -> Colour {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }
}

impl Game {
    pub(super) fn pieces(&self, position: &Position, you: Option<Side>, is_now: bool) -> Vec<PieceView> {
        let movable: Squares = position.moves().iter().map(|mv| mv.from()).collect();
        Square::all()
            .filter_map(|square| Some((square, position.piece_at(square)?)))
            .map(|(square, piece)| PieceView {
                square: square.number(),
                side: piece.side,
                king: piece.rank == Rank::King,
                why_not: if is_now {
                    self.why_not(position, piece, movable.contains(square), you)
                } else {
                    Some("This is an earlier position.".to_owned())
                },
            })
            .collect()
    }

    /// Why `you` cannot move this piece of the position on the board.
    fn why_not(&self, position: &Position, piece: Piece, movable: bool, you: Option<Side>) -> Option<String> {
        let Some(you) = you else { return Some(Refusal::Watching.to_string()) };
        if let Err(refusal) = self.going_on().and_then(|()| self.own_turn(you)) {
            return Some(refusal.to_string());
        }
        if piece.side != you {
            let colour = |side| self.rulebook().colour(side);
            return Some(words::not_yours(piece.rank, colour(piece.side), colour(you)));
        }
        (!movable).then(|| words::stuck(position, piece.rank))
    }

    pub(super) fn moves_by_piece(&self) -> Vec<PieceMoves> {
        let position = self.history.position();
        let mut pieces: Vec<PieceMoves> = Vec::new();
        for mv in position.moves() {
            let from = mv.from().number();
            let view = self.move_view(position, mv);
            match pieces.iter_mut().find(|piece| piece.from == from) {
                Some(piece) => piece.moves.push(view),
                None => pieces.push(PieceMoves { from, moves: vec![view], states: Vec::new() }),
            }
        }
        for piece in &mut pieces {
            piece.states = states(&piece.moves);
        }
        pieces
    }

    pub(super) fn move_view(&self, position: &Position, mv: Move) -> MoveView {
        let squares: Vec<Square> = core::iter::once(mv.from()).chain(mv.landings()).collect();
        let over = |pair: &[Square]| {
            mv.captured().iter().find(|square| is_between(*square, pair[0], pair[1])).map(Square::number)
        };
        MoveView {
            exact: mv.to_string(),
            text: words::shown_text(&position.move_text(mv), self.rulebook()),
            path: squares.iter().map(|square| square.number()).collect(),
            captured: squares.windows(2).filter_map(over).collect(),
            crowns: position.crowns(mv),
        }
    }

    pub(super) fn last_move(&self, shown: usize) -> Option<LastMove> {
        let (position, mv) = self.history.steps().nth(shown.checked_sub(1)?)?;
        Some(LastMove {
            side: position.side_to_move(),
            sentence: words::move_sentence(position, mv, self.rulebook()),
            mv: self.move_view(position, mv),
        })
    }
}

/// Does a jump between two squares go over this one?
fn is_between(square: Square, from: Square, to: Square) -> bool {
    2 * square.row() == from.row() + to.row() && 2 * square.column() == from.column() + to.column()
}
