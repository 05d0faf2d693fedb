//! The best lines of one position.

use std::io::{self, IsTerminal, Write};

use anyhow::ensure;
use crownhead_engine::{Engine, PvLine, SearchResult};
use crownhead_lab::Stopwatch;
use crownhead_rules::{History, Position};
use crownhead_tablebase::{Tablebase, Wdl};
use ratatui::crossterm::terminal;
use serde::Serialize;

use super::{Analyze, DEFAULT_LINES, proven};

#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    nodes: u64,
    /// Positions whose value came from the tables.
    table_hits: u64,
    seconds: f64,
    lines: Vec<LineReport>,
}

#[derive(Serialize)]
struct LineReport {
    #[serde(rename = "move")]
    mv: String,
    /// In men, for the side to move.
    score: f64,
    /// To the end, where that is proven.
    plies: Option<u32>,
    value: Option<&'static str>,
    pv: Vec<String>,
}

/// Scores end here,
const SCORE_WIDTH: usize = 12;
/// and moves begin here.
const MOVES_COLUMN: usize = SCORE_WIDTH + 2;

impl Analyze {
    pub(super) fn position(
        &self,
        engine: &mut Engine,
        tables: &Tablebase,
        position: &Position,
    ) -> anyhow::Result<()> {
        ensure!(position.has_move(), "{} has no move here: the game is over", position.side_to_move());
        let limits = self.limits().with_multi_pv(self.lines.unwrap_or(DEFAULT_LINES));
        let watch = Stopwatch::start();
        // On a terminal one sees the thoughts deepen; elsewhere only the last ones count.
        let live = !self.json && io::stdout().is_terminal();
        let width = if live { terminal::size().ok().map(|(columns, _)| columns.into()) } else { None };
        let mut trouble = Ok(());
        let mut shown = Thought::default();
        let mut report = |found: &SearchResult| {
            if !live || trouble.is_err() {
                return;
            }
            let thought = Thought::new(position, found, tables);
            // Where the tables know all, each depth would say the same.
            if thought.lines != shown.lines {
                trouble = thought.print(found, width);
                if trouble.is_err() {
                    watch.stop();
                }
                shown = thought;
            }
        };
        let game = History::new(*position);
        let found = engine.search(&game, &self.rulebook(), &limits, &watch, &mut report);
        trouble?;
        let found = found.expect("there is a move");
        let last = Thought::new(position, &found, tables);
        if self.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &Report::new(position, &found, tables))?;
            writeln!(out)?;
        } else if last != shown {
            // Where nothing has been shown yet, or a depth that said the same, or the one that was broken off had found
            // something better.
            last.print(&found, width)?;
        }
        Ok(())
    }
}

/// The lines that were found at a depth, as they are shown: a score, and the moves.
#[derive(Default, PartialEq, Eq)]
struct Thought {
    depth: u32,
    lines: Vec<(String, Vec<String>)>,
}

impl Thought {
    fn new(position: &Position, found: &SearchResult, tables: &Tablebase) -> Thought {
        let shown = |line: &PvLine| {
            let drawn = is_drawn(position, line, tables);
            let score = if drawn { "draw".to_owned() } else { line.score.to_string() };
            (score, texts(position, line, tables))
        };
        Thought { depth: found.depth, lines: found.lines.iter().map(shown).collect() }
    }

    fn print(&self, found: &SearchResult, width: Option<usize>) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "depth {}/{}, {} nodes, {} of them in the tables, {:.2} s, {:.2} million a second",
            found.depth,
            found.seldepth,
            found.nodes,
            found.tablebase_hits,
            found.time.as_secs_f64(),
            found.nps() as f64 / 1e6
        )?;
        for (score, moves) in &self.lines {
            let indent = format!("\n{:MOVES_COLUMN$}", "");
            writeln!(out, "{score:>SCORE_WIDTH$}  {}", wrapped(moves, width).join(&indent))?;
        }
        out.flush()
    }
}

/// Moves in rows that fit between their column and the width of a terminal, broken only between moves.
fn wrapped(moves: &[String], width: Option<usize>) -> Vec<String> {
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(MOVES_COLUMN));
    let mut rows: Vec<String> = Vec::new();
    for mv in moves {
        match rows.last_mut().filter(|row| row.len() + 1 + mv.len() <= room) {
            Some(row) => {
                row.push(' ');
                row.push_str(mv);
            }
            None => rows.push(mv.clone()),
        }
    }
    rows
}

/// Is the line a proven draw? Only the tables prove one; one by repetition within the search is an opinion.
fn is_drawn(position: &Position, line: &PvLine, tables: &Tablebase) -> bool {
    !line.score.is_decided() && tables.probe(&position.play_unchecked(line.moves[0])) == Some(Wdl::Draw)
}

/// The moves of a line as people write them, to the end of the game where the tables know the way.
fn texts(position: &Position, line: &PvLine, tables: &Tablebase) -> Vec<String> {
    let mut at = *position;
    let text = |&mv| {
        let text = at.move_text(mv);
        at = at.play_unchecked(mv);
        text
    };
    line.played_out(position, tables).moves.iter().map(text).collect()
}

impl Report {
    fn new(position: &Position, found: &SearchResult, tables: &Tablebase) -> Report {
        Report {
            fen: position.to_string(),
            depth: found.depth,
            nodes: found.nodes,
            table_hits: found.tablebase_hits,
            seconds: found.time.as_secs_f64(),
            lines: found.lines.iter().map(|line| LineReport::new(position, line, tables)).collect(),
        }
    }
}

impl LineReport {
    fn new(position: &Position, line: &PvLine, tables: &Tablebase) -> LineReport {
        let (value, plies) = proven(line.score, is_drawn(position, line, tables));
        let pv = texts(position, line, tables);
        LineReport { mv: pv[0].clone(), score: line.score.in_men(), plies, value, pv }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_moves_only() {
        let moves = ["11-15", "22-18", "15x22", "9-14"].map(str::to_owned);
        let fitting = |room: usize| wrapped(&moves, Some(MOVES_COLUMN + room));
        assert_eq!(wrapped(&moves, None), ["11-15 22-18 15x22 9-14"]);
        assert_eq!(fitting(11), ["11-15 22-18", "15x22 9-14"]);
        assert_eq!(fitting(10), ["11-15", "22-18", "15x22 9-14"]);
        assert_eq!(wrapped(&moves, Some(1)), moves, "a move wider than the terminal stands alone");
    }
}
