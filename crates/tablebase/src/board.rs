//! The bitboard of the tablebase and its move generator, for retrograde analysis and probing.
//!
//! Four words of 32 bits, from the perspective of the side to move, which plays down the board as Black does; a
//! position with White to move is turned. The generator visits successor boards, not moves. It is the only other
//! implementation of the moves besides `crownhead-rules`; `boards_after_a_move_are_those_of_the_rules` compares the
//! two.

use crownhead_rules::{Piece, Setup, Square, Squares};
use crownhead_rules::{Position, Side};

/// Rows 0, 2, 4 and 6: from their squares, the lower left neighbour is 4 bits up and the lower right one 5.
const EVEN_ROWS: u32 = 0x0f0f_0f0f;
const ODD_ROWS: u32 = !EVEN_ROWS;
/// The even rows without their last square, which lies on the right edge.
const EVEN_INNER: u32 = 0x0707_0707;
/// The odd rows without their first square, which lies on the left edge.
const ODD_INNER: u32 = 0xe0e0_e0e0;
/// The row where the men of the side to move are crowned.
const KING_ROW: u32 = 0xf000_0000;

/// Shifts every square of a set one step, and drops those that would leave the board.
type Step = fn(u32) -> u32;

#[inline]
const fn down_left(set: u32) -> u32 {
    (set & EVEN_ROWS) << 4 | (set & ODD_INNER) << 3
}

#[inline]
const fn down_right(set: u32) -> u32 {
    (set & EVEN_INNER) << 5 | (set & ODD_ROWS) << 4
}

#[inline]
const fn up_left(set: u32) -> u32 {
    (set & EVEN_ROWS) >> 4 | (set & ODD_INNER) >> 5
}

#[inline]
const fn up_right(set: u32) -> u32 {
    (set & EVEN_INNER) >> 3 | (set & ODD_ROWS) >> 4
}

/// All squares next to those of a set.
#[inline]
pub(crate) const fn neighbours(set: u32) -> u32 {
    down_left(set) | down_right(set) | up_left(set) | up_right(set)
}

/// The pieces of the side to move (`own`), which plays down the board, and of the other side (`opp`).
/// Bit 0 is square 1, bit 31 is square 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) own_men: u32,
    pub(crate) own_kings: u32,
    pub(crate) opp_men: u32,
    pub(crate) opp_kings: u32,
}

impl Board {
    /// The board of a position, turned if White is to move.
    #[inline]
    pub(crate) fn of(position: &Position) -> Board {
        let (black, white) = (position.pieces(Side::Black).bits(), position.pieces(Side::White).bits());
        let kings = position.all_kings().bits();
        let board = Board {
            own_men: black & !kings,
            own_kings: black & kings,
            opp_men: white & !kings,
            opp_kings: white & kings,
        };
        match position.side_to_move() {
            Side::Black => board,
            Side::White => board.turned(),
        }
    }

    /// The position with this side to move.
    pub(crate) fn to_position(self, side: Side) -> Position {
        let Board { own_men, own_kings, opp_men, opp_kings } = self;
        let mut setup = Setup::empty(side);
        for (set, piece) in [
            (own_men, Piece::man(side)),
            (own_kings, Piece::king(side)),
            (opp_men, Piece::man(!side)),
            (opp_kings, Piece::king(!side)),
        ] {
            for square in Squares::from_bits(set) {
                let square: Square = if side == Side::Black { square } else { square.turned() };
                setup.pieces[square.index()] = Some(piece);
            }
        }
        setup.to_position().expect("boards of the tables obey the limits of a position")
    }

    /// The same board as the other side sees it.
    #[inline]
    pub(crate) const fn turned(self) -> Board {
        Board {
            own_men: self.opp_men.reverse_bits(),
            own_kings: self.opp_kings.reverse_bits(),
            opp_men: self.own_men.reverse_bits(),
            opp_kings: self.own_kings.reverse_bits(),
        }
    }

    #[inline]
    pub(crate) const fn own(self) -> u32 {
        self.own_men | self.own_kings
    }

    #[inline]
    pub(crate) const fn opp(self) -> u32 {
        self.opp_men | self.opp_kings
    }

    #[inline]
    pub(crate) const fn empty(self) -> u32 {
        !(self.own() | self.opp())
    }

    /// The number of pieces.
    #[inline]
    pub(crate) const fn len(self) -> u32 {
        (self.own() | self.opp()).count_ones()
    }

    /// Can the side to move capture? If so, it must.
    #[inline]
    pub(crate) const fn is_capture_due(self) -> bool {
        let (empty, opp) = (self.empty(), self.opp());
        let ahead = up_right(up_right(empty) & opp) | up_left(up_left(empty) & opp);
        let back = down_right(down_right(empty) & opp) | down_left(down_left(empty) & opp);
        self.own() & ahead | self.own_kings & back != 0
    }

    /// Could the other side capture if it were to move?
    #[inline]
    pub(crate) const fn is_threatened(self) -> bool {
        let (empty, own) = (self.empty(), self.own());
        let ahead = down_right(down_right(empty) & own) | down_left(down_left(empty) & own);
        let back = up_right(up_right(empty) & own) | up_left(up_left(empty) & own);
        self.opp() & ahead | self.opp_kings & back != 0
    }

    /// Visits the board after every capture, as the other side sees it.
    #[inline]
    pub(crate) fn each_capture(self, visit: &mut impl FnMut(Board)) {
        for from in bits(self.own_men) {
            self.carry_on(from, from, 0, false, visit);
        }
        for from in bits(self.own_kings) {
            self.carry_on(from, from, 0, true, visit);
        }
    }

    /// Continues a capture from `at`, and visits the board after every way to complete it.
    fn carry_on(self, from: u32, at: u32, captured: u32, king: bool, visit: &mut impl FnMut(Board)) {
        // The piece has left its first square, so it may land there; jumped pieces stay on the board and block.
        let empty = self.empty() | from;
        let steps: &[Step] =
            if king { &[down_left, down_right, up_left, up_right] } else { &[down_left, down_right] };
        let mut ended = true;
        for step in steps {
            let over = step(at) & self.opp() & !captured;
            let to = step(over) & empty;
            if to == 0 {
                continue;
            }
            ended = false;
            if !king && to & KING_ROW != 0 {
                visit(self.after_capture(from, to, captured | over, king));
            } else {
                self.carry_on(from, to, captured | over, king, visit);
            }
        }
        if ended && captured != 0 {
            visit(self.after_capture(from, at, captured, king));
        }
    }

    fn after_capture(self, from: u32, to: u32, captured: u32, king: bool) -> Board {
        let crowned = king || to & KING_ROW != 0;
        Board {
            own_men: self.own_men & !from | if crowned { 0 } else { to },
            own_kings: self.own_kings & !from | if crowned { to } else { 0 },
            opp_men: self.opp_men & !captured,
            opp_kings: self.opp_kings & !captured,
        }
        .turned()
    }

    /// Visits the board after every step of a man, as the other side sees it. Steps are legal only if no capture is
    /// due.
    #[inline]
    pub(crate) fn each_man_step(self, visit: &mut impl FnMut(Board)) {
        let empty = self.empty();
        for (step, back) in [(down_left as Step, up_right as Step), (down_right, up_left)] {
            for to in bits(step(self.own_men) & empty) {
                let crowned = to & KING_ROW;
                let own_men = self.own_men ^ back(to) ^ (to & !KING_ROW);
                visit(Board { own_men, own_kings: self.own_kings | crowned, ..self }.turned());
            }
        }
    }

    /// Visits the board after every step of a king, as the other side sees it. Steps are legal only if no capture is
    /// due.
    #[inline]
    pub(crate) fn each_king_step(self, visit: &mut impl FnMut(Board)) {
        let empty = self.empty();
        for from in bits(self.own_kings) {
            for to in bits(neighbours(from) & empty) {
                visit(Board { own_kings: self.own_kings ^ from ^ to, ..self }.turned());
            }
        }
    }

    /// The number of boards that [`each_king_step`](Board::each_king_step) would visit.
    #[inline]
    pub(crate) const fn count_king_steps(self) -> u32 {
        let (kings, empty) = (self.own_kings, self.empty());
        (down_left(kings) & empty).count_ones()
            + (down_right(kings) & empty).count_ones()
            + (up_left(kings) & empty).count_ones()
            + (up_right(kings) & empty).count_ones()
    }

    /// Visits the board after every legal move, as the other side sees it. If two captures lead to the same board, it
    /// is visited twice.
    #[inline]
    pub(crate) fn each_move(self, visit: &mut impl FnMut(Board)) {
        if self.is_capture_due() {
            self.each_capture(visit);
        } else {
            self.each_quiet(visit);
        }
    }

    /// Visits the board after every quiet move, as the other side sees it.
    #[inline]
    pub(crate) fn each_quiet(self, visit: &mut impl FnMut(Board)) {
        self.each_man_step(visit);
        self.each_king_step(visit);
    }
}

/// The bits of a set one by one, lowest first.
#[inline]
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set &= set.wrapping_sub(1);
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All boards after a move by `crownhead-rules`, sorted for the comparison.
    fn by_the_rules(position: &Position) -> Vec<String> {
        let mut boards: Vec<_> =
            position.moves().into_iter().map(|mv| position.play_unchecked(mv).to_string()).collect();
        boards.sort();
        boards
    }

    fn by_the_board(position: &Position) -> Vec<String> {
        let mut boards = Vec::new();
        let side = !position.side_to_move();
        Board::of(position).each_move(&mut |board| boards.push(board.to_position(side).to_string()));
        boards.sort();
        boards
    }

    #[test]
    fn boards_after_a_move_are_those_of_the_rules() {
        let mut positions = vec![Position::start()];
        let mut seen = 0;
        // Every line of four plies, and from the end of each one long walk that always takes another branch.
        for _ in 0..4 {
            positions =
                positions.iter().flat_map(|p| p.moves().into_iter().map(|mv| p.play_unchecked(mv))).collect();
        }
        for (start, position) in positions.iter().enumerate() {
            let mut position = *position;
            for ply in 0..120 {
                assert_eq!(by_the_board(&position), by_the_rules(&position), "{position}");
                let board = Board::of(&position);
                assert_eq!(board.is_capture_due(), position.is_capture_due(), "{position}");
                assert_eq!(board.is_threatened(), board.turned().is_capture_due(), "{position}");
                seen += 1;
                let moves = position.moves();
                let Some(&mv) = moves.get((start * 7 + ply * 13) % moves.len().max(1)) else { break };
                position = position.play_unchecked(mv);
            }
        }
        assert!(seen > 100_000, "only {seen} positions were compared");
    }

    #[test]
    fn a_board_turns_back_into_its_position() {
        for fen in ["B:W18,K24,31:B3,K30", "W:WK3,29:B1,10,K32"] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(Board::of(&position).to_position(position.side_to_move()), position);
            assert_eq!(Board::of(&position), Board::of(&position.turned()));
        }
    }
}
