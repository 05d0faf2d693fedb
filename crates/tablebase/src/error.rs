//! Errors of reading, building and verifying tables; each message says how to resolve the problem.

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
        /// The action that failed, such as “read”.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the system. It is part of the message, so it is not the `source` as well.
        cause: io::Error,
    },
    /// A file is not a valid table.
    #[error("{name} {flaw}")]
    Flawed {
        /// The name of the file.
        name: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// A table cannot be used because another one is missing.
    #[error("{name} is of no use without {missing}; build or copy that too")]
    Alone {
        /// The name of the file.
        name: String,
        /// The name of the missing file.
        missing: String,
    },
    /// Tables for this number of pieces cannot be built.
    #[error("tables are made for 2 to {MAX_PIECES} pieces, not for {0}")]
    Pieces(u32),
    /// A slice does not fit into the allowed memory.
    #[error(
        "the tables of {slice} need {needed} MiB of memory and only {allowed} MiB are allowed; allow more"
    )]
    Memory {
        /// The slice.
        slice: String,
        /// The memory it needs, in MiB.
        needed: u64,
        /// The allowed memory, in MiB.
        allowed: u64,
    },
    /// Another build is running in the same folder.
    #[error("another build is at work in {}; wait for it or use another folder", .0.display())]
    Busy(PathBuf),
    /// The distance of a position is longer than a table can store.
    #[error(
        "a win in slice {0} takes more plies than a table of distances can hold; build without distances"
    )]
    TooFar(String),
    /// A stored value contradicts the successors of its position.
    #[error("{fen} is a {stored} in the tables, but its moves make it a {derived}; build that table anew")]
    Wrong {
        /// The position.
        fen: String,
        /// The value that the table gives.
        stored: String,
        /// The value that follows from the moves.
        derived: String,
    },
    /// The counts stored in a file do not match its positions.
    #[error("the table {0} does not count its positions right; build that table anew")]
    Miscounted(String),
}

/// What can be wrong with a file.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Flaw {
    /// It does not begin with the magic bytes of a table.
    #[error("is not a Crownhead table; remove it from the folder or give another folder")]
    Foreign,
    /// It has a format version that this program does not know.
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
    /// Its checksum does not match.
    #[error("is damaged (its checksum does not fit); build or copy it anew")]
    Damaged,
    /// Its checksum matches, but its content is malformed.
    #[error("is malformed, though its checksum matches; build or copy it anew")]
    Malformed,
    /// Its number of pieces or its kind of values is not the one in its name.
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
