//! The writer of PDN 3.0, in lines of 80 characters.

use core::fmt::{self, Display, Write};

use crownhead_rules::{Move, Position, Side};

use crate::{Comment, Game, Line, Ply};

/// The length at which lines are wrapped, if their words allow it.
const LINE_WIDTH: usize = 80;

/// The game in PDN 3.0: tags, an empty line, the moves, and a star at the end. In files, an empty line separates games;
/// the star alone does too.
impl Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, others): (Vec<_>, Vec<_>) = self.tags.iter().partition(|(name, _)| name.is_usual());
        for (name, value) in first {
            write_tag(f, name, value)?;
        }
        write_tag(f, "Result", self.result.as_str())?;
        write_tag(f, "GameType", "21")?;
        if *self.start() != Position::start() {
            write_tag(f, "FEN", &self.start().to_string())?;
        }
        for (name, value) in others {
            write_tag(f, name, value)?;
        }
        f.write_char('\n')?;
        let mut words = Words::new(f);
        words.line(&self.line, self.start(), 1)?;
        words.word("*")?;
        words.finish()
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        // A backslash is escaped only where it could be read as an escape itself.
        if c == '"' || c == '\\' && matches!(chars.peek(), Some('"' | '\\') | None) {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_str("\"]\n")
}

/// Writes words separated by blanks, with line breaks where a line would become too long.
struct Words<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// Characters on the line so far.
    column: usize,
    /// The last word, to which text may still be appended.
    last: String,
    /// Is that the parenthesis of a variation? The next word follows it without a blank.
    is_open: bool,
}

impl<'a, 'f> Words<'a, 'f> {
    fn new(out: &'a mut fmt::Formatter<'f>) -> Words<'a, 'f> {
        Words { out, column: 0, last: String::new(), is_open: false }
    }

    /// Writes a line. The reader knows its start position and the number of its first move.
    fn line(&mut self, line: &Line, start: &Position, number: usize) -> fmt::Result {
        for comment in line.comments() {
            self.comment(comment)?;
        }
        let mut expected = *start;
        let mut number = number;
        let mut previous: Option<&Ply> = None;
        for ply in line.plies() {
            let side = ply.before().side_to_move();
            let is_reply =
                previous.is_some_and(|previous| previous.side() == Side::Black && side == Side::White);
            if previous.is_some() && !is_reply {
                number += 1;
            }
            let is_set_up = *ply.before() != expected;
            if is_set_up {
                self.setup(ply.before())?;
            }
            let follows_at_once = is_reply && !is_set_up && !previous.is_some_and(Ply::has_notes);
            self.ply(ply, number, follows_at_once)?;
            expected = ply.after();
            previous = Some(ply);
        }
        if *line.position() != expected {
            self.setup(line.position())?;
        }
        Ok(())
    }

    /// Writes a move with its notes. The reply directly after a move needs no number.
    fn ply(&mut self, ply: &Ply, number: usize, follows_at_once: bool) -> fmt::Result {
        let mut word = match ply.side() {
            Side::White if follows_at_once => String::new(),
            Side::White => format!("{number}... "),
            Side::Black => format!("{number}. "),
        };
        word.push_str(&ply.text());
        let mut nags = ply.nags();
        if let [first, rest @ ..] = nags
            && let Some(mark) = first.mark()
        {
            word.push_str(mark);
            nags = rest;
        }
        self.word(&word)?;
        for nag in nags {
            self.word(&nag.to_string())?;
        }
        for comment in ply.comments() {
            self.comment(comment)?;
        }
        for variation in ply.variations() {
            self.word("(")?;
            self.is_open = true;
            self.line(variation, ply.before(), number)?;
            self.last.push(')');
        }
        Ok(())
    }

    fn setup(&mut self, position: &Position) -> fmt::Result {
        self.word(&format!("/FEN \"{position}\"/"))
    }

    fn comment(&mut self, comment: &Comment) -> fmt::Result {
        for (i, word) in comment.split(' ').enumerate() {
            if i == 0 {
                self.word(&format!("{{{word}"))?;
            } else if word.starts_with(['[', '%', ';']) {
                // At the beginning of a line it could be read as a tag, or as a comment to the end of the line.
                self.last.push(' ');
                self.last.push_str(word);
            } else {
                self.word(word)?;
            }
        }
        self.last.push('}');
        Ok(())
    }

    /// Adds a word, which is held back until it is known to be complete.
    fn word(&mut self, word: &str) -> fmt::Result {
        if !core::mem::take(&mut self.is_open) && !self.last.is_empty() {
            self.write_last()?;
        }
        self.last.push_str(word);
        Ok(())
    }

    fn write_last(&mut self) -> fmt::Result {
        let width = self.last.chars().count();
        if self.column == 0 {
            self.column = width;
        } else if self.column + 1 + width > LINE_WIDTH {
            self.out.write_char('\n')?;
            self.column = width;
        } else {
            self.out.write_char(' ')?;
            self.column += 1 + width;
        }
        self.out.write_str(&self.last)?;
        self.last.clear();
        Ok(())
    }

    fn finish(mut self) -> fmt::Result {
        self.write_last()?;
        self.out.write_char('\n')
    }
}

impl Ply {
    fn side(&self) -> Side {
        self.before().side_to_move()
    }

    /// From and to, or every square if another capture has the same ends, so that it reads back as the same move.
    fn text(&self) -> String {
        let mv = self.mv();
        let same_ends = |other: &&Move| other.from() == mv.from() && other.to() == mv.to();
        if !mv.is_capture() || self.before().moves().iter().filter(same_ends).count() > 1 {
            mv.to_string()
        } else {
            format!("{}x{}", mv.from(), mv.to())
        }
    }

    /// Is there anything to write between this move and the next?
    fn has_notes(&self) -> bool {
        !self.comments().is_empty() || !self.variations().is_empty()
    }
}
