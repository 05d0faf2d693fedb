//! Asks the engine about the studies and the decisive games of a file.
//!
//! Usage: solve FILE.pdn [SECONDS [NODES]]. Of the studies (games with a set-up position) one may be missed. A decisive
//! game is looked at ten plies before its end, and a search of NODES for each position then walks back from the end to
//! the move that lost it; of the games that were lost by then the engine may miss one in ten. More is a failure, and so
//! is a file without studies or without decisive games. Nine in ten of all decisive games are asked for as well: whether
//! that is met is told and decides nothing. `CROWNHEAD_TABLEBASE` may name a folder of larger tables for that walk, and for
//! the proof that another move draws a study as well.

#[path = "parts/tables.rs"]
mod tables;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crownhead_engine::{Engine, Limits};
use crownhead_lab::Stopwatch;
use crownhead_lab::study::{Endings, Student, Studies};
use crownhead_pdn::{Game, Reader};
use crownhead_tablebase::Tablebase;

/// A second's worth.
const DEEP_NODES: u64 = 3_000_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: solve FILE.pdn [SECONDS [NODES]]")?;
    let time = Duration::try_from_secs_f64(arguments.next().map_or(Ok(1.0), |text| text.parse())?)?;
    let nodes = arguments.next().map_or(Ok(DEEP_NODES), |text| text.parse())?;
    let games: Vec<Game> = Reader::new(BufReader::new(File::open(file)?))
        .map(|read| read.map(|read| read.game))
        .collect::<Result<_, _>>()?;
    let tables = tables::tables()?;
    println!("proofs by tables of {} pieces", tables.max_pieces());
    let quick = Limits::move_time(time);
    let studies = solve_studies(&games, &tables, quick)?;
    let endings = foresee_endings(&games, &tables, quick, Limits::nodes(nodes))?;
    Ok(if studies.pass() && endings.pass() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The engine has the tables that come with it; the larger ones only judge.
fn solve_studies(games: &[Game], proof: &Tablebase, limits: Limits) -> Result<Studies, Box<dyn Error>> {
    let mut engine = engine_with(Tablebase::embedded())?;
    let mut student = Student { engine: &mut engine, limits };
    let mut studies = Studies::default();
    for study in games.iter().filter_map(|game| student.solve(game, proof, &Stopwatch::start())) {
        println!("{study}");
        studies.add(&study);
    }
    println!("{studies}");
    Ok(studies)
}

fn foresee_endings(
    games: &[Game],
    tables: &Tablebase,
    quick: Limits,
    deep: Limits,
) -> Result<Endings, Box<dyn Error>> {
    let (mut engine, mut patient_engine) =
        (engine_with(Tablebase::embedded())?, engine_with(tables.clone())?);
    let mut student = Student { engine: &mut engine, limits: quick };
    let mut patient = Student { engine: &mut patient_engine, limits: deep };
    let mut endings = Endings::default();
    for game in games {
        let Some(ending) = student.foresee(game, &Stopwatch::start()) else { continue };
        let mistake = patient.mistake(game, &Stopwatch::start());
        match &mistake {
            Some(mistake) => println!("{ending}; {mistake}"),
            None => println!("{ending}; lost from the first move on"),
        }
        endings.add(&ending, mistake.as_ref());
    }
    println!("{endings}");
    Ok(endings)
}

fn engine_with(tables: Tablebase) -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_tablebase(Some(Arc::new(tables)));
    Ok(engine)
}
