//! The requests of the page to the core module, and the answers.

use crownhead_game::{Catalogue, Command, Effect, Moment, PieceView, Record, Snapshot, Start, View, Who};
use serde::{Deserialize, Serialize};

use crate::file::RecordedGame;

/// A request of the page. Games are stored under numbers that the page chooses.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Request {
    /// List the choices for a new game.
    Catalog,
    /// Describe the terms of a game in a sentence.
    Terms {
        /// The game.
        start: Start,
    },
    /// Format the remaining time as a clock shows it.
    ClockText {
        /// The time left.
        left_ms: u64,
    },
    /// Start a game.
    Start(NewGame),
    /// Open a game that was played elsewhere, to look through it. The first of the players had Black.
    Study(NewGame),
    /// Replay a game from its log, or restore it from a snapshot and the records after it.
    Replay(Log),
    /// Apply records that were made elsewhere.
    Absorb(Log),
    /// Give a command. Reports count as sent by the program, other commands as sent by `who`.
    Command {
        /// Which game.
        game: u32,
        /// The command.
        command: Command,
        /// Who gives it and sees the answer.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// View a game, or how it would be after some commands of `who`; the refusal is that of the last one.
    View {
        /// Which game.
        game: u32,
        /// Commands to preview without carrying them out.
        #[serde(default)]
        commands: Vec<Command>,
        /// Who views it.
        who: Who,
        /// When.
        moment: Moment,
        /// The number of moves after which to show the board; if left out, all.
        #[serde(default)]
        plies: Option<usize>,
    },
    /// Close a game.
    Close(Saved),
    /// Read a position.
    Position {
        /// As FEN.
        fen: String,
    },
    /// Write a game as PDN.
    WritePdn(Saved),
    /// Read the games of a PDN file.
    ReadPdn {
        /// The whole text of the file.
        text: String,
    },
}

/// A game to be opened.
#[derive(Deserialize)]
pub struct NewGame {
    /// The number to store it under.
    pub game: u32,
    /// The choices for the game.
    pub start: Start,
    /// For `study`, all moves of the game, each as its full path.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Who views it.
    pub who: Who,
    /// When.
    pub moment: Moment,
}

/// A log, or its new part.
#[derive(Deserialize)]
pub struct Log {
    /// The number of the game.
    pub game: u32,
    /// The snapshot that the records follow, unless they follow the open game or begin a new one.
    #[serde(default)]
    pub snapshot: Option<Box<Snapshot>>,
    /// The records.
    #[serde(default)]
    pub records: Vec<Record>,
    /// Who views it.
    pub who: Who,
    /// When.
    pub moment: Moment,
}

/// An open game.
#[derive(Deserialize)]
pub struct Saved {
    /// Which game.
    pub game: u32,
    /// For `write_pdn`, the date of the game, as `2026.02.28`.
    #[serde(default)]
    pub date: Option<String>,
}

/// The answers to the page. A refused command changes nothing and says why.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To `catalog`.
    Catalog(Catalogue),
    /// To every request about a game.
    Game {
        /// The game now.
        view: Box<View>,
        /// The records to append to the log.
        records: Vec<Record>,
        /// The effects to carry out.
        effects: Vec<Effect>,
        /// Why a command was refused.
        refusal: Option<String>,
    },
    /// To `close`.
    Nothing {},
    /// To `position`.
    Position {
        /// The canonical FEN.
        fen: String,
        /// The pieces.
        pieces: Vec<PieceView>,
        /// Does the side to move have a legal move?
        playable: bool,
    },
    /// To `terms`, `clock_text` and `write_pdn`.
    Text {
        /// The sentence, the clock or the file.
        text: String,
    },
    /// To `read_pdn`.
    Games {
        /// The games of the file.
        games: Vec<RecordedGame>,
    },
}
