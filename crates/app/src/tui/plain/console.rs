//! Line-based input and output, with a count of the rejected lines.

use std::io::{self, BufRead, Read, Write};

use anyhow::bail;

/// Longer lines are truncated; no command is nearly as long.
const MAX_LINE_BYTES: u64 = 4096;

/// The input and output streams of the line-by-line interface.
pub(super) struct Console<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Is a user typing the input, rather than a script?
    is_interactive: bool,
    bad_lines: usize,
}

impl<'a> Console<'a> {
    pub(super) fn new(
        input: &'a mut dyn BufRead,
        output: &'a mut dyn Write,
        is_interactive: bool,
    ) -> Console<'a> {
        Console { input, output, is_interactive, bad_lines: 0 }
    }

    pub(super) fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    /// Prints a sentence without control characters, which may come from a file.
    pub(super) fn say(&mut self, sentence: &str) -> io::Result<()> {
        let clean: String = sentence.chars().filter(|&c| c == '\n' || !c.is_control()).collect();
        writeln!(self.output, "{clean}")
    }

    /// Prints why a line is rejected, and counts it.
    pub(super) fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.bad_lines += 1;
        self.say(why)
    }

    /// Flushes the output.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// The next line without its line break; `None` at the end of input.
    pub(super) fn listen(&mut self) -> io::Result<Option<String>> {
        if self.is_interactive {
            write!(self.output, "> ")?;
        }
        self.flush()?;
        let mut bytes = Vec::new();
        let read = (&mut *self.input).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes)?;
        if read as u64 == MAX_LINE_BYTES && !bytes.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
        }
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    /// Ends the dialogue.
    ///
    /// # Errors
    /// If the program rejected lines of a script. An interactive user has already seen why.
    pub(super) fn end(mut self) -> anyhow::Result<()> {
        self.flush()?;
        match self.bad_lines {
            0 => Ok(()),
            _ if self.is_interactive => Ok(()),
            1 => bail!("one line could not be carried out"),
            lines => bail!("{lines} lines could not be carried out"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_strange_lines_are_read_one_by_one() {
        let mut text = vec![b'9'; 10_000];
        text.extend(b"\n 11-15 \r\n\xff\n\nend");
        let (mut input, mut output) = (&text[..], Vec::new());
        let mut talk = Console::new(&mut input, &mut output, true);
        let lines: Vec<String> = std::iter::from_fn(|| talk.listen().unwrap()).collect();
        assert_eq!(lines[0].len(), 4096);
        assert_eq!(lines[1..], ["11-15", "\u{fffd}", "", "end"]);
        assert_eq!(output, b"> > > > > > ");
    }

    #[test]
    fn nothing_that_is_said_controls_the_terminal() {
        let (mut input, mut output) = (&b""[..], Vec::new());
        Console::new(&mut input, &mut output, false).say("a\u{1b}[2Jb\nc\u{9b}").unwrap();
        assert_eq!(output, b"a[2Jb\nc\n");
    }

    #[test]
    fn only_a_script_fails_for_its_bad_lines() {
        let judged = |is_interactive| {
            let (mut input, mut output) = (&b""[..], Vec::new());
            let mut talk = Console::new(&mut input, &mut output, is_interactive);
            talk.refuse("No.").unwrap();
            talk.end()
        };
        assert!(judged(true).is_ok());
        assert_eq!(judged(false).unwrap_err().to_string(), "one line could not be carried out");
    }
}
