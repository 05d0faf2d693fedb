//! The requests of the page to the core, and the answers.

use crownhead_game::{Catalogue, Command, Effect, Moment, PieceView, Record, Snapshot, Start, View, Who};
use serde::{Deserialize, Serialize};

use crate::file::RecordedGame;

/// What the page asks. Games are kept under numbers that the page chooses.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Request {
    /// What can be chosen for a game.
    Catalog,
    /// What a game would be played by, in a sentence.
    Terms {
        /// The game.
        start: Start,
    },
    /// What a clock shows.
    ClockText {
        /// What is left.
        left_ms: u64,
    },
    /// Begin a game.
    Start(NewGame),
    /// Open a game that was played elsewhere, to look through it. The first of the players had Black.
    Study(NewGame),
    /// Read a game from its log, or from a snapshot and the records after it.
    Replay(Log),
    /// Take in records that were made elsewhere.
    Absorb(Log),
    /// Give a command. Reports are taken as those of the program, others as from `who`.
    Command {
        /// Which game.
        game: u32,
        /// What to do.
        command: Command,
        /// Who gives it and looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Look at a game, or at how it would be after some commands of `who`; the refusal is that of the last one.
    View {
        /// Which game.
        game: u32,
        /// Commands that are not carried out, only shown.
        #[serde(default)]
        commands: Vec<Command>,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
        /// After how many moves; left out, after all.
        #[serde(default)]
        plies: Option<usize>,
    },
    /// Forget a game.
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
        /// The whole of it.
        text: String,
    },
}

/// A game that is to be opened.
#[derive(Deserialize)]
pub struct NewGame {
    /// Where to keep it.
    pub game: u32,
    /// What it is like.
    pub start: Start,
    /// For `study`, all its moves, each as its whole path.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Who looks.
    pub who: Who,
    /// When.
    pub moment: Moment,
}

/// A log, or the part of one that is new.
#[derive(Deserialize)]
pub struct Log {
    /// Where to keep the game.
    pub game: u32,
    /// The state that the records follow, if it is not that of the open game or an empty one.
    #[serde(default)]
    pub snapshot: Option<Box<Snapshot>>,
    /// The records.
    #[serde(default)]
    pub records: Vec<Record>,
    /// Who looks.
    pub who: Who,
    /// When.
    pub moment: Moment,
}

/// An open game as a whole.
#[derive(Deserialize)]
pub struct Saved {
    /// Which game.
    pub game: u32,
    /// For `write_pdn`, the day on which it was played, as `2026.02.28`.
    #[serde(default)]
    pub date: Option<String>,
}

/// What the page is answered. A refused command changes nothing and says why.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To `catalog`.
    Catalog(Catalogue),
    /// To everything about a game.
    Game {
        /// The game now.
        view: Box<View>,
        /// What to append to the log.
        records: Vec<Record>,
        /// What to do.
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
        /// Can the side to move move?
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
