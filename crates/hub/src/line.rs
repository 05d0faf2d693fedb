//! The line syntax of the Hub protocol: a command with arguments, and a line reader with bounded memory.

use core::fmt;
use std::io::{self, BufRead, Read};

use crownhead_rules::Excerpt;

/// A line of the protocol: `command flag name=value name="a value"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    command: String,
    arguments: Vec<(String, Option<String>)>,
}

/// The longest line that is accepted; longer than any game needs.
pub const MAX_LINE_BYTES: usize = 1 << 16;

/// Reads lines of text. A line of more than [`MAX_LINE_BYTES`] is skipped and yields `None`, so memory is bounded
/// whatever the other side sends. Bytes that are not UTF-8 are replaced.
pub struct LineReader<R>(R);

/// Why a line cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// A quoted value does not end.
    #[error("the value of {0} has no closing quotation mark")]
    OpenQuote(Excerpt),
    /// An equals sign with nothing before it.
    #[error("a value without a name: expected name=value")]
    NoName,
}

impl Line {
    /// A line without arguments.
    pub fn new(command: &str) -> Line {
        Line { command: command.to_owned(), arguments: Vec::new() }
    }

    /// Adds an argument.
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Line {
        self.arguments.push((name.to_owned(), Some(value.to_string())));
        self
    }

    /// Adds a flag.
    pub fn flag(mut self, name: &str) -> Line {
        self.arguments.push((name.to_owned(), None));
        self
    }

    /// The first word; empty for an empty line.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(known, _)| known == name)?.1.as_deref()
    }

    /// Is the flag set?
    pub fn has(&self, flag: &str) -> bool {
        self.arguments.iter().any(|(name, value)| name == flag && value.is_none())
    }

    /// Are there no arguments?
    pub fn is_bare(&self) -> bool {
        self.arguments.is_empty()
    }

    /// The first word of a text, even if the rest cannot be parsed.
    pub fn command_of(text: &str) -> &str {
        text.split_whitespace().next().unwrap_or_default()
    }

    /// Parses a line.
    ///
    /// # Errors
    /// If a quotation mark is not closed, or a value has no name.
    pub fn parse(text: &str) -> Result<Line, SyntaxError> {
        let command = Line::command_of(text);
        let mut rest = &text.trim_start()[command.len()..];
        let mut line = Line::new(command);
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(line);
            }
            let (name, after) =
                rest.split_at(rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len()));
            rest = after;
            // Blanks around the equals sign are accepted.
            let Some(value) = rest.trim_start().strip_prefix('=') else {
                line.arguments.push((name.to_owned(), None));
                continue;
            };
            if name.is_empty() {
                return Err(SyntaxError::NoName);
            }
            let value = value.trim_start();
            let (value, after) = if let Some(quoted) = value.strip_prefix('"') {
                quoted.split_once('"').ok_or_else(|| SyntaxError::OpenQuote(name.into()))?
            } else {
                value.split_at(value.find(char::is_whitespace).unwrap_or(value.len()))
            };
            line.arguments.push((name.to_owned(), Some(value.to_owned())));
            rest = after;
        }
    }
}

impl<R: BufRead> LineReader<R> {
    /// Reads the lines of `source`.
    pub fn new(source: R) -> LineReader<R> {
        LineReader(source)
    }
}

impl<R: BufRead> Iterator for LineReader<R> {
    type Item = io::Result<Option<String>>;

    fn next(&mut self) -> Option<io::Result<Option<String>>> {
        let mut line = Vec::new();
        let limit = MAX_LINE_BYTES as u64 + 1;
        match self.0.by_ref().take(limit).read_until(b'\n', &mut line) {
            Err(error) => return Some(Err(error)),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if line.pop_if(|last| *last == b'\n').is_none() && line.len() as u64 == limit {
            return Some(self.0.skip_until(b'\n').map(|_| None));
        }
        Some(Ok(Some(String::from_utf8_lossy(&line).into_owned())))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        for (name, value) in &self.arguments {
            match value {
                None => write!(f, " {name}")?,
                Some(value) => {
                    // The protocol has no way to write a quotation mark or a line break inside a value.
                    let value: String =
                        value.chars().map(|c| if c == '"' || c.is_control() { '\'' } else { c }).collect();
                    let bare = !value.is_empty() && !value.contains([' ', '=']);
                    if bare { write!(f, " {name}={value}")? } else { write!(f, " {name}=\"{value}\"")? }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_round_trips_through_text() {
        let line =
            Line::new("info").with("depth", 7).with("pv", "11-15 23x16").with("empty", "").flag("last");
        assert_eq!(line.to_string(), r#"info depth=7 pv="11-15 23x16" empty="" last"#);
        assert_eq!(Line::parse(&line.to_string()), Ok(line));
    }

    #[test]
    fn arguments_are_found_by_name() {
        let line = Line::parse("  level  time = 2.5 infinite inc=0 ").unwrap();
        assert_eq!((line.command(), line.get("time"), line.get("inc")), ("level", Some("2.5"), Some("0")));
        assert!(line.has("infinite") && !line.has("time") && line.get("moves").is_none());
        assert_eq!(Line::parse("").unwrap().command(), "");
    }

    #[test]
    fn a_syntax_error_names_its_place() {
        assert_eq!(Line::parse("pos pos=\"Bb"), Err(SyntaxError::OpenQuote("pos".into())));
        assert_eq!(Line::parse("pos =3"), Err(SyntaxError::NoName));
        assert_eq!(Line::command_of(" pos =3"), "pos");
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let longest = "x".repeat(MAX_LINE_BYTES);
        let text = format!("one\n{longest}\n{longest}x\n\nlast");
        let lines: Vec<Option<String>> = LineReader::new(text.as_bytes()).map(Result::unwrap).collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(lines, [some("one"), some(&longest), None, some(""), some("last")]);
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        let mut lines = LineReader::new(&b"\xff\xfe\n"[..]);
        assert_eq!(lines.next().unwrap().unwrap().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert!(lines.next().is_none());
    }
}
