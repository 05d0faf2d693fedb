//! The numbers that the search is tuned by, each with its unit. Plies, nodes and hundredths of a man.

/// The nodes between two looks at the time: well under a millisecond.
pub(super) const NODES_PER_CHECK: u64 = 256;
/// The same after a look into the endgame tables.
pub(super) const NODES_PER_CHECK_AFTER_PROBE: u64 = 8;

/// The first window around the last depth's score, in hundredths.
pub(super) const ASPIRATION: i32 = 12;
/// A window that was too narrow on one side is made wider there by this factor,
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// and open beyond this.
pub(super) const ASPIRATION_MAX: i32 = 200;
/// Shallower than this every depth starts with an open window.
pub(super) const ASPIRATION_DEPTH: u32 = 4;

/// From this depth on a position may be so far above beta that part of the depth is enough:
pub(super) const PROBCUT_DEPTH: i32 = 4;
/// above by this for each ply of depth, in hundredths,
pub(super) const PROBCUT_MARGIN: i32 = 8;
/// searched to so many parts of the depth out of so many.
pub(super) const PROBCUT_DEPTH_RATIO: (i32, i32) = (2, 5);

/// From this depth on a known move may be looked at deeper because all others are much worse:
pub(super) const SINGULAR_DEPTH: i32 = 7;
/// one that a search of so many plies less at most has found,
pub(super) const SINGULAR_TT_PLIES: i32 = 3;
/// worse by this for each ply of depth, in hundredths,
pub(super) const SINGULAR_MARGIN: i32 = 4;
/// as seen at so many parts of the depth out of so many.
pub(super) const SINGULAR_DEPTH_RATIO: (i32, i32) = (1, 2);

/// Late moves are searched less deep from this depth on.
pub(super) const LMR_DEPTH: i32 = 3;
/// The first moves that are searched in full.
pub(super) const LMR_FROM_MOVE: usize = 2;
/// Moves from here on lose one ply more.
pub(super) const LMR_MORE_FROM_MOVE: usize = 5;

/// A threat of a capture is looked into for so many plies beyond the depth.
pub(super) const QUIESCENCE_THREAT_PLIES: i32 = 2;

/// The most that the history of a move can be worth.
pub(super) const HISTORY_MAX: i32 = 1 << 13;
/// The most that one search can add to it.
pub(super) const HISTORY_BONUS_MAX: i32 = HISTORY_MAX / 8;

/// So many plies before the limit of moves a position is not worth what it is worth elsewhere, even to a shallow search.
pub(super) const NEAR_MOVE_LIMIT_PLIES: usize = 24;
/// Lines may be so many plies longer than the depth of a search.
pub(super) const EXTENSION_PLIES: usize = 8;
