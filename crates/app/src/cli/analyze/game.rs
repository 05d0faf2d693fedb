//! The games of a file, scored move by move.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use crownhead_engine::Engine;
use crownhead_lab::Stopwatch;
use crownhead_lab::review::Review;
use crownhead_pdn::{Game, Reader};
use crownhead_rules::History;
use serde::Serialize;

use super::Analyze;
use crate::cli::progress;
use crate::replacement::Replacement;
use crate::talk::tell;

#[derive(Serialize)]
struct Report {
    file: String,
    games: Vec<GameReport>,
}

#[derive(Serialize)]
struct GameReport {
    moves: Vec<MoveReport>,
    /// The places of the worst moves in the list, from 0.
    worst: Vec<usize>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    score: f64,
    loss: f64,
    better: Option<String>,
}

impl Analyze {
    pub(super) fn games(&self, engine: &mut Engine, path: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        let mut games = read(path).with_context(|| format!("cannot read {shown}"))?;
        ensure!(!games.is_empty(), "there is no game in {shown}");
        // What was asked for is found out before an hour of thinking, not after.
        self.out.as_deref().map(Replacement::check).transpose()?;

        let plies = games.iter().map(|game| game.history().moves().len() as u64).sum();
        let bar = progress::bar(plies, "{elapsed_precise} {bar:30} {pos}/{len} moves ({eta} left)");
        let reviews: Vec<Review> = games
            .iter()
            .map(|game| {
                engine.clear();
                let rulebook = self.rulebook();
                let step = &mut || bar.inc(1);
                Review::of(&game.history(), &rulebook, engine, &self.limits(), &Stopwatch::start(), step)
            })
            .collect();
        bar.finish_and_clear();

        if self.json {
            let mut stdout = io::stdout().lock();
            let games = games.iter().zip(&reviews).map(|(game, review)| GameReport::new(game, review));
            serde_json::to_writer(&mut stdout, &Report { file: shown.to_string(), games: games.collect() })?;
            writeln!(stdout)?;
        }
        for (game, review) in games.iter_mut().zip(&reviews) {
            review.annotate(game);
        }
        match self.out.as_deref() {
            Some(path) => Replacement::write(path, text(&games)),
            None if self.json => Ok(()),
            None => Ok(io::stdout().write_all(text(&games).as_bytes())?),
        }
    }
}

/// The games, with what is odd about them on standard error.
fn read(path: &Path) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    for read in Reader::new(BufReader::new(File::open(path)?)) {
        let read = read?;
        for warning in &read.warnings {
            tell(format_args!("{}: game {}: {warning}", path.display(), games.len() + 1));
        }
        games.push(read.game);
    }
    Ok(games)
}

/// The games as PDN.
fn text(games: &[Game]) -> String {
    games.iter().map(Game::to_string).collect::<Vec<_>>().join("\n")
}

impl GameReport {
    fn new(game: &Game, review: &Review) -> GameReport {
        let history: History = game.history();
        let moves = history.steps().zip(&review.moves).map(|((position, mv), reviewed)| MoveReport {
            mv: position.move_text(mv),
            score: reviewed.score.in_men(),
            loss: f64::from(reviewed.loss) / 100.0,
            better: (reviewed.loss > 0).then(|| position.move_text(reviewed.best_line[0])),
        });
        GameReport { moves: moves.collect(), worst: review.worst() }
    }
}
