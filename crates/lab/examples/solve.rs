//! Asks the engine about the studies and the decisive games of a file.
//!
//! Usage: solve FILE.pdn [SECONDS [NODES]]. Of the studies (games with a set-up position) one may be missed. A decisive
//! game is looked at ten plies before its end, and a search of NODES for each position then walks back from the end to
//! the move that lost it; of the games that were lost by then the engine may miss one in ten. More is a failure.
//! `CROWNHEAD_TABLEBASE` may name a folder of larger tables for that walk.

use core::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crownhead_engine::{Engine, Limits};
use crownhead_lab::Stopwatch;
use crownhead_lab::study::{Ending, Mistake, PLIES_BEFORE_THE_END, Student};
use crownhead_pdn::{Game, Reader};
use crownhead_tablebase::Tablebase;

/// A second's worth.
const DEEP_NODES: u64 = 3_000_000;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: solve FILE.pdn [SECONDS [NODES]]")?;
    let time = Duration::try_from_secs_f64(arguments.next().map_or(Ok(1.0), |text| text.parse())?)?;
    let nodes = arguments.next().map_or(Ok(DEEP_NODES), |text| text.parse())?;
    let games: Vec<Game> = Reader::new(BufReader::new(File::open(file)?))
        .map(|read| read.map(|read| read.game))
        .collect::<Result<_, _>>()?;
    let quick = Limits::move_time(time);
    let studies = solve_studies(&games, quick)?;
    let endings = foresee_endings(&games, quick, Limits::nodes(nodes))?;
    Ok(if studies && endings { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Are all studies solved but one?
fn solve_studies(games: &[Game], limits: Limits) -> Result<bool, Box<dyn std::error::Error>> {
    let mut engine = engine_with(Tablebase::embedded())?;
    let mut student = Student { engine: &mut engine, limits };
    let (mut studies, mut solved) = (0, 0);
    for study in games.iter().filter_map(|game| student.solve(game, &Stopwatch::start())) {
        println!("{study}");
        studies += 1;
        solved += usize::from(study.solved);
    }
    println!("{solved} of {studies} studies solved");
    Ok(solved + 1 >= studies)
}

/// Is the winner seen ahead in nine of ten games that were lost ten plies before their end?
fn foresee_endings(games: &[Game], quick: Limits, deep: Limits) -> Result<bool, Box<dyn std::error::Error>> {
    let tables = match std::env::var_os("CROWNHEAD_TABLEBASE") {
        Some(folder) => Tablebase::embedded().with_folder(Path::new(&folder)).0,
        None => Tablebase::embedded(),
    };
    let (mut engine, mut patient_engine) = (engine_with(Tablebase::embedded())?, engine_with(tables)?);
    let mut student = Student { engine: &mut engine, limits: quick };
    let mut patient = Student { engine: &mut patient_engine, limits: deep };
    let mut tally = Tally::default();
    for game in games {
        let Some(ending) = student.foresee(game, &Stopwatch::start()) else { continue };
        let mistake = patient.mistake(game, &Stopwatch::start());
        match &mistake {
            Some(mistake) => println!("{ending}; {mistake}"),
            None => println!("{ending}; lost from the first move on"),
        }
        tally.add(&ending, mistake.as_ref());
    }
    println!("{tally}");
    Ok(tally.seen_of_lost * 10 >= tally.lost * 9)
}

/// The decisive games, counted.
#[derive(Default)]
struct Tally {
    games: usize,
    seen: usize,
    /// Games that the patient search knows to be lost when the question is put.
    lost: usize,
    seen_of_lost: usize,
    /// Games where it is put before the losing move.
    too_soon: usize,
    /// Games that end before the winner is ahead by a man.
    given_up: usize,
}

impl Tally {
    fn add(&mut self, ending: &Ending, mistake: Option<&Mistake>) {
        self.games += 1;
        self.seen += usize::from(ending.seen);
        if mistake.is_none_or(Mistake::is_early) {
            self.lost += 1;
            self.seen_of_lost += usize::from(ending.seen);
        } else if mistake.is_some_and(|mistake| mistake.played.is_none()) {
            self.given_up += 1;
        } else {
            self.too_soon += 1;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { games, seen, lost, seen_of_lost, too_soon, given_up } = self;
        writeln!(f, "{seen} of {games} wins seen {PLIES_BEFORE_THE_END} plies before the end of the game")?;
        writeln!(f, "  {seen_of_lost} of the {lost} where the losing move had been made by then")?;
        writeln!(f, "  in {too_soon} it comes later")?;
        write!(f, "  {given_up} end before the patient search sees the winner ahead by a man")
    }
}

fn engine_with(tables: Tablebase) -> Result<Engine, Box<dyn std::error::Error>> {
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_tables(Some(Arc::new(tables)));
    Ok(engine)
}
