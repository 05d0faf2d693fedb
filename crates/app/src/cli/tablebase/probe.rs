//! `crownhead tablebase probe`: prints the tablebase value (WDL and distance) of positions and their moves.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread;

use anyhow::bail;
use clap::Args;
use crownhead_rules::Position;
use crownhead_tablebase::{Report, Tablebase, Wdl};
use serde::Serialize;

use crate::cli::tables::Tables;
use crate::cli::threads;

/// The read buffer, which holds some thousand positions.
const READ_BYTES: usize = 1 << 17;
/// The smallest number of positions that is worth a thread.
const SMALLEST_SHARE: usize = 64;

/// Print the value of positions and of each of their moves.
#[derive(Args)]
pub(crate) struct Probe {
    /// Positions, or `-` to read one per line from stdin.
    #[arg(value_name = "FEN", required = true)]
    fens: Vec<String>,
    #[command(flatten)]
    tables: Tables,
    /// Print only the values of the positions, not of their moves.
    #[arg(long)]
    no_moves: bool,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// The JSON answer for a position that could not be read.
#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    error: String,
}

impl Probe {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let asked = Asked { tables: self.tables.open()?, no_moves: self.no_moves, json: self.json };
        let mut out = io::stdout().lock();
        let mut unreadable = 0;
        for fen in &self.fens {
            if fen == "-" {
                unreadable += asked.answer_lines(io::stdin().lock(), &mut out)?;
            } else {
                let mut answer = Vec::new();
                unreadable += usize::from(!asked.answer(fen, &mut answer)?);
                out.write_all(&answer)?;
            }
        }
        match unreadable {
            0 => Ok(()),
            1 => bail!("one position could not be read"),
            more => bail!("{more} positions could not be read"),
        }
    }
}

/// The tables and the options of the output.
struct Asked {
    tables: Tablebase,
    no_moves: bool,
    json: bool,
}

impl Asked {
    /// Answers every line and returns how many could not be read. Lines that are already buffered are answered together
    /// on all cores; a client that waits for each answer gets it immediately.
    fn answer_lines(&self, questions: impl Read, out: &mut impl Write) -> anyhow::Result<usize> {
        let mut questions = BufReader::with_capacity(READ_BYTES, questions);
        let threads = threads(None).get();
        let mut unreadable = 0;
        let mut text = Vec::new();
        while take_lines(&mut questions, &mut text)? {
            let text = String::from_utf8_lossy(&text);
            let fens: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let share = fens.len().div_ceil(threads).max(SMALLEST_SHARE);
            let answers = thread::scope(|scope| {
                let others: Vec<_> =
                    fens.chunks(share).skip(1).map(|fens| scope.spawn(|| self.answer_all(fens))).collect();
                let own = self.answer_all(&fens[..share.min(fens.len())]);
                let others = others.into_iter().map(|other| other.join().expect("answering does not panic"));
                [own].into_iter().chain(others).collect::<Vec<_>>()
            });
            for answers in answers {
                let (bytes, refused) = answers?;
                out.write_all(&bytes)?;
                unreadable += refused;
            }
            out.flush()?;
        }
        Ok(unreadable)
    }

    /// The answers for these positions, and how many could not be read.
    fn answer_all(&self, fens: &[&str]) -> anyhow::Result<(Vec<u8>, usize)> {
        let (mut out, mut unreadable) = (Vec::new(), 0);
        for fen in fens {
            unreadable += usize::from(!self.answer(fen, &mut out)?);
        }
        Ok((out, unreadable))
    }

    /// Answers one position. Returns whether it could be read.
    fn answer(&self, fen: &str, out: &mut Vec<u8>) -> anyhow::Result<bool> {
        match fen.parse::<Position>() {
            Ok(position) => {
                let report = if self.no_moves {
                    self.tables.report_without_moves(&position)
                } else {
                    self.tables.report(&position)
                };
                if self.json {
                    write_json(&report, out)?;
                } else {
                    write_text(&report, out)?;
                }
                Ok(true)
            }
            Err(error) => {
                if self.json {
                    write_json(&Refusal { fen, error: error.to_string() }, out)?;
                } else {
                    writeln!(out, "{fen}: {error}")?;
                }
                Ok(false)
            }
        }
    }
}

/// Takes the next line and all complete lines that are already buffered. Returns `false` at the end of input.
fn take_lines(questions: &mut BufReader<impl Read>, text: &mut Vec<u8>) -> io::Result<bool> {
    text.clear();
    questions.read_until(b'\n', text)?;
    let at_hand = questions.buffer();
    let whole = at_hand.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    text.extend_from_slice(&at_hand[..whole]);
    questions.consume(whole);
    Ok(!text.is_empty())
}

fn write_json(answer: &impl Serialize, out: &mut Vec<u8>) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, answer)?;
    out.push(b'\n');
    Ok(())
}

fn write_text(report: &Report, out: &mut Vec<u8>) -> anyhow::Result<()> {
    writeln!(out, "{}: {}", report.fen, say(report.value, report.plies))?;
    for mv in report.moves.iter().flatten() {
        writeln!(out, "  {:<8} {}", mv.text, say(mv.value, mv.plies))?;
    }
    Ok(())
}

fn say(value: Option<Wdl>, plies: Option<u32>) -> String {
    match (value, plies) {
        (None, _) => "not in the tables".into(),
        (Some(value), Some(plies)) => format!("{value} in {plies}"),
        (Some(value), None) => value.to_string(),
    }
}
