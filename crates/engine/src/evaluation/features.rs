//! The input features of the network: which piece stands where, from the perspective of the side to move.

use crownhead_rules::{Position, Side, Squares};

/// The active features: own men, own kings, the opponent's men and kings, each as a set of squares. The board is turned
/// so that the side to move plays down the board, as Black does; both colours share all weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features([u32; 4]);

impl Features {
    /// The number of features: each kind of piece on each square.
    pub const COUNT: usize = 4 * 32;
    /// The number of output buckets, by the number of pieces.
    pub const BUCKETS: usize = 7;
    /// The numbers of pieces that share a bucket.
    const PIECES_PER_BUCKET: u32 = 3;
    /// Fewer pieces than this share the first bucket: the tablebase decides those games, so there are no samples.
    const FEW_PIECES: u32 = 4;

    /// The features of a position.
    #[inline]
    pub fn of(position: &Position) -> Features {
        let side = position.side_to_move();
        let seen = |set: Squares| if side == Side::Black { set.bits() } else { set.bits().reverse_bits() };
        Features(
            [position.men(side), position.kings(side), position.men(!side), position.kings(!side)].map(seen),
        )
    }

    /// The indices of the active features, each below [`Features::COUNT`].
    #[inline]
    pub fn active(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(kind, set)| indices(kind, set))
    }

    /// Does the feature occur in any position? A man on its king row does not.
    pub fn can_occur(input: usize) -> bool {
        let (kind, square) = (input / 32, input % 32);
        !matches!((kind, square), (0, 28..) | (2, ..4))
    }

    /// The features active here and not there.
    #[inline]
    pub(super) fn difference(self, other: Features) -> Features {
        Features(core::array::from_fn(|kind| self.0[kind] & !other.0[kind]))
    }

    /// The output bucket, below [`Features::BUCKETS`].
    #[inline]
    pub fn bucket(self) -> usize {
        Features::bucket_of(self.0.iter().map(|set| set.count_ones()).sum())
    }

    /// The output bucket for a number of pieces.
    #[inline]
    pub fn bucket_of(pieces: u32) -> usize {
        (pieces.saturating_sub(Features::FEW_PIECES) / Features::PIECES_PER_BUCKET)
            .min(Features::BUCKETS as u32 - 1) as usize
    }
}

#[inline]
fn indices(kind: usize, mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(kind * 32 + square)
    })
}

#[cfg(test)]
mod tests {
    use crownhead_rules::{Piece, Setup, Square};

    use super::*;

    #[test]
    fn both_sides_share_features() {
        let position: Position = "W:W9,K12,22,30:BK2,5,14,K20".parse().unwrap();
        assert_eq!(Features::of(&position), Features::of(&position.turned()));
        assert_eq!(Features::of(&position).active().count(), 8);
    }

    #[test]
    fn a_feature_is_a_kind_of_piece_on_a_square() {
        let view = Features::of(&"B:W32,K1:B5,K10".parse().unwrap());
        assert_eq!(view.active().collect::<Vec<_>>(), [4, 32 + 9, 64 + 31, 96]);
    }

    #[test]
    fn features_that_can_occur_are_those_of_positions() {
        let mut shown = [false; Features::COUNT];
        for side in [Side::Black, Side::White] {
            for (square, piece) in
                Square::all().flat_map(|square| [(square, Piece::man(side)), (square, Piece::king(side))])
            {
                let mut setup = Setup::empty(Side::Black);
                setup.pieces[square.index()] = Some(piece);
                if let Ok(position) = setup.to_position() {
                    Features::of(&position).active().for_each(|input| shown[input] = true);
                }
            }
        }
        for (input, shown) in shown.into_iter().enumerate() {
            assert_eq!(Features::can_occur(input), shown, "{input}");
        }
        assert_eq!(shown.iter().filter(|&&shown| shown).count(), Features::COUNT - 8);
    }

    #[test]
    fn full_and_empty_boards_have_different_buckets() {
        assert_eq!(Features::of(&Position::start()).bucket(), Features::BUCKETS - 1);
        let bucket = |fen: &str| Features::of(&fen.parse().unwrap()).bucket();
        assert_eq!((bucket("B:W32:B1"), bucket("B:W31,32:B1-3"), bucket("B:W30-32:B1-4")), (0, 0, 1));
    }
}
