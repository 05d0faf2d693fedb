//! PDN files as the page shows them: games with players, moves, comments and warnings.

use crownhead_game::rulebook_of;
use crownhead_pdn::{ReadGame, read_str};
use serde::Serialize;

/// A game from a file.
#[derive(Serialize)]
pub struct RecordedGame {
    /// Who played Black, if the file says so.
    pub black: Option<String>,
    /// Who played White.
    pub white: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// The rule book that it was played by, as far as the file says.
    pub rulebook: &'static str,
    /// `1-0` if the side that moved first won.
    pub result: &'static str,
    /// The first position, as FEN.
    pub start: String,
    /// The moves, up to the first one that is illegal.
    pub plies: Vec<RecordedPly>,
    /// Problems found in the game, as sentences with line and column.
    pub warnings: Vec<String>,
}

/// A move from a file.
#[derive(Serialize)]
pub struct RecordedPly {
    /// The full path.
    #[serde(rename = "move")]
    pub text: String,
    /// The comment on the move.
    pub comment: String,
}

/// Reads the games of a file.
///
/// # Errors
/// If the file contains no game.
pub fn read(text: &str) -> Result<Vec<RecordedGame>, String> {
    let games: Vec<RecordedGame> = read_str(text).map(|read| RecordedGame::of(&read)).collect();
    if games.is_empty() {
        return Err(
            "There is no game in this text. PDN looks like this: 1. 11-15 23-19 2. 8-11 22-17 *.".to_owned()
        );
    }
    Ok(games)
}

impl RecordedGame {
    fn of(read: &ReadGame) -> RecordedGame {
        let game = &read.game;
        let tag = |name: &str| game.tags.get(name).map(str::to_owned);
        let plies = game.history().moves().len();
        let ply = |ply: &crownhead_pdn::Ply| RecordedPly {
            text: ply.mv().to_string(),
            comment: ply.comments().iter().map(|comment| &**comment).collect::<Vec<_>>().join(" "),
        };
        RecordedGame {
            black: tag("Black"),
            white: tag("White"),
            event: tag("Event"),
            date: tag("Date"),
            rulebook: rulebook_of(game).name(),
            result: game.result.as_str(),
            start: game.start().to_string(),
            plies: game.line.plies().iter().take(plies).map(ply).collect(),
            warnings: read.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
