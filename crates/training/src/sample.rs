//! A training sample: a quiet position, the score of the search and the result of the game, in sixteen bytes.

use crownhead_rules::{Piece, Position, Setup, Side, Squares};

use crownhead_tablebase::Wdl;

/// A position to train on. Score and result are those of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position, which is quiet.
    pub position: Position,
    /// The score of the search, in hundredths of a man.
    pub score: i16,
    /// How the game ended.
    pub result: Wdl,
}

impl Sample {
    /// The length of a sample in a file.
    pub(crate) const BYTES: usize = 16;

    pub(crate) fn to_bytes(self) -> [u8; Sample::BYTES] {
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
            Wdl::Loss => 0,
            Wdl::Draw => 1,
            Wdl::Win => 2,
        };
        bytes
    }

    /// The sample with these bytes, or `None` if they are not a sample.
    pub(crate) fn from_bytes(bytes: [u8; Sample::BYTES]) -> Option<Sample> {
        let word = |place: usize| {
            let bytes = bytes[4 * place..][..4].try_into().expect("the slice has four bytes");
            Squares::from_bits(u32::from_le_bytes(bytes))
        };
        let side = match bytes[14] {
            0 => Side::Black,
            1 => Side::White,
            _ => return None,
        };
        let result = match bytes[15] {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            2 => Wdl::Win,
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
    fn a_sample_round_trips_through_bytes() {
        for fen in ["B:W21-32:B1-12", "W:W9,K12,22,30:BK2,5,14,K20"] {
            for (score, result) in [(-1234, Wdl::Loss), (7, Wdl::Draw), (i16::MAX, Wdl::Win)] {
                let sample = Sample { position: fen.parse().unwrap(), score, result };
                assert_eq!(Sample::from_bytes(sample.to_bytes()), Some(sample));
            }
        }
    }

    #[test]
    fn bytes_that_are_not_a_position_are_rejected() {
        let sample = Sample { position: Position::start(), score: 0, result: Wdl::Draw };
        for (place, byte) in [(3, 0xf0), (14, 2), (15, 3)] {
            let mut bytes = sample.to_bytes();
            bytes[place] = byte;
            assert_eq!(Sample::from_bytes(bytes), None, "byte {place}");
        }
    }
}
