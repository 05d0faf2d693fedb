//! `crownhead tablebase probe`: what positions are worth.

use std::io::{self, BufRead, BufReader, BufWriter, Write};

use anyhow::bail;
use clap::Args;
use crownhead_rules::Position;
use crownhead_tablebase::{Report, Tablebase, Wdl};
use serde::Serialize;

use crate::cli::tables::Tables;

/// Tell what positions are worth, and each of their moves.
#[derive(Args)]
pub(crate) struct Probe {
    /// Positions, or `-` for one a line from stdin.
    #[arg(value_name = "FEN", required = true)]
    fens: Vec<String>,
    #[command(flatten)]
    tables: Tables,
    /// Values of the positions only.
    #[arg(long)]
    no_moves: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// In place of a report.
#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    error: String,
}

impl Probe {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut answers = Answers {
            tables: self.tables.open()?,
            no_moves: self.no_moves,
            json: self.json,
            out: BufWriter::new(io::stdout().lock()),
            unreadable: 0,
        };
        for fen in &self.fens {
            if fen == "-" {
                answers.give_all(BufReader::new(io::stdin().lock()))?;
            } else {
                answers.give(fen)?;
            }
        }
        answers.out.flush()?;
        match answers.unreadable {
            0 => Ok(()),
            1 => bail!("one position could not be read"),
            more => bail!("{more} positions could not be read"),
        }
    }
}

struct Answers<W: Write> {
    tables: Tablebase,
    no_moves: bool,
    json: bool,
    out: W,
    unreadable: usize,
}

impl<W: Write> Answers<W> {
    /// Answers every line. Whoever waits for an answer before asking on gets it at once.
    fn give_all(&mut self, mut questions: BufReader<impl io::Read>) -> anyhow::Result<()> {
        let mut line = Vec::new();
        while questions.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            if !text.trim().is_empty() {
                self.give(text.trim())?;
            }
            line.clear();
            if questions.buffer().is_empty() {
                self.out.flush()?;
            }
        }
        Ok(())
    }

    fn give(&mut self, fen: &str) -> anyhow::Result<()> {
        match fen.parse::<Position>() {
            Ok(position) => {
                let report = if self.no_moves {
                    self.tables.report_without_moves(&position)
                } else {
                    self.tables.report(&position)
                };
                if self.json { self.give_json(&report) } else { self.give_text(&report) }
            }
            Err(error) => {
                self.unreadable += 1;
                if self.json {
                    self.give_json(&Refusal { fen, error: error.to_string() })
                } else {
                    Ok(writeln!(self.out, "{fen}: {error}")?)
                }
            }
        }
    }

    fn give_json(&mut self, answer: &impl Serialize) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.out, answer)?;
        Ok(self.out.write_all(b"\n")?)
    }

    fn give_text(&mut self, report: &Report) -> anyhow::Result<()> {
        writeln!(self.out, "{}: {}", report.fen, say(report.value, report.plies))?;
        for mv in report.moves.iter().flatten() {
            writeln!(self.out, "  {:<8} {}", mv.text, say(mv.value, mv.plies))?;
        }
        Ok(())
    }
}

fn say(value: Option<Wdl>, plies: Option<u32>) -> String {
    match (value, plies) {
        (None, _) => "not in the tables".into(),
        (Some(value), Some(plies)) => format!("{value} in {plies}"),
        (Some(value), None) => value.to_string(),
    }
}
