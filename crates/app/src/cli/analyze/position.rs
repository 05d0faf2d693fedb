//! The best lines of one position.

use std::io::{self, IsTerminal, Write};

use anyhow::ensure;
use crownhead_engine::{Engine, Found, Line};
use crownhead_lab::Stopwatch;
use crownhead_rules::{History, Position};
use crownhead_tablebase::{Tablebase, Wdl};
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

impl Analyze {
    pub(super) fn position(
        &self,
        engine: &mut Engine,
        tables: &Tablebase,
        position: &Position,
    ) -> anyhow::Result<()> {
        ensure!(position.has_move(), "{} has no move here: the game is over", position.side_to_move());
        let limits = self.limits().with_lines(self.lines.unwrap_or(DEFAULT_LINES));
        let watch = Stopwatch::start();
        // On a terminal one sees the thoughts deepen; elsewhere only the last ones count.
        let live = !self.json && io::stdout().is_terminal();
        let mut trouble = Ok(());
        let mut shown = Vec::new();
        let mut report = |found: &Found| {
            if live && trouble.is_ok() {
                trouble = print(position, found, tables);
                if trouble.is_err() {
                    watch.stop();
                }
                shown.clone_from(&found.lines);
            }
        };
        let game = History::new(*position);
        let found = engine.search(&game, &self.rulebook(), &limits, &watch, &mut report);
        trouble?;
        let found = found.expect("there is a move");
        if self.json {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &Report::new(position, &found, tables))?;
            writeln!(out)?;
        } else if found.lines != shown {
            // Where nothing has been shown yet, or the depth that was broken off had found something better.
            print(position, &found, tables)?;
        }
        Ok(())
    }
}

fn print(position: &Position, found: &Found, tables: &Tablebase) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "depth {}/{}, {} nodes, {} of them in the tables, {:.2} s, {:.2} million a second",
        found.depth,
        found.selective_depth,
        found.nodes,
        found.table_hits,
        found.time.as_secs_f64(),
        found.nps() as f64 / 1e6
    )?;
    for line in &found.lines {
        let drawn = is_drawn(position, line, tables);
        let score = if drawn { "draw".to_owned() } else { line.score.to_string() };
        writeln!(out, "{score:>12}  {}", texts(position, line, tables).join(" "))?;
    }
    out.flush()
}

/// Is the line a proven draw? Only the tables prove one; one by repetition within the search is an opinion.
fn is_drawn(position: &Position, line: &Line, tables: &Tablebase) -> bool {
    !line.score.is_decided() && tables.probe(&position.after(line.moves[0])) == Some(Wdl::Draw)
}

/// The moves of a line as people write them, to the end of the game where the tables know the way.
fn texts(position: &Position, line: &Line, tables: &Tablebase) -> Vec<String> {
    let mut at = *position;
    let text = |&mv| {
        let text = at.move_text(mv);
        at = at.after(mv);
        text
    };
    line.played_out(position, tables).moves.iter().map(text).collect()
}

impl Report {
    fn new(position: &Position, found: &Found, tables: &Tablebase) -> Report {
        Report {
            fen: position.to_string(),
            depth: found.depth,
            nodes: found.nodes,
            table_hits: found.table_hits,
            seconds: found.time.as_secs_f64(),
            lines: found.lines.iter().map(|line| LineReport::new(position, line, tables)).collect(),
        }
    }
}

impl LineReport {
    fn new(position: &Position, line: &Line, tables: &Tablebase) -> LineReport {
        let (value, plies) = proven(line.score, is_drawn(position, line, tables));
        let pv = texts(position, line, tables);
        LineReport { mv: pv[0].clone(), score: line.score.in_men(), plies, value, pv }
    }
}
