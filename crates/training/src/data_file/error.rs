//! The errors of training data files, with advice on what to do.

use std::io;
use std::path::PathBuf;

use crate::self_play::Recipe;

/// Why a file of training data cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFileError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It holds something else.
    #[error("{} is not a file of training data; give another name", .0.display())]
    Foreign(PathBuf),
    /// It ends, or has only zeros, before its first game.
    #[error("{} is truncated before its first game; delete it, and `train play` will start it again", .0.display())]
    Truncated(PathBuf),
    /// The checksum of its header is wrong.
    #[error("the header of {} is damaged, so it is unknown how its games were played; restore the file, or play new games", .0.display())]
    DamagedHeader(PathBuf),
    /// Another process is adding games to it.
    #[error("{} is in use by another `train play`; wait until it ends, or give another name", .0.display())]
    InUse(PathBuf),
    /// The checksum of a game is wrong, and the file is not merely truncated.
    #[error(
        "{file} is damaged at byte {offset} (whole games before: {games}); restore it, or keep those games with \
         `truncate -s {offset} {file}`",
        file = path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged game begins.
        offset: u64,
        /// Whole games before it.
        games: u64,
    },
    /// Another version of self-play began it, or it does not say which.
    #[error(
        "{} was started by another version of the program, which may play differently; give another name (`train fit` \
         takes several files)",
        .0.display()
    )]
    OtherVersion(PathBuf),
    /// Its games were played with other options.
    #[error("{} holds games of {found}, not of {expected}; give another name or the same options", path.display())]
    OtherRecipe {
        /// The file.
        path: PathBuf,
        /// How its games were played.
        found: Recipe,
        /// How they should have been played.
        expected: Recipe,
    },
}
