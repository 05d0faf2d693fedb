//! Runs the engine on the studies and the decisive games of a PDN file, as a test suite.
//!
//! Usage: studies FILE.pdn [SECONDS [NODES]]. The engine may miss one study (a game with a set-up position). It
//! searches each decisive game ten plies before its end, and a deeper search of NODES per position then looks
//! backwards for the move that lost the game. Among the games that were lost by then, the engine must predict nine of
//! ten winners. A file without studies or without decisive games fails, too. The share among all decisive games is
//! only reported. `CROWNHEAD_TABLEBASE` may name a folder of larger tables for the deeper search, and for the proof
//! that another move also draws a study.

mod study;
#[path = "../parts/tables.rs"]
mod tables;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crownhead_engine::Stopwatch;
use crownhead_engine::{Engine, Limits};
use crownhead_pdn::{Game, Reader};
use crownhead_tablebase::Tablebase;
use study::{PredictionCount, Solver, StudyCount};

/// The default number of nodes of the deeper search: about a second.
const DEEP_NODES: u64 = 3_000_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: studies FILE.pdn [SECONDS [NODES]]")?;
    let time = Duration::try_from_secs_f64(arguments.next().map_or(Ok(1.0), |text| text.parse())?)?;
    let nodes = arguments.next().map_or(Ok(DEEP_NODES), |text| text.parse())?;
    let games: Vec<Game> = Reader::new(BufReader::new(File::open(file)?))
        .map(|read| read.map(|read| read.game))
        .collect::<Result<_, _>>()?;
    let tables = tables::tables()?;
    println!("proofs by tables of {} pieces", tables.max_pieces());
    let quick = Limits::move_time(time);
    let studies = solve_studies(&games, &tables, quick)?;
    let predictions = predict_winners(&games, &tables, quick, Limits::nodes(nodes))?;
    Ok(if studies.pass() && predictions.pass() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Solves the studies with the embedded tables; the larger tables in `proof` only judge the answers.
fn solve_studies(games: &[Game], proof: &Tablebase, limits: Limits) -> Result<StudyCount, Box<dyn Error>> {
    let mut engine = engine_with(Tablebase::embedded())?;
    let mut solver = Solver { engine: &mut engine, limits };
    let mut studies = StudyCount::default();
    for study in games.iter().filter_map(|game| solver.solve(game, proof, &Stopwatch::start())) {
        println!("{study}");
        studies.add(&study);
    }
    println!("{studies}");
    Ok(studies)
}

fn predict_winners(
    games: &[Game],
    tables: &Tablebase,
    quick: Limits,
    deep: Limits,
) -> Result<PredictionCount, Box<dyn Error>> {
    let (mut engine, mut deep_engine) = (engine_with(Tablebase::embedded())?, engine_with(tables.clone())?);
    let mut solver = Solver { engine: &mut engine, limits: quick };
    let mut deep_solver = Solver { engine: &mut deep_engine, limits: deep };
    let mut predictions = PredictionCount::default();
    for game in games {
        let Some(prediction) = solver.predict(game, &Stopwatch::start()) else { continue };
        let losing_move = deep_solver.losing_move(game, &Stopwatch::start());
        match &losing_move {
            Some(losing_move) => println!("{prediction}; {losing_move}"),
            None => println!("{prediction}; lost from the first move"),
        }
        predictions.add(&prediction, losing_move.as_ref());
    }
    println!("{predictions}");
    Ok(predictions)
}

fn engine_with(tables: Tablebase) -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_tablebase(Some(Arc::new(tables)));
    Ok(engine)
}
