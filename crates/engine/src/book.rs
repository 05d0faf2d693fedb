//! The opening book: moves with weights, found by the engine's own analysis, as a tree in a text file.
//!
//! ```text
//! crownhead-book 1
//! origin crownhead book --nodes 1000
//! checksum 85944171f73967e8
//! 11-15 9
//!  23-19 5
//! ```
//!
//! Each line of the tree is a move, indented by one space more than the move before it, and its weight: how often it is
//! played compared with its siblings. Moves of weight 0 are never played; they lead to positions that arise in other
//! ways, such as from a ballot.

mod build;

use core::fmt::Write;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crownhead_rules::{Move, Position, Rng};

pub use build::BookBuilder;

/// Moves for positions of the opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// By the hash of the position.
    entries: BTreeMap<u64, Vec<BookMove>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BookMove {
    mv: Move,
    weight: u32,
}

/// Why a text is not an opening book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// Its first line does not name a book of this version.
    #[error("not an opening book of version {VERSION}: the file begins with {0:?}")]
    Foreign(String),
    /// Its checksum does not match.
    #[error("the opening book is damaged: its checksum is {found:016x}, expected {written:016x}")]
    Damaged {
        /// The checksum of the text.
        found: u64,
        /// The checksum in the header.
        written: u64,
    },
    /// A line is malformed.
    #[error("line {number} of the opening book: {reason}")]
    Line {
        /// Counted from 1.
        number: usize,
        /// The reason.
        reason: String,
    },
}

const TITLE: &str = "crownhead-book";
const VERSION: u32 = 1;
/// The lines before the tree.
const HEADER_LINES: usize = 3;

impl Book {
    /// The book that is part of the engine.
    pub fn embedded() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Book::parse(include_str!("../data/book.txt")).expect("a test reads the book"))
    }

    /// Reads a book.
    ///
    /// # Errors
    /// If it is of another version, damaged, or holds a move that is not legal.
    pub fn parse(text: &str) -> Result<Book, BookError> {
        let mut parts = text.splitn(HEADER_LINES + 1, '\n');
        let mut header = || parts.next().unwrap_or_default();
        let (title, _origin, checksum) = (header(), header(), header());
        if title != format!("{TITLE} {VERSION}") {
            return Err(BookError::Foreign(title.chars().take(40).collect()));
        }
        let tree = parts.next().unwrap_or_default();
        let written = checksum.strip_prefix("checksum ").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        match (fingerprint(tree), written.unwrap_or(0)) {
            (found, written) if found != written => Err(BookError::Damaged { found, written }),
            _ => Book::parse_tree(tree),
        }
    }

    fn parse_tree(tree: &str) -> Result<Book, BookError> {
        let mut book = Book::default();
        let mut line_of_play = vec![Position::start()];
        for (i, line) in tree.lines().enumerate() {
            let wrong = |reason: String| BookError::Line { number: HEADER_LINES + 1 + i, reason };
            let depth = line.len() - line.trim_start().len();
            let (text, weight) = line
                .trim_start()
                .split_once(' ')
                .ok_or_else(|| wrong("expected a move and a number".into()))?;
            let weight = weight.parse().map_err(|_| wrong(format!("{weight:?} is not a number")))?;
            line_of_play.truncate(depth + 1);
            let before = *line_of_play.get(depth).ok_or_else(|| wrong("indented too far".into()))?;
            let mv = before.parse_move(text).map_err(|error| wrong(error.to_string()))?;
            line_of_play.push(before.play_unchecked(mv));
            book.add(&before, mv, weight);
        }
        Ok(book)
    }

    /// The text of the book. `origin` says how it was made.
    pub fn to_text(&self, origin: &str) -> String {
        let mut tree = String::new();
        let mut seen = Vec::new();
        self.write_from(&Position::start(), 0, &mut seen, &mut tree);
        format!("{TITLE} {VERSION}\norigin {origin}\nchecksum {:016x}\n{tree}", fingerprint(&tree))
    }

    /// Each position is written once, where it is first reached.
    fn write_from(&self, position: &Position, depth: usize, seen: &mut Vec<u64>, tree: &mut String) {
        if seen.contains(&position.zobrist_hash()) {
            return;
        }
        seen.push(position.zobrist_hash());
        for &BookMove { mv, weight } in self.entries.get(&position.zobrist_hash()).into_iter().flatten() {
            writeln!(tree, "{:depth$}{} {weight}", "", position.move_text(mv))
                .expect("writing to a string never fails");
            self.write_from(&position.play_unchecked(mv), depth + 1, seen, tree);
        }
    }

    /// Adds a move; a move that is already there keeps the larger weight.
    pub fn add(&mut self, position: &Position, mv: Move, weight: u32) {
        let book_moves = self.entries.entry(position.zobrist_hash()).or_default();
        match book_moves.iter_mut().find(|book_move| book_move.mv == mv) {
            Some(known) => known.weight = known.weight.max(weight),
            None => book_moves.push(BookMove { mv, weight }),
        }
    }

    /// The moves to play in a position, with their weights.
    pub fn moves(&self, position: &Position) -> impl Iterator<Item = (Move, u32)> {
        let book_moves = self.entries.get(&position.zobrist_hash()).map(Vec::as_slice).unwrap_or_default();
        book_moves
            .iter()
            .filter(|book_move| book_move.weight > 0)
            .map(|book_move| (book_move.mv, book_move.weight))
    }

    /// One of the moves for a position, drawn by weight.
    pub fn pick(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let total: u32 = self.moves(position).map(|(_, weight)| weight).sum();
        let mut lot = rng.below(u64::from(total.max(1)));
        let drawn = self.moves(position).find(|&(_, weight)| {
            let here = lot < u64::from(weight);
            lot = lot.saturating_sub(u64::from(weight));
            here
        });
        drawn.map(|(mv, _)| mv).filter(|&mv| position.is_legal(mv))
    }

    /// The number of positions with a move to play.
    pub fn len(&self) -> usize {
        self.entries
            .values()
            .filter(|book_moves| book_moves.iter().any(|book_move| book_move.weight > 0))
            .count()
    }

    /// Does it have no move to play?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The FNV-1a hash of a text.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_book() -> Book {
        let start = Position::start();
        let mut book = Book::default();
        for (text, weight) in [("11-15", 3), ("9-14", 1), ("12-16", 0)] {
            book.add(&start, start.parse_move(text).unwrap(), weight);
        }
        let after = start.play_unchecked(start.parse_move("12-16").unwrap());
        book.add(&after, after.parse_move("24-20").unwrap(), 5);
        book
    }

    #[test]
    fn a_book_reads_back_as_it_was_written() {
        let text = small_book().to_text("a test");
        assert_eq!(Book::parse(&text), Ok(small_book()));
        assert!(text.ends_with("11-15 3\n9-14 1\n12-16 0\n 24-20 5\n"), "{text}");
    }

    #[test]
    fn moves_are_drawn_by_their_weight() {
        let (book, start, mut rng) = (small_book(), Position::start(), Rng::new(1));
        let mut counts = BTreeMap::new();
        for _ in 0..4000 {
            *counts.entry(book.pick(&start, &mut rng).unwrap().to_string()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 2, "a move of weight 0 is not played");
        assert!((2800..3200).contains(&counts["11-15"]), "{counts:?}");
        assert_eq!(book.pick(&"B:W32:B1".parse().unwrap(), &mut rng), None);
    }

    #[test]
    fn a_malformed_book_is_an_error_with_its_reason() {
        let text = small_book().to_text("a test");
        assert!(matches!(Book::parse("chess-book 1"), Err(BookError::Foreign(_))));
        assert!(matches!(Book::parse(&text.replace("book 1", "book 2")), Err(BookError::Foreign(_))));
        assert!(matches!(Book::parse(&text.replace("9-14", "9-13")), Err(BookError::Damaged { .. })));
        assert!(matches!(Book::parse(&text[..text.len() - 3]), Err(BookError::Damaged { .. })));
        for tree in ["11-18 3\n", "11-15\n", "11-15 x\n", "  11-15 1\n"] {
            let text = format!("{TITLE} 1\norigin ?\nchecksum {:016x}\n{tree}", fingerprint(tree));
            assert!(matches!(Book::parse(&text), Err(BookError::Line { number: 4, .. })), "{tree:?}");
        }
    }

    #[test]
    fn the_embedded_book_has_a_move_for_every_ballot() {
        let book = Book::parse(include_str!("../data/book.txt")).unwrap();
        for opening in crownhead_rules::Opening::of_class(crownhead_rules::OpeningClass::Crossboard) {
            let position = *opening.history().position();
            assert!(book.moves(&position).next().is_some(), "{opening:?}");
        }
        assert!(book.moves(&Position::start()).count() > 1);
    }
}
