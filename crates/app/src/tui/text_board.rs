//! The board as plain text, as a diagram or in words for screen readers.

use crownhead_game::View;
use crownhead_rules::{Colour, Side, Square};

use super::grid::square_at;

/// Eight rows as the player sees them: letters for pieces, capitals for kings, numbers for empty squares.
pub(crate) fn board(view: &View) -> String {
    let row = |row: usize| {
        let places: String = (0..8).map(|column| place(view, column, row)).collect();
        places.trim_end().to_owned()
    };
    (0..8).map(row).collect::<Vec<_>>().join("\n")
}

/// One square of the board in three characters.
fn place(view: &View, column: usize, row: usize) -> String {
    let square = square_at(column, row, view.bottom).map(Square::number);
    let piece = view.pieces.iter().find(|piece| Some(piece.square) == square);
    match (square, piece) {
        (None, _) => "   ".to_owned(),
        (Some(_), Some(piece)) => {
            let letter = letter(view.rulebook.colour(piece.side));
            format!("  {}", if piece.king { letter.to_ascii_uppercase() } else { letter })
        }
        (Some(number), None) => format!("{number:>3}"),
    }
}

/// The pieces in words: “Black has men on 1, 2 and 3 and a king on 32.”
pub(crate) fn pieces(view: &View) -> String {
    Side::BOTH.map(|side| pieces_of(view, side)).join("\n")
}

fn pieces_of(view: &View, side: Side) -> String {
    let colour = view.rulebook.colour(side);
    let squares = |king: bool| {
        let pieces = view.pieces.iter().filter(|piece| piece.side == side && piece.king == king);
        pieces.map(|piece| piece.square).collect::<Vec<_>>()
    };
    let named = |squares: &[u8], one: &str, many: &str| match squares {
        [] => None,
        [square] => Some(format!("{one} on {square}")),
        squares => Some(format!("{many} on {}", all(squares))),
    };
    let (men, kings) = (squares(false), squares(true));
    let parts = [named(&men, "a man", "men"), named(&kings, "a king", "kings")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        format!("{colour} has no piece.")
    } else {
        format!("{colour} has {}.", parts.join(", and "))
    }
}

/// “1”, “1 and 2”, “1, 2 and 3”.
fn all(squares: &[u8]) -> String {
    let mut words: Vec<String> = squares.iter().map(ToString::to_string).collect();
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} and {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// The letter of a colour.
pub(crate) const fn letter(colour: Colour) -> char {
    match colour {
        Colour::Black => 'b',
        Colour::Red => 'r',
        Colour::White => 'w',
        Colour::Yellow => 'y',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Game, Moment, Player, Start, Time, Who};

    fn view(fen: &str) -> View {
        let mut start = Start::new([Player::human(""), Player::human("")], 1);
        start.position = Some(fen.to_owned());
        let (game, _) = Game::start(start, Time(0)).unwrap();
        game.view(Who::Screen, Moment::at(Time(0)))
    }

    #[test]
    fn the_board_is_seen_from_the_bottom_player() {
        let text = board(&view("B:W21-32:B1-12"));
        assert_eq!(text.lines().next(), Some("     r     r     r     r"));
        assert_eq!(text.lines().nth(3), Some(" 20    19    18    17"));
        assert_eq!(text.lines().nth(7), Some("  b     b     b     b"));
    }

    #[test]
    fn pieces_are_told_in_words() {
        let text = pieces(&view("B:WK4,30,31:B1"));
        assert_eq!(text, "Black has a man on 1.\nRed has men on 30 and 31, and a king on 4.");
    }
}
