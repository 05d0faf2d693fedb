//! Errors of reading, building and verifying tables, each with what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::material::MAX_PIECES;

/// Why tables could not be read, built or verified.
#[derive(Debug, Error)]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("cannot {doing} {}: {cause}", path.display())]
    Io {
        /// What was tried, as in “read”.
        doing: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said. Part of the message, so it is not told again as its source.
        cause: io::Error,
    },
    /// A file is not what it should be.
    #[error("{name} {flaw}")]
    Flawed {
        /// The name of the file.
        name: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// A table cannot be used because another one is not there.
    #[error("{name} is of no use without {missing}; build or copy that too")]
    Alone {
        /// The name of the file.
        name: String,
        /// The name of the file that it takes.
        missing: String,
    },
    /// Tables of so many pieces cannot be made.
    #[error("tables are made for 2 to {MAX_PIECES} pieces, not for {0}")]
    Pieces(u32),
    /// The slice at hand does not fit into the memory that was allowed.
    #[error(
        "the tables of {slice} need {needed} MiB of memory and only {allowed} MiB are allowed; allow more"
    )]
    Memory {
        /// The slice.
        slice: String,
        /// The MiB it takes.
        needed: u64,
        /// The MiB that were allowed.
        allowed: u64,
    },
    /// Another build works in the same folder.
    #[error("another build is at work in {}; wait for it or use another folder", .0.display())]
    Busy(PathBuf),
    /// A position is farther from the end than a table can say.
    #[error(
        "a win in slice {0} takes more plies than a table of distances can hold; build without distances"
    )]
    TooFar(String),
    /// A stored value is not what the successors of its position make it.
    #[error("{fen} is a {stored} in the tables, but its moves make it a {derived}; build that table anew")]
    Wrong {
        /// The position.
        fen: String,
        /// The value that the table gives.
        stored: String,
        /// The value that follows from the moves.
        derived: String,
    },
    /// The counts that a file gives of itself are not those of its positions.
    #[error("the table {0} does not count its positions right; build that table anew")]
    Miscounted(String),
}

/// What can be wrong with a file.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Flaw {
    /// It does not begin as tables do.
    #[error("is not a Crownhead table; remove it from the folder or give another folder")]
    Foreign,
    /// It was written by a later program.
    #[error(
        "has version {0} of the table format, which this program does not know; update the program or build the table anew"
    )]
    Newer(u16),
    /// It is shorter or longer than it says.
    #[error(
        "has {found} bytes and should have {expected}; it was cut short or changed, so build or copy it anew"
    )]
    Length {
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has.
        found: u64,
    },
    /// Its checksum does not fit.
    #[error("is damaged (its checksum does not fit); build or copy it anew")]
    Damaged,
    /// Its checksum fits, but its content makes no sense.
    #[error("is malformed, though its checksum matches; build or copy it anew")]
    Malformed,
    /// It has other pieces or another kind of values than its name says.
    #[error("is a table of something else than its name says; rename it or build it anew")]
    Misnamed,
}

impl Error {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |cause| Error::Io { doing, path: path.to_owned(), cause }
    }

    pub(crate) fn flawed(name: impl Into<String>) -> impl FnOnce(Flaw) -> Error {
        move |flaw| Error::Flawed { name: name.into(), flaw }
    }
}
