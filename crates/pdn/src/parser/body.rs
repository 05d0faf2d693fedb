//! Parsing of the movetext: moves, variations, comments and results.

use crownhead_rules::{FenError, Move, MoveError, Position, Setup, Side, Square};

use super::lookahead::{self, Choice};
use super::{Flow, Frame, MAX_NESTING, Parser};
use crate::encoding::decode;
use crate::lexer::{Lexeme, Path, Token};
use crate::{GameResult, Nag, Problem};

impl<'a> Parser<'a> {
    /// Handles every token except tags, comments and stray text.
    pub(super) fn take_body(&mut self, lexeme: &Lexeme<'a>) -> Flow {
        let is_end = matches!(lexeme.token, Token::Result(_) | Token::Separator);
        if is_end {
            return self.take_end(lexeme);
        }
        self.body = true;
        if self.unplayable {
            self.top().broken = Some(lexeme.start);
            return self.take_as_text(lexeme);
        }
        match lexeme.token {
            Token::Number(1) if self.top().moves >= 2 => return self.begin_anew(lexeme),
            Token::Move(path) => self.take_path(&path, lexeme),
            Token::Digits(digits) => self.take_digits(digits, lexeme),
            Token::UnknownMove => self.break_line(lexeme, Problem::UnknownMove),
            Token::Open => self.open_variation(lexeme),
            Token::Close if self.frames.len() > 1 => self.close_variation(lexeme.start),
            // `1)` is a move number.
            Token::Close if self.after_number => {}
            Token::Close => self.warn(lexeme.start, Problem::StrayParenthesis),
            Token::Mark(mark) => return self.take_mark(mark, lexeme),
            Token::Nag(digits) => self.take_nag(digits, lexeme),
            Token::Setup(fen) => self.take_setup(&decode(fen), lexeme),
            _ => {}
        }
        Flow::GoOn
    }

    /// In a line whose moves can no longer be played, only tokens that end the line or the game count.
    pub(super) fn take_as_text(&mut self, lexeme: &Lexeme<'a>) -> Flow {
        let is_main = self.frames.len() == 1;
        let frame = self.top();
        match lexeme.token {
            Token::Tag { .. } => {
                self.lexer.give_back(lexeme);
                return Flow::GameEnds;
            }
            Token::Number(1) if frame.moves >= 2 && frame.nested == 0 => return self.begin_anew(lexeme),
            Token::Result(_) | Token::Separator if is_main && frame.nested == 0 => {
                return self.take_end(lexeme);
            }
            Token::Move(_) => frame.moves += 1,
            Token::Open => frame.nested += 1,
            Token::Close if frame.nested > 0 => frame.nested -= 1,
            Token::Close if !is_main => self.close_variation(lexeme.start),
            _ => {}
        }
        Flow::GoOn
    }

    /// A result ends the game; inside a variation it is a comment.
    fn take_end(&mut self, lexeme: &Lexeme<'a>) -> Flow {
        match lexeme.token {
            Token::Result(result) if self.frames.len() > 1 => self.top().add_comment(result.as_str()),
            Token::Separator if self.frames.len() > 1 => return self.take_mark(b"*", lexeme),
            Token::Result(result) => {
                self.end = Some(result);
                return Flow::GameEnds;
            }
            _ => {
                self.end = Some(GameResult::Unknown);
                return Flow::GameEnds;
            }
        }
        Flow::GoOn
    }

    /// Move number 1 after some moves: the previous game has no result.
    fn begin_anew(&mut self, lexeme: &Lexeme<'a>) -> Flow {
        self.warn(lexeme.start, Problem::MissingEnd);
        self.lexer.give_back(lexeme);
        Flow::GameEnds
    }

    fn take_path(&mut self, path: &Path, lexeme: &Lexeme<'a>) {
        let frame = self.top();
        frame.moves += 1;
        let position = *frame.line.position();
        let fitting = position.moves_along(path.squares());
        match fitting[..] {
            [mv] => self.push(mv),
            [] => {
                let error = self.why_not(&position, path, lexeme);
                let text = self.raw(lexeme).as_ref().into();
                self.break_line(lexeme, Problem::Move { text, error });
            }
            [..] => self.choose(&position, &fitting, lexeme),
        }
    }

    fn why_not(&self, position: &Position, path: &Path, lexeme: &Lexeme<'a>) -> MoveError {
        let squares: Vec<_> = path.squares().iter().map(Square::to_string).collect();
        let text = if squares.is_empty() { self.raw(lexeme).into_owned() } else { squares.join("-") };
        position.parse_move(&text).expect_err("no legal move goes along this path")
    }

    /// An abbreviated capture that fits several moves is resolved to the one with which the rest of the line goes on
    /// furthest.
    fn choose(&mut self, position: &Position, candidates: &[Move], lexeme: &Lexeme<'a>) {
        let Choice { taken, decided } = lookahead::choose(position, candidates, &mut self.lexer);
        let text = self.raw(lexeme).as_ref().into();
        let candidates = candidates.iter().map(|&mv| position.move_text(mv)).collect();
        let name = position.move_text(taken);
        let problem = if decided {
            Problem::AmbiguousDecided { text, candidates, taken: name }
        } else {
            Problem::AmbiguousGuessed { text, candidates, taken: name }
        };
        self.warn(lexeme.start, problem);
        self.push(taken);
    }

    fn push(&mut self, mv: Move) {
        let frame = self.top();
        let ply = frame.line.push(mv);
        for (line, ..) in frame.early.drain(..) {
            ply.add_line(line);
        }
    }

    /// One or two digits are a move number. Three or four can be a move without its dash, `1115`.
    fn take_digits(&mut self, digits: &'a [u8], lexeme: &Lexeme<'a>) {
        if digits.len() <= 2 {
            return;
        }
        let position = *self.top().line.position();
        let number = |digits: &[u8]| decode(digits).parse().ok();
        let mut fitting = (1..=2)
            .filter_map(|len| {
                let (from, to) = digits.split_at(len);
                let path = Path::between(number(from)?, number(to)?);
                Some(position.moves_along(path.squares()))
            })
            .flatten();
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => {
                self.top().moves += 1;
                self.push(mv);
            }
            // A game may have more than 99 moves.
            _ if digits.len() == 3 => {}
            _ => self.stray = Some((lexeme.start, lexeme.end)),
        }
    }

    /// Keeps the line as text from here on.
    fn break_line(&mut self, lexeme: &Lexeme<'a>, problem: Problem) {
        self.warn(lexeme.start, problem);
        self.top().broken = Some(lexeme.start);
    }

    /// A variation begins in the position before the last move.
    fn open_variation(&mut self, lexeme: &Lexeme<'a>) {
        let line = &self.top().line;
        let start = line.plies().last().map_or(*line.position(), |last| *last.before());
        let mut frame = Frame::new(start, lexeme.start);
        if self.frames.len() > MAX_NESTING {
            self.warn(lexeme.start, Problem::TooDeep(MAX_NESTING));
            frame.broken = Some(lexeme.end);
        }
        self.frames.push(frame);
    }

    /// Ends the innermost variation and attaches it to the move that it replaces. Without a move it becomes a comment.
    pub(super) fn close_variation(&mut self, end: usize) {
        self.keep_rest_as_text(end);
        let frame = self.frames.pop().expect("a variation is open");
        let inside = (frame.opened + 1, end);
        let parent = self.frames.last_mut().expect("a variation is inside another line");
        if frame.line.plies().is_empty() {
            if frame.has_setup {
                parent.add_comment(&decode(&self.lexer.text()[inside.0..inside.1]));
            } else {
                frame.line.comments().iter().for_each(|comment| parent.add_comment(comment));
            }
            return;
        }
        match parent.line.plies_mut().last_mut() {
            Some(ply) => {
                ply.add_line(frame.line);
            }
            None => parent.early.push((frame.line, inside.0, inside.1)),
        }
    }

    /// Text that could not be read as moves of the innermost line becomes a comment at its end.
    pub(super) fn keep_rest_as_text(&mut self, end: usize) {
        let text = self.lexer.text();
        let frame = self.top();
        for (_, start, end) in core::mem::take(&mut frame.early) {
            frame.add_comment(&decode(&text[start..end]));
        }
        if let Some(start) = frame.broken {
            frame.add_comment(&decode(&text[start..end]));
        }
    }

    fn take_mark(&mut self, mark: &[u8], lexeme: &Lexeme<'a>) -> Flow {
        if mark == b"*" && self.frames.len() == 1 && self.is_end_ahead() {
            self.end = Some(GameResult::Unknown);
            return Flow::GameEnds;
        }
        match Nag::of_mark(mark) {
            Some(nag) => self.add_nag(nag, lexeme),
            None => self.keep_stray_mark(lexeme),
        }
        Flow::GoOn
    }

    /// Does the game end here, so that a star after the last move is a separator?
    fn is_end_ahead(&mut self) -> bool {
        matches!(
            self.lexer.peek().map(|lexeme| lexeme.token),
            None | Some(Token::Tag { .. } | Token::Number(1))
        )
    }

    fn take_nag(&mut self, digits: &[u8], lexeme: &Lexeme<'a>) {
        match decode(digits).parse() {
            Ok(number) => self.add_nag(Nag::new(number), lexeme),
            Err(_) => self.warn(lexeme.start, Problem::Nag(self.raw(lexeme).as_ref().into())),
        }
    }

    fn add_nag(&mut self, nag: Nag, lexeme: &Lexeme<'a>) {
        match self.top().line.plies_mut().last_mut() {
            Some(ply) => ply.add_nag(nag),
            None => self.keep_stray_mark(lexeme),
        }
    }

    fn keep_stray_mark(&mut self, lexeme: &Lexeme<'a>) {
        let text = self.raw(lexeme);
        self.warn(lexeme.start, Problem::StrayMark(text.as_ref().into()));
        self.top().add_comment(&text);
    }

    fn take_setup(&mut self, fen: &str, lexeme: &Lexeme<'a>) {
        let frame = self.top();
        match set_up(frame.line.position(), fen) {
            Ok(position) => {
                frame.line.set_up(position);
                frame.moves = 0;
                frame.has_setup = true;
            }
            Err(error) => self.break_line(lexeme, Problem::Fen { error }),
        }
    }
}

/// The position that a set-up asks for. A set-up without pieces, `B::`, only changes the side to move.
fn set_up(position: &Position, fen: &str) -> Result<Position, FenError> {
    let side = match fen.trim().trim_end_matches('.') {
        "B::" | "b::" => Side::Black,
        "W::" | "w::" => Side::White,
        fen => return fen.parse(),
    };
    let setup = Setup { side_to_move: side, ..Setup::from(position) };
    setup.to_position().map_err(FenError::Impossible)
}
