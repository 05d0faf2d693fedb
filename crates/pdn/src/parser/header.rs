//! Parsing of the header: the tags of a game.

use std::borrow::Cow;

use crownhead_rules::Position;

use super::{Flow, Parser};
use crate::encoding::decode;
use crate::lexer::{Lexeme, Lexer, Token};
use crate::{GameResult, Problem, TagName};

/// The most tags that a game may have; a header with more is not one.
const MAX_TAGS: usize = 200;

/// The PDN game type of checkers.
const CHECKERS: &str = "21";

impl<'a> Parser<'a> {
    /// Reads a tag, unless it belongs to the next game: a tag after moves does, and so does a repeated tag after an
    /// empty line.
    pub(super) fn take_tag(&mut self, lexeme: &Lexeme<'a>) -> Flow {
        let Token::Tag { name, value, well_formed } = lexeme.token else { return Flow::GoOn };
        let name = decode(name);
        let comes_again = self.has_tag(&name);
        if self.body || comes_again && self.has_empty_line(self.header_end, lexeme.start) {
            self.lexer.give_back(lexeme);
            return Flow::GameEnds;
        }
        self.header_end = lexeme.end;
        if !well_formed {
            self.warn(lexeme.start, Problem::Tag(self.raw(lexeme).as_ref().into()));
        }
        if comes_again {
            self.warn(lexeme.start, Problem::TagTwice((&*name).into()));
        } else {
            self.keep_tag(&name, &unescape(&decode(value)), lexeme.start);
        }
        Flow::GoOn
    }

    fn has_tag(&self, name: &str) -> bool {
        let is_result = name.eq_ignore_ascii_case("Result") && self.header_result.is_some();
        is_result || self.game.tags.get(name).is_some()
    }

    fn keep_tag(&mut self, name: &str, value: &str, at: usize) {
        match name.to_ascii_lowercase().as_str() {
            "fen" => self.keep_start(value, at),
            "result" => self.keep_result(value, at),
            "gametype" => self.check_type(value, at),
            "setup" => {}
            _ if self.game.tags.len() == MAX_TAGS => {
                if !self.warnings.iter().any(|warning| warning.problem == Problem::TooManyTags(MAX_TAGS)) {
                    self.warn(at, Problem::TooManyTags(MAX_TAGS));
                }
            }
            _ => match TagName::new(name) {
                Ok(name) => self.game.tags.set(name, value),
                Err(_) => self.warn(at, Problem::Tag(name.into())),
            },
        }
    }

    /// Sets the start position. An invalid one is kept as a comment, and so are the moves from it.
    fn keep_start(&mut self, fen: &str, at: usize) {
        match fen.parse::<Position>() {
            Ok(start) => self.top().line.set_up(start),
            Err(error) => {
                self.warn(at, Problem::Fen { error });
                self.top().add_comment(&format!("FEN \"{fen}\""));
                self.unplayable = true;
            }
        }
    }

    fn keep_result(&mut self, text: &str, at: usize) {
        let mut words = Lexer::new(text.as_bytes());
        let result = match (words.next().map(|lexeme| lexeme.token), words.next()) {
            (Some(Token::Result(result)), None) => result,
            (Some(Token::Separator | Token::Mark(_)), None) | (None, _) => GameResult::Unknown,
            _ => {
                self.warn(at, Problem::ResultTag(text.into()));
                return;
            }
        };
        self.header_result = Some((result, at));
    }

    fn check_type(&mut self, text: &str, at: usize) {
        let number = text.split(',').next().unwrap_or_default().trim();
        if !matches!(number, CHECKERS | "" | "?") {
            self.warn(at, Problem::GameType(text.into()));
            self.top().add_comment(&format!("GameType \"{text}\""));
            self.unplayable = true;
        }
    }
}

/// `\"` is a quote and `\\` a backslash; a backslash before anything else is itself.
fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next_if(|next| matches!(next, '"' | '\\')) } else { None };
        plain.push(escaped.unwrap_or(c));
    }
    Cow::Owned(plain)
}
