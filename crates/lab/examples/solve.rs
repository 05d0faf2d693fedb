//! Asks the engine about the studies and the decisive games of a file.
//!
//! Usage: solve FILE.pdn [SECONDS]. Of the studies (games with a set-up position) one may be missed, of the decisive
//! games one in ten; more is a failure.

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crownhead_engine::{Engine, Limits};
use crownhead_lab::Stopwatch;
use crownhead_lab::study::{PLIES_BEFORE_THE_END, Student};
use crownhead_pdn::{Game, Reader};
use crownhead_tablebase::Tablebase;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: solve FILE.pdn [SECONDS]")?;
    let time = Duration::try_from_secs_f64(arguments.next().map_or(Ok(1.0), |text| text.parse())?)?;
    let games: Vec<Game> = Reader::new(BufReader::new(File::open(file)?))
        .map(|read| read.map(|read| read.game))
        .collect::<Result<_, _>>()?;
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_tables(Some(Arc::new(Tablebase::embedded())));
    let mut student = Student { engine: &mut engine, limits: Limits::move_time(time) };

    let (mut studies, mut solved) = (0, 0);
    for study in games.iter().filter_map(|game| student.solve(game, &Stopwatch::start())) {
        println!("{study}");
        studies += 1;
        solved += usize::from(study.solved);
    }
    let (mut endings, mut seen) = (0, 0);
    for ending in games.iter().filter_map(|game| student.foresee(game, &Stopwatch::start())) {
        println!("{ending}");
        endings += 1;
        seen += usize::from(ending.seen);
    }
    println!(
        "{solved} of {studies} studies solved; {seen} of {endings} wins seen {PLIES_BEFORE_THE_END} plies ahead"
    );
    Ok(if solved + 1 >= studies && seen * 10 >= endings * 9 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
