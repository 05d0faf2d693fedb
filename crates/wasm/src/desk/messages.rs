//! What the page asks the desk, and what it is answered.

use crownhead_game::{Command, Effect, Moment, PieceView, Record, Snapshot, Start, View, Who};
use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::file::RecordedGame;

/// What the page asks. Games are kept under numbers that the page chooses.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Request {
    /// What there is to choose from.
    Catalog,
    /// Begin a game.
    Start {
        /// Where to keep it.
        game: u32,
        /// What it is like.
        start: Start,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Read a game from its log.
    Replay {
        /// Where to keep it.
        game: u32,
        /// The log.
        records: Vec<Record>,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Go on from a snapshot of a game, and from the records after it.
    Restore {
        /// Where to keep it.
        game: u32,
        /// The state after the records before.
        snapshot: Box<Snapshot>,
        /// What happened since.
        #[serde(default)]
        records: Vec<Record>,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Open a game that was played elsewhere, to look through it.
    Study {
        /// Where to keep it.
        game: u32,
        /// What it was like. The first of the players had Black.
        start: Start,
        /// All its moves, each as its whole path.
        moves: Vec<String>,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Take in records that were made elsewhere.
    Absorb {
        /// Which game.
        game: u32,
        /// The records.
        records: Vec<Record>,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Give a command. Reports are taken as those of the program, others as from `who`.
    Command {
        /// Which game.
        game: u32,
        /// What to do.
        command: Command,
        /// Who wants it and looks.
        who: Who,
        /// When.
        moment: Moment,
    },
    /// Look at a game.
    View {
        /// Which game.
        game: u32,
        /// Who looks.
        who: Who,
        /// When.
        moment: Moment,
        /// After how many moves; left out, after all.
        #[serde(default)]
        plies: Option<usize>,
    },
    /// What a game waits for.
    Outstanding {
        /// Which game.
        game: u32,
    },
    /// Forget a game.
    Close {
        /// Which game.
        game: u32,
    },
    /// Read a position.
    Position {
        /// As FEN.
        fen: String,
    },
    /// Write a game as PDN.
    WritePdn {
        /// Which game.
        game: u32,
        /// The day on which it was played, as `2026.02.28`.
        #[serde(default)]
        date: Option<String>,
    },
    /// Read the games of a PDN file.
    ReadPdn {
        /// The whole of it.
        text: String,
    },
}

/// What the page is answered. A refused command changes nothing and says why.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To `catalog`.
    Catalog(Catalog),
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
    /// To `outstanding`.
    Effects {
        /// What to do.
        effects: Vec<Effect>,
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
    /// To `write_pdn`.
    Written {
        /// The file.
        text: String,
    },
    /// To `read_pdn`.
    Read {
        /// The games of the file.
        games: Vec<RecordedGame>,
    },
}
