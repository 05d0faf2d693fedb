//! Warnings about problems in a PDN file, with their line and column, and errors.

use core::fmt;
use std::io;

use crownhead_rules::{Excerpt, FenError, MoveError};
use thiserror::Error;

use crate::GameResult;

/// A problem in a PDN file. The game is read nevertheless, as far as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it is.
    pub place: Place,
    /// The problem.
    pub problem: Problem,
}

/// A place in a text, counted from 1; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "line and column say it")]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// A problem, and how the reader dealt with it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// An illegal move.
    #[error("{text} cannot be played: {error}; the line ends here and the rest of it is kept as a comment")]
    Move {
        /// The text of the move.
        text: Excerpt,
        /// Why it is illegal.
        error: MoveError,
    },
    /// A dash where a move should be: the scorekeeper missed the move.
    #[error("a move is missing; the line ends here and the rest of it is kept as a comment")]
    UnknownMove,
    /// An ambiguous capture of which only one reading fits the moves that follow.
    #[error("{text} can mean {}; what follows fits {taken}", .candidates.join(" or "))]
    AmbiguousDecided {
        /// The text of the move.
        text: Excerpt,
        /// The moves that it may mean.
        candidates: Vec<String>,
        /// The move that was chosen.
        taken: String,
    },
    /// An ambiguous capture that the moves that follow do not decide.
    #[error("{text} can mean {}; nothing after it tells which, so {taken} was taken", .candidates.join(" or "))]
    AmbiguousGuessed {
        /// The text of the move.
        text: Excerpt,
        /// The moves that it may mean.
        candidates: Vec<String>,
        /// The move that was chosen.
        taken: String,
    },
    /// An invalid position, in the header or between the moves.
    #[error("{error}; the moves after it are kept as a comment")]
    Fen {
        /// Why it is invalid.
        error: FenError,
    },
    /// The game type is not that of checkers.
    #[error("game type {0} is not checkers, which is 21; the moves are kept as a comment")]
    GameType(Excerpt),
    /// A tag `Result` that is not a result.
    #[error("{0} is not a result; expected 1-0, 0-1, 1/2-1/2, 0-0 or *")]
    ResultTag(Excerpt),
    /// The results in the header and after the moves differ.
    #[error("the header says {header} and the moves end with {end}; the header counts")]
    ResultsDiffer {
        /// The result in the header.
        header: GameResult,
        /// The result after the moves.
        end: GameResult,
    },
    /// A malformed tag.
    #[error("the tag {0} is not written [Name \"value\"]")]
    Tag(Excerpt),
    /// A tag that occurs twice in one header.
    #[error("the tag {0} is given twice; the first one counts")]
    TagTwice(Excerpt),
    /// More tags than any game has.
    #[error("the header has more than {0} tags; the others are left out")]
    TooManyTags(usize),
    /// Stray text between moves.
    #[error("{0} is neither move nor comment; kept as a comment")]
    StrayText(Excerpt),
    /// A comment that is not closed.
    #[error("the comment {0} is not closed with a brace")]
    OpenComment(Excerpt),
    /// A variation that is not closed.
    #[error("the variation is not closed with a parenthesis")]
    OpenVariation,
    /// A closing parenthesis without an opening one.
    #[error("this parenthesis closes nothing")]
    StrayParenthesis,
    /// Variations nested too deeply.
    #[error("variations are nested more than {0} deep; this one is kept as a comment")]
    TooDeep(usize),
    /// A mark without a move.
    #[error("{0} marks no move; kept as a comment")]
    StrayMark(Excerpt),
    /// A `$` without a number from 0 to 255.
    #[error("{0} is not an annotation; expected $0 to $255; left out")]
    Nag(Excerpt),
    /// Move numbers start again in the middle of a game.
    #[error("move number 1 begins another game here, though no result ends this one")]
    MissingEnd,
    /// Text outside all games.
    #[error("{0} belongs to no game and is left out")]
    Outside(Excerpt),
    /// A game with more text than the limit.
    #[error("the game is longer than {0} MiB; the rest is left out, up to the next header")]
    TooLong(usize),
}

/// Why a file cannot be read, or a tag name cannot be used.
#[derive(Debug, Error)]
pub enum Error {
    /// The source failed to read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The text is UTF-16.
    #[error("this is UTF-16 text; save the file as UTF-8")]
    Utf16,
    /// Not a valid tag name.
    #[error(
        "{0} cannot name a tag: a letter, then letters, digits or _, and not FEN, Setup, Result or GameType"
    )]
    TagName(Excerpt),
}

impl Place {
    pub(crate) const START: Place = Place { line: 1, column: 1 };

    /// The place after this text. A line ends with `
    /// `, `\r
    /// ` or `\r`.
    pub(crate) fn behind(mut self, text: &[u8]) -> Place {
        let mut rest = text;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r') {
            if rest[end] == b'\n' || rest.get(end + 1) != Some(&b'\n') {
                self = Place { line: self.line + 1, column: 1 };
            }
            rest = &rest[end + 1..];
        }
        self.column += characters(rest);
        self
    }
}

/// The number of characters, in UTF-8 or one byte each.
fn characters(text: &[u8]) -> usize {
    str::from_utf8(text).map_or(text.len(), |text| text.chars().count())
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let place = |text: &str| Place::START.behind(text.as_bytes());
        assert_eq!(place("ab\ncd\r\nef\rgh"), Place { line: 4, column: 3 });
        assert_eq!(place("\n\n\r\r\n"), Place { line: 5, column: 1 });
        assert_eq!(place("é–x"), Place { line: 1, column: 4 });
    }
}
