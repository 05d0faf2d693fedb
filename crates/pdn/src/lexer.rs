//! The lexer of PDN: tags, moves, move numbers, comments, marks and results. Knows no rules of the game.

mod brackets;
mod numerals;

use crownhead_rules::Square;

use crate::GameResult;

/// A token of a PDN file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `[Name "value"]`, with escapes still in the value. Not well formed if quotes or the bracket are missing.
    Tag { name: &'a [u8], value: &'a [u8], well_formed: bool },
    /// `{…}`, or `;` or `%` and the rest of the line.
    Comment { text: &'a [u8], closed: bool },
    /// `(` of a variation.
    Open,
    /// `)`
    Close,
    /// `!`, `??`, `(?)`, or a star directly after a move.
    Mark(&'a [u8]),
    /// The digits after `$`.
    Nag(&'a [u8]),
    /// The position in `/FEN "…"/`.
    Setup(&'a [u8]),
    /// `12.` or `12...`
    Number(u32),
    /// Digits alone: a move number, or a move without its dash.
    Digits(&'a [u8]),
    /// `11-15`, `22x15x8` and similar.
    Move(Path),
    /// A dash in place of a move.
    UnknownMove,
    /// `1-0` and similar.
    Result(GameResult),
    /// `*` between games.
    Separator,
    /// Any other text.
    Text(&'a [u8]),
}

/// The squares of a move as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    squares: [Square; Path::MAX],
    len: u8,
    is_possible: bool,
}

/// A token with its place in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Splits a text into tokens. A copy of the lexer looks ahead.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the last move with its marks ended: a star there belongs to the move.
    move_end: usize,
    /// Did any token depend on the text ending where it does?
    touched_end: bool,
}

impl Path {
    /// The most squares of a move: its start and nine landings.
    const MAX: usize = 10;

    const EMPTY: Path = Path {
        squares: [Square::from_index(0).expect("0 is a square"); Path::MAX],
        len: 0,
        is_possible: true,
    };

    /// The squares; empty if the text named one outside 1–32, or too many.
    pub(crate) fn squares(&self) -> &[Square] {
        if self.is_possible { &self.squares[..usize::from(self.len)] } else { &[] }
    }

    /// The path over two squares with these numbers.
    pub(crate) fn between(from: u32, to: u32) -> Path {
        let mut path = Path::EMPTY;
        path.push(from);
        path.push(to);
        path
    }

    fn push(&mut self, number: u32) {
        let square = u8::try_from(number).ok().and_then(Square::new);
        match (square, self.squares.get_mut(usize::from(self.len))) {
            (Some(square), Some(place)) => {
                *place = square;
                self.len += 1;
            }
            _ => self.is_possible = false,
        }
    }
}

impl<'a> Lexer<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, at: 0, move_end: usize::MAX, touched_end: false }
    }

    /// The offset where the next token is looked for.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The whole text.
    pub(crate) const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Could more text after the end have changed the tokens read?
    pub(crate) const fn touched_end(&self) -> bool {
        self.touched_end
    }

    /// Takes over from a copy that looked ahead whether it reached the end.
    pub(crate) fn remember_end(&mut self, ahead: &Lexer<'a>) {
        self.touched_end |= ahead.touched_end;
    }

    /// The next token, without consuming it.
    pub(crate) fn peek(&mut self) -> Option<Lexeme<'a>> {
        let (at, move_end) = (self.at, self.move_end);
        let lexeme = self.next();
        (self.at, self.move_end) = (at, move_end);
        lexeme
    }

    /// Returns a token, so that it is read again.
    pub(crate) fn give_back(&mut self, lexeme: &Lexeme<'a>) {
        self.at = lexeme.start;
    }

    pub(crate) fn next(&mut self) -> Option<Lexeme<'a>> {
        self.skip_blanks();
        let start = self.at;
        let first = self.byte_at(start)?;
        let token = match first {
            b'0'..=b'9' => self.numeral(),
            b'[' => self.bracket(),
            b'{' => self.comment(),
            b';' | b'%' => self.line_comment(),
            b'(' => self.open(),
            b')' => self.single(Token::Close),
            b'$' => {
                self.at += 1;
                Token::Nag(self.take_while(|byte| byte.is_ascii_digit()))
            }
            b'!' | b'?' => Token::Mark(self.take_while(|byte| matches!(byte, b'!' | b'?'))),
            b'*' if start == self.move_end => self.single(Token::Mark(b"*")),
            b'*' => self.single(Token::Separator),
            b'/' => self.setup(),
            b'-' => self.dash(),
            _ => self.half_points().unwrap_or_else(|| self.stray()),
        };
        if matches!(token, Token::Move(_)) || matches!(token, Token::Mark(_)) && start == self.move_end {
            self.move_end = self.at;
        }
        self.touched_end |= self.at == self.text.len();
        Some(Lexeme { token, start, end: self.at })
    }

    /// The byte at an offset. Records reads beyond the end.
    fn byte_at(&mut self, at: usize) -> Option<u8> {
        let byte = self.text.get(at).copied();
        self.touched_end |= byte.is_none();
        byte
    }

    /// Skips blanks and control characters, the dots and commas that some files have between moves, and byte order
    /// marks.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte_at(self.at) {
            match byte {
                0..=b' ' | b'.' | b',' | 0xa0 => self.at += 1,
                0xc2 if self.text.get(self.at + 1) == Some(&0xa0) => self.at += 2,
                0xef if self.text[self.at..].starts_with(b"\xef\xbb\xbf") => self.at += 3,
                _ => break,
            }
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn take_while(&mut self, is_part: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.at;
        while self.byte_at(self.at).is_some_and(&is_part) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// The offset of the first byte from `at` on that is not blank, on the same line.
    fn past_spaces(&mut self, mut at: usize) -> usize {
        while matches!(self.byte_at(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    }

    /// A word without a meaning here: up to a blank or the beginning of another token.
    fn stray(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        self.take_while(|byte| byte > b' ' && !b"{}()[];$*".contains(&byte));
        Token::Text(&self.text[start..self.at])
    }

    /// A dash alone stands for a move that was not recorded; before a word it is punctuation.
    fn dash(&mut self) -> Token<'a> {
        let start = self.at;
        self.take_while(|byte| byte == b'-');
        let next = self.past_spaces(self.at);
        let glued = next == self.at;
        match self.byte_at(next) {
            Some(byte) if byte.is_ascii_alphabetic() || glued && byte > b' ' && byte != b')' => {
                self.at = start;
                self.stray()
            }
            _ => Token::UnknownMove,
        }
    }

    /// `/FEN "…"/`
    fn setup(&mut self) -> Token<'a> {
        let start = self.at;
        self.read_setup().unwrap_or_else(|| {
            self.at = start;
            self.stray()
        })
    }

    fn read_setup(&mut self) -> Option<Token<'a>> {
        self.at = self.past_spaces(self.at + 1);
        if !self.take_while(|byte| byte.is_ascii_alphabetic()).eq_ignore_ascii_case(b"FEN") {
            return None;
        }
        self.at = self.past_spaces(self.at);
        self.eat(b'"')?;
        let fen = self.take_while(|byte| byte != b'"' && byte >= b' ');
        self.eat(b'"')?;
        self.at = self.past_spaces(self.at);
        self.eat(b'/')?;
        Some(Token::Setup(fen))
    }

    fn eat(&mut self, expected: u8) -> Option<()> {
        let found = self.byte_at(self.at)?;
        if found != expected {
            return None;
        }
        self.at += 1;
        Some(())
    }
}
