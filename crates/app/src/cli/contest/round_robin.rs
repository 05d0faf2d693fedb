//! `crownhead match --levels`: every level against every other.

use std::io::{self, Write};

use crownhead_engine::Level;
use crownhead_lab::contest::{Pace, Standing};
use crownhead_lab::player::PlayerSpec;
use serde::Serialize;

use super::Match;

#[derive(Serialize)]
struct Report {
    games: u64,
    table: Vec<Row>,
}

/// The result of `a` against `b`.
#[derive(Serialize)]
struct Row {
    a: String,
    b: String,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// What the highest level may use where nothing is said: the others are limited by nodes too.
const HIGHEST_LEVEL_PACE: Pace = Pace::Nodes(200_000);

pub(super) fn run(request: &Match, (lowest, highest): (Level, Level)) -> anyhow::Result<()> {
    let mut report = Report { games: 0, table: Vec::new() };
    for [a, b] in pairs(lowest, highest, request.neighbours) {
        let standing = request.play(&request.contest([a.clone(), b.clone()], HIGHEST_LEVEL_PACE))?;
        let row = Row::new(&a, &b, &standing);
        if !request.json {
            row.print(&standing)?;
        }
        report.games += standing.tally.games();
        report.table.push(row);
    }
    if request.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Who plays whom, the stronger one first; the anchors only against the lowest level.
fn pairs(lowest: Level, highest: Level, neighbours: bool) -> Vec<[PlayerSpec; 2]> {
    let anchor = |name: &str| name.parse().expect("the anchors are players");
    let mut pairs =
        vec![[PlayerSpec::level(lowest), anchor("random")], [PlayerSpec::level(lowest), anchor("novice")]];
    for upper in Level::all().filter(|&level| level > lowest && level <= highest) {
        for lower in Level::all().filter(|&level| level >= lowest && level < upper).rev() {
            if !neighbours || lower.number() + 1 == upper.number() {
                pairs.push([PlayerSpec::level(upper), PlayerSpec::level(lower)]);
            }
        }
    }
    pairs
}

impl Row {
    fn new(a: &PlayerSpec, b: &PlayerSpec, standing: &Standing) -> Row {
        let tally = &standing.tally;
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        Row { a: a.to_string(), b: b.to_string(), wins, draws, losses }
    }

    fn print(&self, standing: &Standing) -> io::Result<()> {
        let (tally, elo) = (&standing.tally, standing.tally.elo());
        writeln!(
            io::stdout(),
            "{:8} - {:8} +{:<4} ={:<4} -{:<4} {:5.1} %  Elo {:+6.0} ± {:.0}",
            self.a,
            self.b,
            self.wins,
            self.draws,
            self.losses,
            tally.score() * 100.0,
            elo.difference,
            elo.error
        )
    }
}
