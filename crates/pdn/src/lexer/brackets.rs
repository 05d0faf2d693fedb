//! Lexing of tokens in brackets: tags, comments, and marks in parentheses.

use super::{Lexer, Token};
use crate::tags::is_name_byte;

impl<'a> Lexer<'a> {
    /// `[Name "value"]`, or text in brackets.
    pub(super) fn bracket(&mut self) -> Token<'a> {
        let start = self.at;
        let begins_line = self.begins_line();
        self.at = self.past_spaces(start + 1);
        let name = self.take_while(is_name_byte);
        self.at = self.past_spaces(self.at);
        let quoted = self.byte_at(self.at) == Some(b'"');
        if name.first().is_some_and(u8::is_ascii_alphabetic) && (quoted || begins_line) {
            return if quoted { self.quoted_tag(name) } else { self.bare_tag(name) };
        }
        self.at = start;
        self.take_while(|byte| byte != b']' && byte != b'\n' && byte != b'\r');
        if self.byte_at(self.at) == Some(b']') {
            self.at += 1;
        }
        Token::Text(&self.text[start..self.at])
    }

    fn begins_line(&self) -> bool {
        let before = &self.text[..self.at];
        !matches!(before.iter().rfind(|byte| !matches!(byte, b' ' | b'\t')), Some(byte) if *byte > b' ')
    }

    /// A quote ends the value only if the bracket follows, so the value may contain a name "in quotes".
    fn quoted_tag(&mut self, name: &'a [u8]) -> Token<'a> {
        let start = self.at + 1;
        self.at = start;
        loop {
            match self.byte_at(self.at) {
                Some(b'\\') if matches!(self.byte_at(self.at + 1), Some(b'"' | b'\\')) => self.at += 2,
                Some(b'"') => {
                    let end = self.at;
                    let bracket = self.past_spaces(end + 1);
                    self.at += 1;
                    if self.byte_at(bracket) == Some(b']') {
                        self.at = bracket + 1;
                        return Token::Tag { name, value: &self.text[start..end], well_formed: true };
                    }
                }
                Some(b'\n' | b'\r') | None => break,
                Some(_) => self.at += 1,
            }
        }
        Token::Tag { name, value: trim_end(&self.text[start..self.at]), well_formed: false }
    }

    /// A tag without quotes.
    fn bare_tag(&mut self, name: &'a [u8]) -> Token<'a> {
        let value = self.take_while(|byte| !matches!(byte, b']' | b'\n' | b'\r'));
        if self.byte_at(self.at) == Some(b']') {
            self.at += 1;
        }
        Token::Tag { name, value: trim_end(value), well_formed: false }
    }

    /// `{…}`. If a header begins inside it, the closing brace was forgotten.
    pub(super) fn comment(&mut self) -> Token<'a> {
        let start = self.at + 1;
        self.at = start;
        let mut closed = false;
        while let Some(byte) = self.byte_at(self.at) {
            if byte == b'}' {
                closed = true;
                break;
            }
            self.at += 1;
            if matches!(byte, b'\n' | b'\r') && self.is_header_ahead() {
                break;
            }
        }
        let text = &self.text[start..self.at];
        self.at += usize::from(closed);
        Token::Comment { text, closed }
    }

    fn is_header_ahead(&mut self) -> bool {
        if self.byte_at(self.at) != Some(b'[') {
            return false;
        }
        let at = self.at;
        let is_header = matches!(self.bracket(), Token::Tag { well_formed: true, .. });
        self.at = at;
        is_header
    }

    /// `;` or `%` and the rest of the line.
    pub(super) fn line_comment(&mut self) -> Token<'a> {
        self.at += 1;
        let text = self.take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        Token::Comment { text, closed: true }
    }

    /// `(` of a variation, unless the parentheses hold nothing but a mark.
    pub(super) fn open(&mut self) -> Token<'a> {
        let inside = self.past_spaces(self.at + 1);
        self.at += 1;
        let mut end = inside;
        while matches!(self.byte_at(end), Some(b'!' | b'?' | b'*')) {
            end += 1;
        }
        let close = self.past_spaces(end);
        if end > inside && self.byte_at(close) == Some(b')') {
            self.at = close + 1;
            return Token::Mark(&self.text[inside..end]);
        }
        Token::Open
    }
}

/// The value without the remains of the tag's end.
fn trim_end(value: &[u8]) -> &[u8] {
    let end =
        value.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b']' | b'"')).map_or(0, |last| last + 1);
    &value[..end]
}
