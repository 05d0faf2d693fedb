//! The lines that come through a pipe, none of them longer than fits.

use std::io::{self, BufRead, Read};

/// The longest line that is read: longer than any game needs.
pub const MOST_LINE_BYTES: usize = 1 << 16;

/// Reads lines of text. One of more than [`MOST_LINE_BYTES`] is skipped and has `None` in its place, so that memory is
/// bounded whatever the other end sends. Bytes that are no text are replaced.
pub struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    /// The lines of a source.
    pub fn of(source: R) -> Lines<R> {
        Lines(source)
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Option<String>>;

    fn next(&mut self) -> Option<io::Result<Option<String>>> {
        let mut line = Vec::new();
        let limit = MOST_LINE_BYTES as u64 + 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let longest = "x".repeat(MOST_LINE_BYTES);
        let text = format!("one\n{longest}\n{longest}x\n\nlast");
        let lines: Vec<Option<String>> = Lines::of(text.as_bytes()).map(Result::unwrap).collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(lines, [some("one"), some(&longest), None, some(""), some("last")]);
    }

    #[test]
    fn bytes_that_are_no_text_are_no_trouble() {
        let mut lines = Lines::of(&b"\xff\xfe\n"[..]);
        assert_eq!(lines.next().unwrap().unwrap().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert!(lines.next().is_none());
    }
}
