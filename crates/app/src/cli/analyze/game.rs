//! `crownhead analyze FILE.pdn`: reviews every game of a PDN file and writes it annotated.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use crownhead_computer::Computer;
use crownhead_computer::review::{Accuracy, Review, ReviewedMove, ReviewedPosition};
use crownhead_engine::Stopwatch;
use crownhead_pdn::{Game, ReadGame, Reader, Warning};
use serde::Serialize;

use super::Analyze;
use crate::atomic_file::AtomicFile;
use crate::cli::progress;
use crate::stderr::tell;

/// A game of the file.
struct Entry {
    read: ReadGame,
    /// The original text, if none of its moves could be read: it may be a different game, so it is copied unchanged.
    source: Option<Vec<u8>>,
}

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    games: Vec<GameReport<'a>>,
}

#[derive(Serialize)]
struct GameReport<'a> {
    moves: &'a [ReviewedMove],
    /// Indices of the worst moves in `moves`, from 0.
    worst: Vec<usize>,
    /// The accuracy of each side in percent.
    accuracy: Accuracy,
    /// Warnings of the PDN reader, which also explain missing moves.
    warnings: Vec<WarningReport>,
}

#[derive(Serialize)]
struct WarningReport {
    line: usize,
    column: usize,
    message: String,
}

impl Analyze {
    pub(super) fn games(&self, computer: &mut Computer, path: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        let mut games = read(path).with_context(|| format!("cannot read {shown}"))?;
        ensure!(!games.is_empty(), "there is no game in {shown}");
        // Report an output file that cannot be written before an hour of analysis, not after.
        self.out.as_deref().map(AtomicFile::check).transpose()?;

        let plies = games.iter().map(|Entry { read, .. }| read.game.history().moves().len() as u64).sum();
        let bar = progress::bar(plies, "{elapsed_precise} {bar:30} {pos}/{len} moves ({eta} left)");
        let reviews: Vec<Option<Review>> =
            games.iter().map(|entry| self.review(&entry.read.game, computer, &mut || bar.inc(1))).collect();
        bar.finish_and_clear();

        if self.json {
            let mut stdout = io::stdout().lock();
            let games = games
                .iter()
                .zip(&reviews)
                .map(|(entry, review)| GameReport::new(&entry.read, review.as_ref()));
            serde_json::to_writer(&mut stdout, &Report { file: shown.to_string(), games: games.collect() })?;
            writeln!(stdout)?;
        }
        let is_any_reviewed = reviews.iter().any(Option::is_some);
        ensure!(is_any_reviewed, "nothing in {shown} can be analysed: no game has a move that can be read");
        for (entry, review) in games.iter_mut().zip(&reviews) {
            if let Some(review) = review {
                review.annotate(&mut entry.read.game);
            }
        }
        match self.out.as_deref() {
            Some(path) => AtomicFile::write(path, text(&games)),
            None if self.json => Ok(()),
            None => Ok(io::stdout().write_all(&text(&games))?),
        }
    }

    /// Reviews a game if any of its moves could be read. Other games do not get the annotator's tag either.
    fn review(&self, game: &Game, computer: &mut Computer, step: &mut dyn FnMut()) -> Option<Review> {
        if game.moves().len() == 0 {
            return None;
        }
        let watch = Stopwatch::start();
        let mut report = |position: &ReviewedPosition| {
            if position.ply > 0 {
                step();
            }
        };
        Some(computer.review(&game.history(), &self.rulebook(), &self.limits(), &watch, &mut report))
    }
}

/// Reads the games and reports warnings on standard error.
fn read(path: &Path) -> anyhow::Result<Vec<Entry>> {
    let mut games = Vec::new();
    let mut reader = Reader::new(BufReader::new(File::open(path)?));
    while let Some(read) = reader.next() {
        let read = read?;
        for warning in &read.warnings {
            tell(format_args!("{}: game {}: {warning}", path.display(), read.number));
        }
        let is_foreign = read.game.moves().len() == 0;
        let source = if is_foreign { reader.source_text().map(<[u8]>::to_vec) } else { None };
        games.push(Entry { read, source });
    }
    Ok(games)
}

/// The games as PDN, with an empty line between them.
fn text(games: &[Entry]) -> Vec<u8> {
    let texts: Vec<Vec<u8>> = games.iter().map(Entry::text).collect();
    texts.join(&b'\n')
}

impl Entry {
    fn text(&self) -> Vec<u8> {
        match &self.source {
            Some(source) => [source, &b"\n"[..]].concat(),
            None => self.read.game.to_string().into_bytes(),
        }
    }
}

impl GameReport<'_> {
    fn new<'a>(read: &ReadGame, review: Option<&'a Review>) -> GameReport<'a> {
        GameReport {
            moves: review.map(|review| &*review.moves).unwrap_or_default(),
            worst: review.map(Review::worst).unwrap_or_default(),
            accuracy: review.map(Review::accuracy).unwrap_or_default(),
            warnings: read.warnings.iter().map(WarningReport::new).collect(),
        }
    }
}

impl WarningReport {
    fn new(warning: &Warning) -> WarningReport {
        let Warning { place, problem } = warning;
        WarningReport { line: place.line, column: place.column, message: problem.to_string() }
    }
}
