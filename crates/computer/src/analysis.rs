//! Analysis of a position: the best moves with their scores and principal variations.
//!
//! As JSON it is the output of `crownhead analyze --json` and the answer of the engine in the page: `score` is always a
//! number of men for the side to move ([`Score::in_men`](crownhead_engine::Score::in_men)); `value` and `plies` are
//! present where they are proven, otherwise `null`.

use crownhead_engine::{PvLine, SearchResult};
use crownhead_rules::{Move, Position};
use crownhead_tablebase::Tablebase;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::Assessment;

/// The result of a search of a position, final or so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Analysis {
    /// The position.
    pub fen: String,
    /// The depth of the last completed iteration, in plies.
    pub depth: u32,
    /// The length in plies of the longest line searched.
    #[serde(skip)]
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Positions whose value came from the endgame tables.
    pub table_hits: u64,
    /// Time taken.
    pub seconds: f64,
    /// Nodes per second, as far as time was measured.
    #[serde(skip)]
    pub nps: u64,
    /// The best moves, best first; empty if the side to move has no move and has lost.
    pub lines: Vec<AnalysedLine>,
}

/// A move with its assessment for the side that makes it, and the principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysedLine {
    /// The assessment of the move.
    pub assessment: Assessment,
    /// The moves, the one to play first; to the end of the game where the tables know the way. Never empty.
    pub moves: Vec<Move>,
    /// The same moves in the usual notation.
    pub text: Vec<String>,
}

impl Analysis {
    /// The analysis from a search result, with the tables that the search used.
    pub fn new(position: &Position, found: &SearchResult, tables: &Tablebase) -> Analysis {
        Analysis {
            fen: position.to_string(),
            depth: found.depth,
            seldepth: found.seldepth,
            nodes: found.nodes,
            table_hits: found.tablebase_hits,
            seconds: found.time.as_secs_f64(),
            nps: found.nps(),
            lines: found.lines.iter().map(|line| AnalysedLine::new(position, line, tables)).collect(),
        }
    }

    /// The analysis of a position in which the side to move has no move.
    pub(crate) fn of_the_end(position: &Position) -> Analysis {
        Analysis { fen: position.to_string(), ..Analysis::default() }
    }
}

impl AnalysedLine {
    fn new(position: &Position, line: &PvLine, tables: &Tablebase) -> AnalysedLine {
        let moves = line.played_out(position, tables).moves;
        AnalysedLine {
            assessment: Assessment::with_tables(line.score, &position.play_unchecked(moves[0]), tables),
            text: line_text(position, &moves),
            moves,
        }
    }
}

/// `move`, `score`, `plies`, `value`, `pv`.
impl Serialize for AnalysedLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_struct("AnalysedLine", 5)?;
        line.serialize_field("move", &self.text[0])?;
        line.serialize_field("score", &self.assessment.score().in_men())?;
        line.serialize_field("plies", &self.assessment.plies())?;
        line.serialize_field("value", &self.assessment.value())?;
        line.serialize_field("pv", &self.text)?;
        line.end()
    }
}

/// The moves of a line from a position, in the usual notation.
pub(crate) fn line_text(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut at = *position;
    let text = |&mv: &Move| {
        let text = at.move_text(mv);
        at = at.play_unchecked(mv);
        text
    };
    moves.iter().map(text).collect()
}
