//! A quiet position of a game, what the search thought of it and how the game ended, in sixteen bytes.

use crownhead_rules::{Piece, Position, Setup, Side, Squares};

use crate::rating::Point;

/// A position to learn from. Score and result are those of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position. No capture is due in it, and none would be due to the opponent.
    pub position: Position,
    /// What the search thought of it, in hundredths of a man.
    pub score: i16,
    /// How the game ended.
    pub result: Point,
}

impl Sample {
    /// The length of a sample in a file.
    pub(super) const BYTES: usize = 16;

    /// Is a position quiet enough for its value to be that of what stands on the board?
    pub fn is_quiet(position: &Position) -> bool {
        !position.is_capture_due() && position.threats().is_empty()
    }

    pub(super) fn to_bytes(self) -> [u8; Sample::BYTES] {
        let position = &self.position;
        let mut bytes = [0; Sample::BYTES];
        for (place, set) in [position.pieces(Side::Black), position.pieces(Side::White), position.all_kings()]
            .into_iter()
            .enumerate()
        {
            bytes[4 * place..][..4].copy_from_slice(&set.bits().to_le_bytes());
        }
        bytes[12..14].copy_from_slice(&self.score.to_le_bytes());
        bytes[14] = u8::from(position.side_to_move() == Side::White);
        bytes[15] = match self.result {
            Point::Loss => 0,
            Point::Draw => 1,
            Point::Win => 2,
        };
        bytes
    }

    /// The sample with these bytes, or nothing if no sample has them.
    pub(super) fn from_bytes(bytes: [u8; Sample::BYTES]) -> Option<Sample> {
        let word = |place: usize| {
            let bytes = bytes[4 * place..][..4].try_into().expect("four bytes are four bytes");
            Squares::from_bits(u32::from_le_bytes(bytes))
        };
        let side = match bytes[14] {
            0 => Side::Black,
            1 => Side::White,
            _ => return None,
        };
        let result = match bytes[15] {
            0 => Point::Loss,
            1 => Point::Draw,
            2 => Point::Win,
            _ => return None,
        };
        if !(word(0) & word(1)).is_empty() {
            return None;
        }
        let (kings, mut setup) = (word(2), Setup::empty(side));
        for (of, pieces) in [(Side::Black, word(0)), (Side::White, word(1))] {
            for square in pieces {
                let piece = if kings.contains(square) { Piece::king(of) } else { Piece::man(of) };
                setup.pieces[square.index()] = Some(piece);
            }
        }
        let position = setup.to_position().ok()?;
        Some(Sample { position, score: i16::from_le_bytes([bytes[12], bytes[13]]), result })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_read_back_as_it_was_written() {
        for fen in ["B:W21-32:B1-12", "W:W9,K12,22,30:BK2,5,14,K20"] {
            for (score, result) in [(-1234, Point::Loss), (7, Point::Draw), (i16::MAX, Point::Win)] {
                let sample = Sample { position: fen.parse().unwrap(), score, result };
                assert_eq!(Sample::from_bytes(sample.to_bytes()), Some(sample));
            }
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_refused() {
        let sample = Sample { position: Position::start(), score: 0, result: Point::Draw };
        for (place, byte) in [(3, 0xf0), (14, 2), (15, 3)] {
            let mut bytes = sample.to_bytes();
            bytes[place] = byte;
            assert_eq!(Sample::from_bytes(bytes), None, "byte {place}");
        }
    }

    #[test]
    fn a_capture_of_either_side_makes_a_position_loud() {
        assert!(Sample::is_quiet(&Position::start()));
        assert!(!Sample::is_quiet(&"B:W18,25:B15,1".parse().unwrap()));
        assert!(!Sample::is_quiet(&"W:W18:B15,6,1".parse().unwrap()), "Black would take 18");
    }
}
