//! `crownhead match --levels`: plays a round robin of the levels and rates them on one Elo scale.

use std::io::{self, Write};

use crownhead_engine::Level;
use crownhead_engine::StopFlag;
use crownhead_match::rating::Results;
use crownhead_match::rating::bradley_terry::{Meeting, plot, ratings};
use crownhead_match::{PlayerSpec, TimeControl};
use serde::Serialize;

use super::{Match, elo};
use crate::atomic_file::AtomicFile;

#[derive(Serialize)]
struct Report {
    games: u64,
    seed: u64,
    table: Vec<Row>,
    scale: Vec<Rating>,
}

/// The result of `a` against `b`.
#[derive(Serialize)]
struct Row {
    a: String,
    b: String,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
}

/// A player's Elo rating relative to the first anchor, which plays random moves.
#[derive(Serialize)]
struct Rating {
    name: String,
    elo: f64,
}

/// Players that never change and so anchor the scale, weakest first.
const ANCHORS: [&str; 2] = ["random", "novice"];

/// The default limit of the highest level: about half a second, but in nodes, as the other levels are limited, so that
/// a round robin has the same result everywhere.
const HIGHEST_LEVEL_LIMIT: TimeControl = TimeControl::Nodes(2_000_000);

pub(super) fn run(request: &Match, (lowest, highest): (Level, Level), stop: &StopFlag) -> anyhow::Result<()> {
    // Report a plot file that cannot be written before the games, not after.
    request.plot.as_deref().map(AtomicFile::check).transpose()?;
    let players = players(lowest, highest);
    let mut report = Report { games: 0, seed: request.seed, table: Vec::new(), scale: Vec::new() };
    let mut meetings = Vec::new();
    if !request.json {
        let (lowest, highest) = (lowest.number(), highest.number());
        writeln!(io::stdout(), "levels {lowest} to {highest}, seed {}", request.seed)?;
    }
    for [a, b] in pairs(players.len(), request.neighbours) {
        let seats = [players[a].clone(), players[b].clone()];
        let others = request.games_of_others.filter(|_| !are_neighbours(a, b));
        let games = others.unwrap_or(request.games);
        let stats = request.play(&request.new_match(seats, games, HIGHEST_LEVEL_LIMIT, stop)?)?;
        let row = Row::new(&players[a], &players[b], &stats.results);
        if !request.json {
            row.print(&stats.results)?;
        }
        request.check(&stats)?;
        report.games += stats.results.games();
        report.table.push(row);
        meetings.push(Meeting { players: [a, b], results: stats.results });
        if stop.is_set() {
            break;
        }
    }
    // In an interrupted round robin some players have no games, hence no rating.
    if !stop.is_set() {
        let ratings = players.iter().map(PlayerSpec::to_string).zip(ratings(players.len(), &meetings));
        report.scale = ratings.map(|(name, elo)| Rating { name, elo }).collect();
    }
    let mut out = io::stdout().lock();
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        for Rating { name, elo } in &report.scale {
            writeln!(out, "{name:8} {elo:+5.0}")?;
        }
    }
    if let Some(path) = request.plot.as_ref().filter(|_| !report.scale.is_empty()) {
        let ratings: Vec<(String, f64)> =
            report.scale.into_iter().map(|rating| (rating.name, rating.elo)).collect();
        AtomicFile::write(path, plot(&ratings))?;
    }
    Ok(())
}

/// The anchors and the levels, weakest first.
fn players(lowest: Level, highest: Level) -> Vec<PlayerSpec> {
    let anchors = ANCHORS.map(|name| name.parse().expect("the anchors are players"));
    let levels = Level::all().filter(|&level| (lowest..=highest).contains(&level)).map(PlayerSpec::level);
    anchors.into_iter().chain(levels).collect()
}

/// All pairs, the stronger player first; the anchors play only the lowest level.
fn pairs(players: usize, neighbours: bool) -> Vec<[usize; 2]> {
    let lowest = ANCHORS.len();
    let anchors = (0..lowest).map(|anchor| [lowest, anchor]);
    let levels =
        (lowest + 1..players).flat_map(|upper| (lowest..upper).rev().map(move |lower| [upper, lower]));
    anchors.chain(levels).filter(|&[a, b]| !neighbours || are_neighbours(a, b)).collect()
}

/// Are these adjacent levels, or the lowest level and an anchor?
fn are_neighbours(upper: usize, lower: usize) -> bool {
    upper == lower + 1 || lower < ANCHORS.len()
}

impl Row {
    fn new(a: &PlayerSpec, b: &PlayerSpec, results: &Results) -> Row {
        let Results { wins, draws, losses, .. } = *results;
        Row { a: a.to_string(), b: b.to_string(), wins, draws, losses, score: results.score() }
    }

    fn print(&self, results: &Results) -> io::Result<()> {
        writeln!(
            io::stdout(),
            "{:8} - {:8} +{:<4} ={:<4} -{:<4} {:5.1} %  {}",
            self.a,
            self.b,
            self.wins,
            self.draws,
            self.losses,
            self.score * 100.0,
            elo(results, 0)
        )
    }
}
