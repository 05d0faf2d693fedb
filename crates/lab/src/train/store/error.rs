//! Why a file of games cannot be used, and what to do.

use std::io;
use std::path::PathBuf;

use super::super::self_play::Recipe;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is something else.
    #[error("{} is no file of games to learn from; give another name", .0.display())]
    Foreign(PathBuf),
    /// It ends or is zeros before its first game.
    #[error("{} was cut off before its first game; delete it, and `train play` begins it anew", .0.display())]
    CutOff(PathBuf),
    /// What it tells of its games is not as it was written.
    #[error("the head of {} is damaged, so nobody knows how its games were made; get it again, or play anew", .0.display())]
    DamagedHead(PathBuf),
    /// Somebody else is adding games to it.
    #[error("{} is in use by another `train play`; wait until it ends, or give another name", .0.display())]
    InUse(PathBuf),
    /// A game is not as it was written, and not just cut off.
    #[error(
        "{file} is damaged at byte {place} (whole games before: {games}); get it again, or keep those games with \
         `truncate -s {place} {file}`",
        file = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged game begins.
        place: u64,
        /// Whole games before it.
        games: u64,
    },
    /// A program that plays in another way has made it, or it does not tell.
    #[error(
        "{} was begun by another version of the program, which may play in another way; give another name (`train fit` \
         takes several files)",
        .0.display()
    )]
    OtherPlay(PathBuf),
    /// It holds games that were made with other options.
    #[error("{} holds games of {found}, not of {asked}; give another name or the same options", path.display())]
    OtherRecipe {
        /// The file.
        path: PathBuf,
        /// How its games were made.
        found: Recipe,
        /// How they were to be made.
        asked: Recipe,
    },
}
