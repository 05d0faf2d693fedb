//! The errors that the Hub server reports in an `error` line.

use std::io;

use crownhead_engine::EngineError;
use crownhead_rules::Excerpt;

use crate::line::{MAX_LINE_BYTES, SyntaxError};
use crate::notation::NotationError;

/// Why the server rejects a line.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The line is not in the syntax of the protocol.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It is too long to be read.
    #[error("a line of more than {MAX_LINE_BYTES} bytes")]
    LineTooLong,
    /// A position is malformed or impossible.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// A move of a `pos` line is not legal.
    #[error("move {number} of the list: {error}")]
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: NotationError,
    },
    /// There is no engine before `init`.
    #[error("send init first")]
    NotInitialized,
    /// A search is running.
    #[error("a search is under way: send stop first")]
    Busy,
    /// `ponder-hit` without a search that ponders.
    #[error("ponder-hit without go ponder")]
    NotPondering,
    /// There is nothing to search.
    #[error("the side to move has no move: the game is over")]
    GameOver,
    /// The last position was rejected.
    #[error("send a position first: the last one was rejected")]
    NoPosition,
    /// The last level was rejected.
    #[error("send a level first: the last one was rejected")]
    NoLevel,
    /// A `level` line without a limit.
    #[error("this level has no limit; write depth=, nodes=, move-time=, time= or infinite")]
    NoLimit,
    /// A negative time where only a positive one makes sense.
    #[error("{name}={seconds} is negative; write seconds, for example {name}=0.5")]
    NegativeTime {
        /// The argument.
        name: &'static str,
        /// Its value.
        seconds: f64,
    },
    /// Not a time.
    #[error("{name}={value} is not a time in seconds")]
    Time {
        /// The argument.
        name: &'static str,
        /// Its value.
        value: Excerpt,
    },
    /// Not a whole number, or 0.
    #[error("{name}={value} is not a whole number above 0; write for example {name}=20")]
    Count {
        /// The argument.
        name: &'static str,
        /// Its value.
        value: Excerpt,
    },
    /// A `set-param` line that lacks an argument.
    #[error("set-param needs name= and value=")]
    IncompleteParameter,
    /// No such parameter.
    #[error("unknown parameter {0}; there are variant, hash, threads, tablebase, book, level and seed")]
    UnknownParameter(Excerpt),
    /// A parameter outside its range.
    #[error("{name} must be a whole number from {min} to {max}, not {value}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The value.
        value: Excerpt,
        /// The smallest value allowed.
        min: usize,
        /// The largest value allowed.
        max: usize,
    },
    /// Another game than English draughts.
    #[error("variant {0} is not supported; only english is")]
    Variant(Excerpt),
    /// `book` is neither true nor false.
    #[error("book must be true or false, not {0}")]
    Book(Excerpt),
    /// The engine cannot be created.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The hash table cannot be resized; a new, empty one of another size has taken its place.
    #[error("{error}; an empty one of {hash_mb} MB takes its place")]
    HashReplaced {
        /// Why the size that was asked for is not available.
        error: Box<ServerError>,
        /// The size of the table in use, in megabytes.
        hash_mb: usize,
    },
    /// The endgame tables cannot be opened.
    #[error("{0}")]
    Tablebase(String),
    /// The client cannot be written to.
    #[error(transparent)]
    Io(#[from] io::Error),
}
