//! The Hub notation of positions and moves.

use crownhead_rules::{Excerpt, Move, Piece, Position, Rank, Setup, SetupError, Side, Square, Squares};

/// Why a position or a move of the protocol is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not have one letter for the side to move and one for each square.
    #[error("a position has 33 letters, the side to move and one for each square; this one has {0}")]
    Length(usize),
    /// A letter that does not name a piece or an empty square.
    #[error("{0:?} is not a piece; write w, b, W, B, or e for an empty square")]
    Letter(char),
    /// The side to move is neither W nor B.
    #[error("{0:?} is not a side to move; write W or B")]
    Turn(char),
    /// The pieces do not form a valid position.
    #[error("impossible position: {0}")]
    Impossible(SetupError),
    /// The move is not legal.
    #[error("{0} is not a legal move here")]
    Move(Excerpt),
    /// Several captures have the same start and end.
    #[error("{0} fits several captures; add the captured squares")]
    Ambiguous(Excerpt),
}

/// Writes a position as `Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww`: the side to move, then the squares from 1 to 32.
pub fn position_text(position: &Position) -> String {
    let letter = |square| match position.piece_at(square) {
        None => 'e',
        Some(Piece { side, rank: Rank::King }) => side.letter(),
        Some(Piece { side, rank: Rank::Man }) => side.letter().to_ascii_lowercase(),
    };
    core::iter::once(position.side_to_move().letter()).chain(Square::all().map(letter)).collect()
}

/// Parses a position.
///
/// # Errors
/// If the text is malformed or the position impossible.
pub fn parse_position(text: &str) -> Result<Position, NotationError> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() != 1 + Square::COUNT {
        return Err(NotationError::Length(letters.len()));
    }
    let turn = match letters[0] {
        'B' | 'b' => Side::Black,
        'W' | 'w' => Side::White,
        other => return Err(NotationError::Turn(other)),
    };
    let mut setup = Setup::empty(turn);
    for (piece, &letter) in setup.pieces.iter_mut().zip(&letters[1..]) {
        *piece = match letter {
            'b' => Some(Piece::man(Side::Black)),
            'w' => Some(Piece::man(Side::White)),
            'B' => Some(Piece::king(Side::Black)),
            'W' => Some(Piece::king(Side::White)),
            'e' => None,
            other => return Err(NotationError::Letter(other)),
        };
    }
    setup.to_position().map_err(NotationError::Impossible)
}

/// Writes a move as `11-15`, or a capture as start, end and the captured squares: `22x8x18x11`.
pub fn move_text(mv: Move) -> String {
    if !mv.is_capture() {
        return mv.to_string();
    }
    let squares = [mv.from(), mv.to()].into_iter().chain(mv.captured());
    squares.map(|square| square.to_string()).collect::<Vec<_>>().join("x")
}

/// Parses a legal move. The captured squares may be omitted if only one capture has this start and end.
///
/// # Errors
/// If the move is not legal, or fits several captures.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
    let illegal = || NotationError::Move(text.into());
    let squares: Option<Vec<Square>> =
        text.split(['-', 'x']).map(|part| part.parse().ok().and_then(Square::new)).collect();
    let squares = squares.ok_or_else(illegal)?;
    let [from, to, ref captured @ ..] = squares[..] else { return Err(illegal()) };
    let captured: Squares = captured.iter().copied().collect();
    let is_meant = |mv: &Move| {
        let fits = if mv.is_capture() {
            captured.is_empty() || mv.captured() == captured
        } else {
            captured.is_empty()
        };
        mv.is_capture() == text.contains('x') && mv.from() == from && mv.to() == to && fits
    };
    // The notation does not distinguish two paths over the same pieces.
    let mut meant = position.distinct_moves().into_iter().filter(is_meant);
    let mv = meant.next().ok_or_else(illegal)?;
    if meant.next().is_some() { Err(NotationError::Ambiguous(text.into())) } else { Ok(mv) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_written_as_the_protocol_says() {
        let text = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
        assert_eq!(position_text(&Position::start()), text);
        assert_eq!(parse_position(text), Ok(Position::start()));
        let kings: Position = "W:WK1,9:B20,K32".parse().unwrap();
        assert_eq!(parse_position(&position_text(&kings)), Ok(kings));
    }

    #[test]
    fn captures_name_the_captured_squares() {
        let position: Position = "W:W22:B18,11,17,9".parse().unwrap();
        for mv in position.moves() {
            assert_eq!(parse_move(&position, &move_text(mv)), Ok(mv));
        }
        assert_eq!(move_text(position.parse_move("22x15x8").unwrap()), "22x8x11x18");
        assert!(parse_move(&position, "22x8x18x11").is_ok(), "in any order");
    }

    #[test]
    fn captured_squares_may_be_left_out_where_one_capture_fits() {
        let position: Position = "W:W22:B18,11,17,9".parse().unwrap();
        assert_eq!(parse_move(&position, "22x8"), Ok(position.parse_move("22x15x8").unwrap()));
        assert!(parse_move(&position, "22-8").is_err() && parse_move(&position, "22x8x17").is_err());
        let two_ways: Position = "W:W31:B18,19,26,27".parse().unwrap();
        assert_eq!(parse_move(&two_ways, "31x15"), Err(NotationError::Ambiguous("31x15".into())));
        assert!(parse_move(&two_ways, "31x15x26x18").is_ok());
        assert!(parse_move(&Position::start(), "11x15").is_err(), "it takes nothing");
    }

    #[test]
    fn malformed_text_is_rejected_with_the_reason() {
        assert_eq!(parse_position("Bbb"), Err(NotationError::Length(3)));
        assert_eq!(parse_position(&"x".repeat(33)), Err(NotationError::Turn('x')));
        assert_eq!(parse_position(&format!("B{}", "é".repeat(32))), Err(NotationError::Letter('é')));
        assert!(matches!(parse_position(&format!("B{}", "e".repeat(32))), Err(NotationError::Impossible(_))));
        for text in ["", "11", "11-99", "11-18", "a-b", "-"] {
            assert_eq!(parse_move(&Position::start(), text), Err(NotationError::Move(text.into())));
        }
    }
}
