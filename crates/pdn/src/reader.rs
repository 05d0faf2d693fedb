//! A streaming reader of PDN files, game by game.

use std::io::Read;
use std::num::NonZero;
use std::ops::Range;

use crate::parser::{Parsed, parse};
use crate::{Error, Game, Place, Problem, Warning};

/// The default number of bytes to read at a time.
const CHUNK: NonZero<usize> = NonZero::new(64 * 1024).expect("it is not 0");

/// A game with more text than this is cut off, so that memory stays bounded for every file. The longest annotated games
/// are a hundred times shorter.
const MAX_GAME_MIB: usize = 4;

/// The mark that some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A game as read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The game, as far as it could be read.
    pub game: Game,
    /// Were all moves of the main line legal?
    pub replayed: bool,
    /// The problems found in it.
    pub warnings: Vec<Warning>,
}

/// Reads games from bytes of any origin, and keeps only the current game in memory.
///
/// ```
/// use crownhead_pdn::Reader;
///
/// let file = b"[Black \"Ann\"] 1. 11-15 23-18 2. 8-11 0-1 [Black \"Bob\"] 1. 11-16 24-19 *";
/// let blacks: Vec<_> = Reader::new(&file[..])
///     .map(|read| Ok(read?.game.tags.get("Black").unwrap_or("?").to_owned()))
///     .collect::<Result<_, crownhead_pdn::Error>>()?;
/// assert_eq!(blacks, ["Ann", "Bob"]);
/// # Ok::<(), crownhead_pdn::Error>(())
/// ```
pub struct Reader<R> {
    source: R,
    chunk: NonZero<usize>,
    /// The bytes read from the source; those from `at` on have not been parsed yet.
    window: Vec<u8>,
    at: usize,
    /// The place of that byte in the file.
    place: Place,
    is_at_end: bool,
    has_begun: bool,
    games: usize,
    /// The range of the last returned game in the window, if all of it is there.
    given: Option<Range<usize>>,
    leftovers: Vec<Warning>,
}

/// Reads the games of a text in memory.
pub fn read_str(text: &str) -> impl Iterator<Item = ReadGame> {
    Reader::new(text.as_bytes()).map(|read| read.expect("text in memory can be read, and is no UTF-16"))
}

impl<R: Read> Reader<R> {
    /// A reader at the beginning of its source.
    pub fn new(source: R) -> Reader<R> {
        Reader::with_chunk(source, CHUNK)
    }

    /// A reader that reads this many bytes at a time: with fewer, the first game comes sooner from a slow source.
    pub fn with_chunk(source: R, chunk: NonZero<usize>) -> Reader<R> {
        Reader {
            source,
            chunk,
            window: Vec::new(),
            at: 0,
            place: Place::START,
            is_at_end: false,
            has_begun: false,
            games: 0,
            given: None,
            leftovers: Vec::new(),
        }
    }

    /// Warnings about text outside all games that could not be reported with the next game, because there was none.
    pub fn leftovers(&self) -> &[Warning] {
        &self.leftovers
    }

    /// The text of the last returned game, byte for byte, without the blanks around it. `None` if it was too long to be
    /// kept.
    pub fn source_text(&self) -> Option<&[u8]> {
        let text = self.window[self.given.clone()?].trim_ascii();
        Some(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii())
    }

    fn read_next(&mut self) -> Result<Option<ReadGame>, Error> {
        self.given = None;
        self.begin()?;
        while self.at < self.window.len() || !self.is_at_end {
            let parsed = self.parse_window()?;
            self.leftovers.extend(parsed.warnings);
            if let Some(game) = parsed.game {
                self.games += 1;
                let warnings = core::mem::take(&mut self.leftovers);
                return Ok(Some(ReadGame { number: self.games, game, replayed: parsed.replayed, warnings }));
            }
        }
        Ok(None)
    }

    fn begin(&mut self) -> Result<(), Error> {
        if core::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        self.fill()?;
        if self.window.starts_with(b"\xff\xfe") || self.window.starts_with(b"\xfe\xff") {
            self.is_at_end = true;
            self.window.clear();
            return Err(Error::Utf16);
        }
        Ok(())
    }

    /// Parses one game. If the text could go on beyond the window, reads more of it and parses again.
    fn parse_window(&mut self) -> Result<Parsed, Error> {
        loop {
            let text = &self.window[self.at..];
            let is_too_long = text.len() >= MAX_GAME_MIB << 20;
            let mut parsed = parse(text, self.place);
            self.given = parsed.game.is_some().then_some(self.at..self.at + parsed.len);
            if !parsed.touched_end || self.is_at_end {
                self.step(parsed.len);
                return Ok(parsed);
            }
            if is_too_long {
                self.step(parsed.len);
                let problem = Problem::TooLong(MAX_GAME_MIB);
                parsed.warnings.push(Warning { place: self.place, problem });
                parsed.replayed = false;
                self.given = None;
                self.skip_to_header()?;
                return Ok(parsed);
            }
            self.fill()?;
        }
    }

    /// Skips everything up to a line that begins with a bracket.
    fn skip_to_header(&mut self) -> Result<(), Error> {
        loop {
            let rest = &self.window[self.at..];
            if let Some(newline) = rest.windows(2).position(|pair| pair == b"\n[") {
                self.step(newline + 1);
                return Ok(());
            }
            // The newline may be the last byte so far.
            self.step(rest.len().saturating_sub(1));
            if self.is_at_end {
                self.step(self.window.len() - self.at);
                return Ok(());
            }
            self.fill()?;
        }
    }

    fn step(&mut self, len: usize) {
        self.place = self.place.behind(&self.window[self.at..self.at + len]);
        self.at += len;
    }

    /// Reads at least as much again as is in the window, so that a long game is not parsed many times over.
    fn fill(&mut self) -> Result<(), Error> {
        self.window.drain(..self.at);
        self.at = 0;
        let wanted = self.window.len().max(self.chunk.get());
        let got = self.source.by_ref().take(wanted as u64).read_to_end(&mut self.window)?;
        self.is_at_end = got < wanted;
        Ok(())
    }
}

/// After an error the iterator ends.
impl<R: Read> Iterator for Reader<R> {
    type Item = Result<ReadGame, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_next()
            .inspect_err(|_| {
                self.is_at_end = true;
                self.at = self.window.len();
            })
            .transpose()
    }
}
