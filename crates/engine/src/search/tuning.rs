//! The tunable parameters of the search, each with its unit: plies, nodes or hundredths of a man.

/// The nodes between two checks of the clock: well under a millisecond.
pub(super) const NODES_PER_CHECK: u64 = 256;
/// The same after a tablebase probe.
pub(super) const NODES_PER_CHECK_AFTER_PROBE: u64 = 8;

/// Half the first aspiration window around the score of the last depth, in hundredths.
pub(super) const ASPIRATION: i32 = 12;
/// After a fail high or a fail low, that side of the window grows by this factor,
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// and is open beyond this.
pub(super) const ASPIRATION_MAX: i32 = 200;
/// Up to this depth, the window is open from the start.
pub(super) const ASPIRATION_DEPTH: u32 = 4;

/// ProbCut from this depth on:
pub(super) const PROBCUT_DEPTH: i32 = 4;
/// if the evaluation is above beta by this for each ply of depth, in hundredths,
pub(super) const PROBCUT_MARGIN: i32 = 8;
/// confirmed by a search to this fraction of the depth.
pub(super) const PROBCUT_DEPTH_RATIO: (i32, i32) = (2, 5);

/// Singular extension from this depth on:
pub(super) const SINGULAR_DEPTH: i32 = 7;
/// if the entry of the transposition table is at most this many plies shallower,
pub(super) const SINGULAR_TT_PLIES: i32 = 3;
/// and the other moves are worse by this for each ply of depth, in hundredths,
pub(super) const SINGULAR_MARGIN: i32 = 4;
/// as a search to this fraction of the depth shows.
pub(super) const SINGULAR_DEPTH_RATIO: (i32, i32) = (1, 2);

/// Late move reduction from this depth on.
pub(super) const LMR_DEPTH: i32 = 3;
/// The number of moves searched before reduction begins.
pub(super) const LMR_FROM_MOVE: usize = 2;
/// Moves from this one on are reduced by one more ply.
pub(super) const LMR_MORE_FROM_MOVE: usize = 5;

/// The quiescence search resolves threats of capture for this many plies beyond the depth.
pub(super) const QUIESCENCE_THREAT_PLIES: i32 = 2;

/// The largest history score of a move.
pub(super) const HISTORY_MAX: i32 = 1 << 13;
/// The largest bonus of one cutoff.
pub(super) const HISTORY_BONUS_MAX: i32 = HISTORY_MAX / 8;

/// Within this many plies of the move limit, even a shallow search keeps separate entries for each quiet-move count.
pub(super) const NEAR_MOVE_LIMIT_PLIES: usize = 24;
/// Extensions and quiescence may lengthen a line by this many plies beyond the depth.
pub(super) const EXTENSION_PLIES: usize = 8;
