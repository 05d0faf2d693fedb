//! What a file has that it should not have, and where.

use core::fmt;
use std::io;

use crownhead_rules::{Excerpt, FenError, MoveError};
use thiserror::Error;

use crate::GameResult;

/// Something odd in a game file. The game is read all the same, as far as it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub problem: Problem,
}

/// A place in a text, counted from 1; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "line and column say it")]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// What is odd, and what was made of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// A move that cannot be made.
    #[error("{text} cannot be played: {error}; the line ends here and the rest of it is kept as a comment")]
    Move {
        /// What is written.
        text: Excerpt,
        /// Why it cannot be.
        error: MoveError,
    },
    /// A dash where a move should be: whoever kept the score missed it.
    #[error("a move is missing; the line ends here and the rest of it is kept as a comment")]
    UnknownMove,
    /// A capture that can be several, and what follows fits only one.
    #[error("{text} can mean {}; what follows fits {taken}", .candidates.join(" or "))]
    AmbiguousDecided {
        /// What is written.
        text: Excerpt,
        /// What it may mean.
        candidates: Vec<String>,
        /// What it was taken for.
        taken: String,
    },
    /// A capture that can be several, and nothing tells which.
    #[error("{text} can mean {}; nothing after it tells which, so {taken} was taken", .candidates.join(" or "))]
    AmbiguousGuessed {
        /// What is written.
        text: Excerpt,
        /// What it may mean.
        candidates: Vec<String>,
        /// What it was taken for.
        taken: String,
    },
    /// A position that cannot be, in the header or between the moves.
    #[error("{error}; the moves after it are kept as a comment")]
    Fen {
        /// Why it cannot be.
        error: FenError,
    },
    /// The game is another one.
    #[error("game type {0} is not checkers, which is 21; the moves are kept as a comment")]
    GameType(Excerpt),
    /// A tag `Result` with something else.
    #[error("{0} is no result; expected 1-0, 0-1, 1/2-1/2, 0-0 or *")]
    ResultTag(Excerpt),
    /// Header and moves end differently.
    #[error("the header says {header} and the moves end with {end}; the header counts")]
    ResultsDiffer {
        /// The result in the header.
        header: GameResult,
        /// The result behind the moves.
        end: GameResult,
    },
    /// A tag that is not written as one.
    #[error("the tag {0} is not written [Name \"value\"]")]
    Tag(Excerpt),
    /// A name that comes twice in one header.
    #[error("the tag {0} is given twice; the first one counts")]
    TagTwice(Excerpt),
    /// More tags than any game has.
    #[error("the header has more than {0} tags; the others are left out")]
    TooManyTags(usize),
    /// Words where moves should be.
    #[error("{0} is neither move nor comment; kept as a comment")]
    StrayText(Excerpt),
    /// A comment without end.
    #[error("the comment {0} is not closed with a brace")]
    OpenComment(Excerpt),
    /// A variation without end.
    #[error("the variation is not closed with a parenthesis")]
    OpenVariation,
    /// A parenthesis that closes nothing.
    #[error("this parenthesis closes nothing")]
    StrayParenthesis,
    /// Variations in variations beyond reason.
    #[error("variations are nested more than {0} deep; this one is kept as a comment")]
    TooDeep(usize),
    /// A mark without a move.
    #[error("{0} marks no move; kept as a comment")]
    StrayMark(Excerpt),
    /// A `$` without a number from 0 to 255.
    #[error("{0} is no annotation; expected $0 to $255; left out")]
    Nag(Excerpt),
    /// The numbers of the moves begin anew in the middle of a game.
    #[error("move number 1 begins another game here, though no result ends this one")]
    MissingEnd,
    /// Something outside of all games.
    #[error("{0} belongs to no game and is left out")]
    Outside(Excerpt),
    /// A game longer than any that was ever played or annotated.
    #[error("the game is longer than {0} MiB; the rest is left out, up to the next header")]
    TooLong(usize),
}

/// Why a file cannot be read, or a name not be used.
#[derive(Debug, Error)]
pub enum Error {
    /// The source does not give its bytes.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// Text in two-byte characters.
    #[error("this is UTF-16 text; save the file as UTF-8")]
    Utf16,
    /// Not the name of a tag.
    #[error(
        "{0} cannot name a tag: a letter, then letters, digits or _, and not FEN, Setup, Result or GameType"
    )]
    TagName(Excerpt),
}

impl Place {
    pub(crate) const START: Place = Place { line: 1, column: 1 };

    /// The place behind this text. A line ends with `\n`, `\r\n` or `\r`.
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

/// How many characters there are, in UTF-8 or in one byte each.
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
