//! `crownhead analyze FEN`: shows the principal variations of one position.

use std::io::{self, IsTerminal, Write};

use anyhow::ensure;
use crownhead_computer::{AnalysedLine, Analysis, Computer};
use crownhead_engine::Stopwatch;
use crownhead_rules::{History, Position};
use ratatui::crossterm::terminal;

use super::{Analyze, DEFAULT_LINES};

/// Scores are right-aligned to this column,
const SCORE_WIDTH: usize = 12;
/// and moves start at this one.
const MOVES_COLUMN: usize = SCORE_WIDTH + 2;

impl Analyze {
    pub(super) fn position(&self, computer: &mut Computer, position: &Position) -> anyhow::Result<()> {
        ensure!(position.has_move(), "{} has no move here: the game is over", position.side_to_move());
        let limits = self.limits().with_multi_pv(self.lines.unwrap_or(DEFAULT_LINES));
        let watch = Stopwatch::start();
        // A terminal shows every completed depth; a pipe gets only the final result.
        let live = !self.json && io::stdout().is_terminal();
        let width = if live { terminal::size().ok().map(|(columns, _)| columns.into()) } else { None };
        let mut trouble = Ok(());
        let mut shown = Thought::default();
        let mut report = |analysis: &Analysis| {
            if !live || trouble.is_err() {
                return;
            }
            let thought = Thought::new(analysis);
            // Positions in the tablebase give the same lines at every depth.
            if thought.lines != shown.lines {
                trouble = thought.print(analysis, width);
                if trouble.is_err() {
                    watch.stop();
                }
                shown = thought;
            }
        };
        let game = History::new(*position);
        let analysis = computer.analyse(&game, &self.rulebook(), &limits, &watch, &mut report);
        trouble?;
        let last = Thought::new(&analysis);
        if self.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &analysis)?;
            writeln!(out)?;
        } else if last != shown {
            // Nothing has been printed yet, a deeper depth gave the same lines, or the unfinished depth found a better
            // move.
            last.print(&analysis, width)?;
        }
        Ok(())
    }
}

/// The lines found at one depth as they are printed: score and moves.
#[derive(Default, PartialEq, Eq)]
struct Thought {
    depth: u32,
    lines: Vec<(String, Vec<String>)>,
}

impl Thought {
    fn new(analysis: &Analysis) -> Thought {
        let shown = |line: &AnalysedLine| (line.assessment.to_string(), line.text.clone());
        Thought { depth: analysis.depth, lines: analysis.lines.iter().map(shown).collect() }
    }

    fn print(&self, analysis: &Analysis, width: Option<usize>) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "depth {}/{}, {} nodes, {} of them in the tables, {:.2} s, {:.2} million a second",
            analysis.depth,
            analysis.seldepth,
            analysis.nodes,
            analysis.table_hits,
            analysis.seconds,
            analysis.nps as f64 / 1e6
        )?;
        for (score, moves) in &self.lines {
            let indent = format!("\n{:MOVES_COLUMN$}", "");
            writeln!(out, "{score:>SCORE_WIDTH$}  {}", wrapped(moves, width).join(&indent))?;
        }
        out.flush()
    }
}

/// Wraps the moves to the width of the terminal, breaking only between moves.
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
