//! Numeric annotation glyphs (NAGs): marks for the quality of a move such as `!` and `?`.

use core::fmt;

/// A numeric annotation glyph. 1 to 6 are the usual marks; the others are written as `$` and the number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nag(u8);

impl Nag {
    /// `!`
    pub const GOOD: Nag = Nag(1);
    /// `?`
    pub const POOR: Nag = Nag(2);
    /// `!!`
    pub const BRILLIANT: Nag = Nag(3);
    /// `??`
    pub const BLUNDER: Nag = Nag(4);
    /// `!?`
    pub const INTERESTING: Nag = Nag(5);
    /// `?!`
    pub const DUBIOUS: Nag = Nag(6);
    /// The only move; old books mark it with a star.
    pub const FORCED: Nag = Nag(7);

    /// The glyph with this number.
    pub const fn new(number: u8) -> Nag {
        Nag(number)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The mark written directly after a move, if there is one.
    pub const fn mark(self) -> Option<&'static str> {
        match self {
            Nag::GOOD => Some("!"),
            Nag::POOR => Some("?"),
            Nag::BRILLIANT => Some("!!"),
            Nag::BLUNDER => Some("??"),
            Nag::INTERESTING => Some("!?"),
            Nag::DUBIOUS => Some("?!"),
            _ => None,
        }
    }

    /// The glyph of a run of `!` and `?`, or of a star. Only the first two signs of a longer run count.
    pub(crate) fn of_mark(mark: &[u8]) -> Option<Nag> {
        match mark {
            b"!" => Some(Nag::GOOD),
            b"?" => Some(Nag::POOR),
            [b'!', b'!', ..] => Some(Nag::BRILLIANT),
            [b'?', b'?', ..] => Some(Nag::BLUNDER),
            [b'!', b'?', ..] => Some(Nag::INTERESTING),
            [b'?', b'!', ..] => Some(Nag::DUBIOUS),
            b"*" => Some(Nag::FORCED),
            _ => None,
        }
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

impl fmt::Debug for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
