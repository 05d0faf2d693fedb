//! Lexing of tokens that begin with a digit: move numbers, moves and results.

use super::{Lexer, Path, Token};
use crate::GameResult;

/// The length of the longest sign in bytes: `1/2`, or a dash in UTF-8.
const LONGEST_SIGN: usize = 3;

impl<'a> Lexer<'a> {
    /// Tells `1-0`, `1-18`, `1.`, `1/2-1/2` and `1115` apart.
    pub(super) fn numeral(&mut self) -> Token<'a> {
        let start = self.at;
        let digits = self.digits();
        match self.byte_at(self.at) {
            Some(b'.') => {
                self.take_while(|byte| byte == b'.');
                return Token::Number(value(digits));
            }
            Some(b'/') => {
                self.at = start;
                return self.half_points().unwrap_or_else(|| self.stray());
            }
            _ => {}
        }
        let Some(sign) = self.sign(true) else {
            if self.byte_at(self.at).is_some_and(|byte| byte.is_ascii_alphabetic()) {
                self.at = start;
                return self.stray();
            }
            return Token::Digits(digits);
        };
        self.path(value(digits), sign)
    }

    /// The rest of a move, or of a result, after its first number and sign.
    fn path(&mut self, first: u32, sign: Sign) -> Token<'a> {
        let second = value(self.digits());
        let mut path = Path::between(first, second);
        let mut has_more = false;
        while self.sign(sign.spaced).is_some() {
            path.push(value(self.digits()));
            has_more = true;
        }
        match GameResult::of_points(first, second) {
            Some(result) if !sign.captures && !has_more => Token::Result(result),
            _ => Token::Move(path),
        }
    }

    /// `1/2-1/2`, `1/2` or `½-½`.
    pub(super) fn half_points(&mut self) -> Option<Token<'a>> {
        let half = |text: &[u8]| {
            [&b"1/2"[..], "½".as_bytes(), b"\xbd"]
                .into_iter()
                .find(|&half| text.starts_with(half))
                .map(<[u8]>::len)
        };
        let behind_first = self.at + half(self.sign_ahead(self.at))?;
        self.at = behind_first;
        let dash = self.past_spaces(behind_first);
        if let Some((width, false)) = sign_at(self.sign_ahead(dash)) {
            let second = self.past_spaces(dash + width);
            if let Some(width) = half(self.sign_ahead(second)) {
                self.at = second + width;
            }
        }
        Some(Token::Result(GameResult::Draw))
    }

    /// The bytes at an offset, as many as a sign can have.
    fn sign_ahead(&mut self, at: usize) -> &'a [u8] {
        let rest = &self.text[at..];
        self.touched_end |= rest.len() < LONGEST_SIGN;
        &rest[..rest.len().min(LONGEST_SIGN)]
    }

    fn digits(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte.is_ascii_digit())
    }

    /// Consumes the sign between two squares, if a square follows it. With `blanks`, blanks are allowed on both sides,
    /// unless a move number follows.
    fn sign(&mut self, blanks: bool) -> Option<Sign> {
        let before = if blanks { self.past_spaces(self.at) } else { self.at };
        let (width, captures) = sign_at(self.sign_ahead(before))?;
        let behind = before + width;
        let square = if blanks { self.past_spaces(behind) } else { behind };
        if !self.byte_at(square)?.is_ascii_digit() {
            return None;
        }
        let spaced = before > self.at || square > behind;
        let at = core::mem::replace(&mut self.at, square);
        if spaced {
            self.digits();
            if self.byte_at(self.at) == Some(b'.') {
                self.at = at;
                return None;
            }
            self.at = square;
        }
        Some(Sign { captures, spaced })
    }
}

#[derive(Clone, Copy)]
struct Sign {
    /// Is it a sign of captures only?
    captures: bool,
    /// Are there blanks around it?
    spaced: bool,
}

/// The sign at the beginning of a text, if any: its width, and whether it is a sign of captures.
fn sign_at(text: &[u8]) -> Option<(usize, bool)> {
    match text {
        [b'-' | 0x96, ..] => Some((1, false)),
        [b'x' | b'X' | b':' | 0xd7, ..] => Some((1, true)),
        [0xc3, 0x97, ..] => Some((2, true)),
        // The Unicode dashes and the minus sign.
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some((3, false)),
        _ => None,
    }
}

/// The number, or a huge one if it has too many digits.
fn value(digits: &[u8]) -> u32 {
    digits
        .iter()
        .fold(0, |value: u32, digit| value.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
}
