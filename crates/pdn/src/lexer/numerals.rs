//! What begins with a digit: numbers of moves, moves, and results.

use super::{Lexer, Path, Token};
use crate::GameResult;

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

    /// The rest of a move, or of a result, behind its first number and sign.
    fn path(&mut self, first: u32, sign: Sign) -> Token<'a> {
        let mut numbers = [first; Path::MAX + 1];
        numbers[1] = value(self.digits());
        let mut count = 2;
        while self.sign(sign.spaced).is_some() {
            let number = value(self.digits());
            // One number too many makes the path invalid, and more do not make it worse.
            numbers[count.min(Path::MAX)] = number;
            count += 1;
        }
        if count == 2
            && !sign.captures
            && let Some(result) = GameResult::of_points(first, numbers[1])
        {
            return Token::Result(result);
        }
        Token::Move(Path::over(numbers.into_iter().take(count)))
    }

    /// `1/2-1/2`, `1/2` or `½-½`.
    pub(super) fn half_points(&mut self) -> Option<Token<'a>> {
        let half = |text: &[u8]| {
            [&b"1/2"[..], "½".as_bytes(), b"\xbd"]
                .into_iter()
                .find(|&half| text.starts_with(half))
                .map(<[u8]>::len)
        };
        let behind_first = self.at + half(&self.text[self.at..])?;
        self.at = behind_first;
        let dash = self.past_spaces(behind_first);
        if let Some((width, false)) = sign_at(&self.text[dash..]) {
            let second = self.past_spaces(dash + width);
            if let Some(width) = half(&self.text[second..]) {
                self.at = second + width;
            }
        }
        Some(Token::Result(GameResult::Draw))
    }

    fn digits(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte.is_ascii_digit())
    }

    /// Steps over the sign between two squares, if a square follows it. If blanks are allowed there may be some on
    /// both sides, unless what follows is the number of a move.
    fn sign(&mut self, blanks: bool) -> Option<Sign> {
        let before = if blanks { self.past_spaces(self.at) } else { self.at };
        let (width, captures) = sign_at(&self.text[before..])?;
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
    /// Is it one that only captures have?
    captures: bool,
    /// Are there blanks around it?
    spaced: bool,
}

/// The sign that a text begins with, if any: its width, and whether it is one of captures.
fn sign_at(text: &[u8]) -> Option<(usize, bool)> {
    match text {
        [b'-' | 0x96, ..] => Some((1, false)),
        [b'x' | b'X' | b':' | 0xd7, ..] => Some((1, true)),
        [0xc3, 0x97, ..] => Some((2, true)),
        // The dashes of Unicode, and its minus.
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
