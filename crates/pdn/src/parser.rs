//! The parser of PDN: reads one game with header, moves, comments, variations and result.

mod body;
mod header;
mod lookahead;

use std::borrow::Cow;

use crownhead_rules::Position;

use crate::encoding::decode;
use crate::lexer::{Lexeme, Lexer, Token};
use crate::{Game, GameResult, Line, Place, Problem, Warning};

/// The deepest nesting of variations; real ones stay below ten. The limit keeps recursive code from running out of
/// stack.
pub(crate) const MAX_NESTING: usize = 100;

/// The result of parsing one game.
pub(crate) struct Parsed {
    /// The game, unless there was neither a tag nor a move.
    pub(crate) game: Option<Game>,
    /// Were all moves of the main line legal?
    pub(crate) replayed: bool,
    pub(crate) warnings: Vec<Warning>,
    /// The number of bytes consumed.
    pub(crate) len: usize,
    /// Could more text after the end have changed the result?
    pub(crate) touched_end: bool,
}

/// Parses one game. `origin` is the place of the first byte.
pub(crate) fn parse(text: &[u8], origin: Place) -> Parsed {
    let mut parser = Parser::new(text, origin);
    parser.begin = parser.lexer.peek().map_or(0, |first| first.start);
    while let Some(lexeme) = parser.lexer.next() {
        if parser.take(&lexeme) == Flow::GameEnds {
            return parser.finish(lexeme.start);
        }
    }
    parser.finish(text.len())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    GameEnds,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    game: Game,
    /// The main line and the open variations, each nested in the one before.
    frames: Vec<Frame>,
    warnings: Vec<Warning>,
    /// The result in the header, and its offset.
    header_result: Option<(GameResult, usize)>,
    /// The result after the moves.
    end: Option<GameResult>,
    /// Has a token other than tags and comments been read?
    body: bool,
    /// The offset of the first token.
    begin: usize,
    /// The offset where the last tag ended; 0 if there was none.
    header_end: usize,
    /// The moves cannot be played, because the position is unknown or the file is of another game.
    unplayable: bool,
    /// Stray text, neither move nor comment, that is still being read: its range.
    stray: Option<(usize, usize)>,
    after_number: bool,
    /// The last place that was looked up. Most lookups go forward from it.
    found: (usize, Place),
    origin: Place,
}

/// A line that is being read.
struct Frame {
    line: Line,
    /// The offset of its parenthesis.
    opened: usize,
    /// Variations before its first move, with the range of their text.
    early: Vec<(Line, usize, usize)>,
    /// From here on no move can be played and everything is kept as text.
    broken: Option<usize>,
    /// The number of open parentheses in that text.
    nested: usize,
    /// The number of moves since the board was set up.
    moves: usize,
    has_setup: bool,
}

impl Frame {
    fn new(start: Position, opened: usize) -> Frame {
        Frame {
            line: Line::new(start),
            opened,
            early: Vec::new(),
            broken: None,
            nested: 0,
            moves: 0,
            has_setup: false,
        }
    }

    fn add_comment(&mut self, text: &str) {
        match self.line.plies_mut().last_mut() {
            Some(ply) => ply.add_comment(text),
            None => self.line.add_comment(text),
        }
    }
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8], origin: Place) -> Parser<'a> {
        Parser {
            lexer: Lexer::new(text),
            game: Game::default(),
            frames: vec![Frame::new(Position::start(), 0)],
            warnings: Vec::new(),
            header_result: None,
            end: None,
            body: false,
            begin: 0,
            header_end: 0,
            unplayable: false,
            stray: None,
            after_number: false,
            found: (0, origin),
            origin,
        }
    }

    fn take(&mut self, lexeme: &Lexeme<'a>) -> Flow {
        if self.goes_on_straying(lexeme) {
            self.stray = self.stray.map(|(start, _)| (start, lexeme.end));
            return Flow::GoOn;
        }
        self.keep_stray_text();
        let flow = if self.top().broken.is_some() {
            self.take_as_text(lexeme)
        } else {
            match lexeme.token {
                Token::Tag { .. } => self.take_tag(lexeme),
                Token::Comment { text, closed } => {
                    self.take_comment(text, closed, lexeme.start);
                    Flow::GoOn
                }
                Token::Text(_) => {
                    self.stray = Some((lexeme.start, lexeme.end));
                    Flow::GoOn
                }
                _ => self.take_body(lexeme),
            }
        };
        self.after_number = matches!(lexeme.token, Token::Number(_) | Token::Digits(_));
        flow
    }

    fn take_comment(&mut self, text: &[u8], closed: bool, start: usize) {
        let text = decode(text);
        if !closed {
            self.warn(start, Problem::OpenComment((&*text).into()));
        }
        self.top().add_comment(&text);
    }

    /// Does the token continue stray text? Words do, and small numbers among them.
    fn goes_on_straying(&self, lexeme: &Lexeme<'_>) -> bool {
        let is_word = match lexeme.token {
            Token::Text(_) => true,
            Token::Digits(digits) => digits.len() <= 2,
            _ => false,
        };
        self.stray.is_some() && is_word
    }

    /// Turns stray text between moves into a comment.
    fn keep_stray_text(&mut self) {
        if let Some((start, end)) = self.stray.take() {
            let text = decode(&self.lexer.text()[start..end]);
            self.warn(start, Problem::StrayText((&*text).into()));
            self.top().add_comment(&text);
        }
    }

    /// Returns the game as read. The moves end at `end`.
    fn finish(mut self, end: usize) -> Parsed {
        self.keep_stray_text();
        if let Some(opened) = self.frames.get(1).map(|outermost| outermost.opened) {
            self.warn(opened, Problem::OpenVariation);
        }
        while self.frames.len() > 1 {
            self.close_variation(end);
        }
        self.keep_rest_as_text(end);
        self.take_closing_comments();
        let main = self.frames.pop().expect("the main line stays open to the end");
        let replayed = main.broken.is_none();
        self.game.line = main.line;
        self.game.result = self.result();
        let is_game = self.header_end > 0 || main.moves > 0 || main.has_setup;
        if !is_game && let Some(comment) = self.game.line.comments().first() {
            let problem = Problem::Outside((&**comment).into());
            self.warnings.clear();
            self.warn(self.begin, problem);
        }
        Parsed {
            game: is_game.then_some(self.game),
            replayed,
            warnings: self.warnings,
            len: self.lexer.at(),
            touched_end: self.lexer.touched_end(),
        }
    }

    /// A comment right after the result, without an empty line between, belongs to this game.
    fn take_closing_comments(&mut self) {
        if self.end.is_none() {
            return;
        }
        while let Some(lexeme) = self.lexer.peek() {
            let Token::Comment { text, closed } = lexeme.token else { break };
            if self.has_empty_line(self.lexer.at(), lexeme.start) {
                break;
            }
            let _ = self.lexer.next();
            self.take_comment(text, closed, lexeme.start);
        }
    }

    fn result(&mut self) -> GameResult {
        let known = |result: &GameResult| *result != GameResult::Unknown;
        let end = self.end.filter(known);
        match self.header_result.filter(|(result, _)| known(result)) {
            Some((header, at)) => {
                if let Some(end) = end.filter(|&end| end != header) {
                    self.warn(at, Problem::ResultsDiffer { header, end });
                }
                header
            }
            None => end.unwrap_or_default(),
        }
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the main line stays open to the end")
    }

    fn raw(&self, lexeme: &Lexeme<'_>) -> Cow<'a, str> {
        decode(&self.lexer.text()[lexeme.start..lexeme.end])
    }

    fn has_empty_line(&self, from: usize, to: usize) -> bool {
        let between = &self.lexer.text()[from..to];
        Place::START.behind(between).line > Place::START.line + 1
    }

    fn warn(&mut self, at: usize, problem: Problem) {
        let (from, place) = if at >= self.found.0 { self.found } else { (0, self.origin) };
        let place = place.behind(&self.lexer.text()[from..at]);
        self.found = (at, place);
        self.warnings.push(Warning { place, problem });
    }
}
