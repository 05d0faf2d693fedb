//! The worker's part: the engine, asked in JSON.

use core::time::Duration;
use std::sync::Arc;

use crownhead_engine::{
    ClockState, Control, Engine, Level, Limits, Opponent, PvLine, ScoreKind as Value, SearchResult,
    TimeLimit, bench,
};
use crownhead_game::{Command, Effect, Task, Verdict};
use crownhead_rules::{History, Position, Rulebook};
use crownhead_tablebase::{Tablebase, Wdl};
use serde::{Deserialize, Serialize};

use crate::written;

/// What the page asks of the worker, one thing after the other.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Request {
    /// Carry out an effect of a game. The answer is the command to give to the game.
    CarryOut {
        /// As the game gave it.
        effect: Box<Effect>,
    },
    /// Look at a position until one of the limits or the stop. Reports after each depth.
    Analyse {
        /// The first position, as FEN.
        position: String,
        /// The moves since.
        #[serde(default)]
        moves: Vec<String>,
        /// The name of the rule book that says when it is a draw, `american` if none is given.
        #[serde(default)]
        rulebook: Option<String>,
        /// How many of the best moves are wanted.
        #[serde(default)]
        lines: usize,
        /// Positions to visit at most.
        #[serde(default)]
        nodes: Option<u64>,
        /// Plies to look ahead at most.
        #[serde(default)]
        depth: Option<u32>,
        /// Time to take at most.
        #[serde(default)]
        time_ms: Option<u64>,
    },
    /// The fixed search whose node count is the engine's signature.
    Bench,
    /// Forget what was learnt, as before a new game.
    Clear,
}

/// What the worker answers.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To `carry_out`: for the game.
    Command {
        /// The result of the effect.
        command: Command,
    },
    /// To `analyse`, at the end and in reports.
    Analysis(Analysis),
    /// To `bench`.
    Bench {
        /// The signature.
        nodes: u64,
        /// Time taken.
        seconds: f64,
    },
    /// To `clear`.
    Nothing {},
    /// To a table.
    Tables {
        /// All positions with so many pieces are known now.
        pieces: u32,
    },
}

/// What was found about a position.
#[derive(Default, Serialize)]
pub struct Analysis {
    /// Plies that were searched in full.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// The best moves, the best first; none if the side to move has lost.
    pub lines: Vec<AnalysedLine>,
}

/// A move with what it is worth.
#[derive(Serialize)]
pub struct AnalysedLine {
    /// The move, with its whole path.
    #[serde(rename = "move")]
    pub text: String,
    /// Men ahead for the side to move; `null` when the end is certain.
    pub score: Option<f64>,
    /// `win`, `loss` or `draw` when that is certain. Only the tables prove a draw; one by repetition is an opinion.
    pub value: Option<&'static str>,
    /// How many moves of both sides to the end, if that is known.
    pub plies: Option<u32>,
    /// How play goes on, the move itself first.
    pub pv: Vec<String>,
}

/// The engine with what it keeps from one question to the next.
pub struct Thinker {
    engine: Engine,
    tables: Tablebase,
}

/// Memory for decoded parts of the tables.
const TABLE_CACHE_BYTES: usize = 16 << 20;

impl Thinker {
    /// An engine with the hash table of the page.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn new() -> Result<Thinker, String> {
        let engine = Engine::new(Engine::PAGE_HASH_BYTES)
            .map_err(|error| format!("The computer cannot play: {error}."))?;
        Ok(Thinker { engine, tables: Tablebase::empty().with_cache(TABLE_CACHE_BYTES) })
    }

    /// Answers a request. Both are JSON; what goes wrong is an object with a sentence under `error`. Reports are JSON
    /// like the answer to `analyse`.
    pub fn call(&mut self, request: &str, control: &dyn Control, report: &mut dyn FnMut(&str)) -> String {
        let request = serde_json::from_str(request).map_err(|error| format!("That cannot be read: {error}."));
        written(request.and_then(|request| self.answer(request, control, report)))
    }

    /// Takes in the file of an endgame table and answers as [`call`](Thinker::call) does.
    pub fn load_table(&mut self, file: Vec<u8>) -> String {
        let loaded =
            self.tables.with(file).map_err(|flaw| format!("An endgame table cannot be read: {flaw}."));
        written(loaded.map(|tables| {
            self.engine.set_tablebase(Some(Arc::new(tables.clone())));
            self.tables = tables;
            Answer::Tables { pieces: self.tables.max_pieces() }
        }))
    }

    fn answer(
        &mut self,
        request: Request,
        control: &dyn Control,
        report: &mut dyn FnMut(&str),
    ) -> Result<Answer, String> {
        match request {
            Request::CarryOut { effect } => {
                self.carry_out(*effect, control).map(|command| Answer::Command { command })
            }
            Request::Analyse { position, moves, rulebook, lines, nodes, depth, time_ms } => {
                let game = read_game(&position, &moves)?;
                let rulebook = read_rulebook(rulebook.as_deref())?;
                let time = time_ms.map(|millis| TimeLimit::Move(Duration::from_millis(millis)));
                let limits = Limits { nodes, depth, time, multi_pv: lines };
                let analysis = |found: &SearchResult| Analysis::of(game.position(), found, &self.tables);
                let mut report = |found: &SearchResult| report(&written(Ok(analysis(found))));
                let found = self.engine.search(&game, &rulebook, &limits, control, &mut report);
                let analysis = found.as_ref().map(analysis);
                Ok(Answer::Analysis(analysis.unwrap_or_default()))
            }
            Request::Bench => {
                let bench = bench(control).map_err(|error| format!("The bench cannot run: {error}."))?;
                Ok(Answer::Bench { nodes: bench.nodes, seconds: bench.time.as_secs_f64() })
            }
            Request::Clear => {
                self.engine.clear();
                Ok(Answer::Nothing {})
            }
        }
    }

    fn carry_out(&mut self, effect: Effect, control: &dyn Control) -> Result<Command, String> {
        match effect {
            Effect::Think { task } => {
                let (game, opponent) = (history(&task)?, opponent(&task)?);
                let choice = self.engine.choose(&game, &task.rulebook, &opponent, control);
                let mv = choice.ok_or("There is no move to think about.")?.mv;
                Ok(Command::ComputerMoved { request: task.request, text: mv.to_string() })
            }
            Effect::FindHint { task } => {
                let game = history(&task)?;
                let choice = self.engine.hint(&game, &task.rulebook, control);
                let mv = choice.ok_or("There is no move to think about.")?.mv;
                Ok(Command::HintFound { request: task.request, text: mv.to_string() })
            }
            Effect::JudgeOffer { offer, task } => {
                let game = history(&task)?;
                let to_mover = task.side == game.position().side_to_move();
                let answer = self.engine.answer_draw_offer(&game, &task.rulebook, to_mover, control);
                Ok(Command::ComputerAnswered { request: task.request, offer, accept: answer.accepts() })
            }
            Effect::Adjudicate { task } => {
                let game = history(&task)?;
                let verdict = match self.tables.probe(game.position()) {
                    Some(Wdl::Draw) => Verdict::Draw,
                    Some(Wdl::Win | Wdl::Loss) => Verdict::NoDraw,
                    None => Verdict::Unknown,
                };
                Ok(Command::Adjudicated { request: task.request, verdict })
            }
            Effect::Stop { .. } | Effect::NewGame { .. } => {
                Err("There is nothing to think about in that.".to_owned())
            }
        }
    }
}

fn opponent(task: &Task) -> Result<Opponent, String> {
    let level = Level::new(task.level.number()).ok_or("There is no such level.")?;
    let time = task.clock.map(|clock| {
        TimeLimit::Clock(ClockState {
            remaining: Duration::from_millis(clock.left_ms),
            increment: Duration::from_millis(clock.increment_ms),
            moves: None,
        })
    });
    Ok(Opponent { level, seed: u64::from(task.seed), time })
}

fn history(task: &Task) -> Result<History, String> {
    task.history().map_err(|damage| format!("That game cannot be: {damage}."))
}

fn read_game(fen: &str, moves: &[String]) -> Result<History, String> {
    let start = fen.parse().map_err(|error| format!("That position cannot be: {error}."))?;
    let mut game = History::new(start);
    for text in moves {
        game.play(text).map_err(|error| format!("That game cannot be: {error}."))?;
    }
    Ok(game)
}

fn read_rulebook(name: Option<&str>) -> Result<Rulebook, String> {
    let Some(name) = name else { return Ok(Rulebook::default()) };
    name.parse().map(Rulebook::of).map_err(|error| format!("That game cannot be: {error}."))
}

impl Analysis {
    fn of(position: &Position, found: &SearchResult, tables: &Tablebase) -> Analysis {
        Analysis {
            depth: found.depth,
            nodes: found.nodes,
            seconds: found.time.as_secs_f64(),
            lines: found.lines.iter().map(|line| AnalysedLine::of(position, line, tables)).collect(),
        }
    }
}

impl AnalysedLine {
    fn of(position: &Position, line: &PvLine, tables: &Tablebase) -> AnalysedLine {
        let is_drawn = || tables.probe(&position.play_unchecked(line.moves[0])) == Some(Wdl::Draw);
        let (value, plies, score) = match line.score.kind() {
            Value::Wins(plies) => (Some("win"), plies, None),
            Value::Loses(plies) => (Some("loss"), plies, None),
            Value::Men(_) | Value::Draw if is_drawn() => (Some("draw"), None, None),
            Value::Men(_) | Value::Draw => (None, None, Some(line.score.in_men())),
        };
        let mut position = *position;
        let pv = line.played_out(&position, tables).moves.into_iter().map(|mv| {
            let text = position.move_text(mv);
            position = position.play_unchecked(mv);
            text
        });
        let pv = pv.collect();
        AnalysedLine { text: line.moves[0].to_string(), score, value, plies, pv }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_engine::Timeless;
    use serde_json::{Value, json};

    fn call(thinker: &mut Thinker, request: &Value) -> Value {
        serde_json::from_str(&thinker.call(&request.to_string(), &Timeless, &mut |_| {})).expect("JSON")
    }

    #[test]
    fn an_effect_is_carried_out_as_a_command() {
        let player = |json: Value| serde_json::from_value(json).expect("a player");
        let computer = json!({"kind": "computer", "level": 3});
        let start = crownhead_game::Start::new([player(computer), player(json!({"kind": "human"}))], 1);
        let (mut game, step) = crownhead_game::Game::start(start, crownhead_game::Time(0)).expect("a game");
        let mut thinker = Thinker::new().expect("room");
        let answer = call(&mut thinker, &json!({"method": "carry_out", "effect": step.effects[0]}));
        let command: Command = serde_json::from_value(answer["command"].clone()).expect("a command");
        let moment = crownhead_game::Moment::at(crownhead_game::Time(1));
        game.handle(crownhead_game::Who::House, &command, moment).expect("a legal move");
        assert_eq!(game.history().moves().len(), 1);
    }

    #[test]
    fn an_analysis_reports_on_the_way_and_at_the_end() {
        let request = json!({"method": "analyse", "position": "W:W18,22:B9,10", "nodes": 20_000, "lines": 2});
        let mut reports = Vec::new();
        let mut thinker = Thinker::new().expect("room");
        let answer =
            thinker.call(&request.to_string(), &Timeless, &mut |report| reports.push(report.to_owned()));
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["lines"].as_array().map(Vec::len), Some(2));
        assert!(reports.len() > 1);
    }

    #[test]
    fn a_game_is_judged_by_its_own_rule_book() {
        // White can bring about the same position for the third time, and is a king down otherwise.
        let moves = ["1-5", "32-28", "5-1", "28-32"].repeat(2);
        let moves = [&moves[..], &["1-5"]].concat();
        let score = |rulebook: &str| {
            let mut thinker = Thinker::new().expect("room");
            let request = json!({"method": "analyse", "position": "B:WK32:BK1,K14", "moves": moves, "depth": 1,
                "rulebook": rulebook});
            call(&mut thinker, &request)["lines"][0]["score"].as_f64().expect("no end is certain")
        };
        assert!(score("american").abs() < 0.005);
        assert!(score("win-only") < -0.5);
    }

    #[test]
    fn only_the_tables_prove_a_draw() {
        let mut thinker = Thinker::new().expect("room");
        let analyse = |thinker: &mut Thinker| {
            let request = json!({"method": "analyse", "position": "B:WK32:BK1", "depth": 9});
            let line = call(thinker, &request)["lines"][0].clone();
            (line["value"].clone(), line["score"].clone())
        };
        let (value, score) = analyse(&mut thinker);
        assert!(value.is_null() && score.as_f64().is_some_and(|men| men.abs() < 1.0), "{value} {score}");
        thinker.load_table(include_bytes!("../../tablebase/data/2-pieces.wdl").to_vec());
        assert_eq!(analyse(&mut thinker), (json!("draw"), Value::Null));
    }

    #[test]
    fn a_claim_is_judged_by_the_tables_that_are_loaded() {
        let mut thinker = Thinker::new().expect("room");
        let book = serde_json::to_value(Rulebook::default()).expect("JSON");
        let judged = |thinker: &mut Thinker, fen: &str| {
            let effect = json!({"type": "adjudicate", "request": 3, "side": "black", "level": 8, "seed": 1,
                "rulebook": book, "position": fen, "moves": [], "clock": null});
            call(thinker, &json!({"method": "carry_out", "effect": effect}))["command"]["verdict"].clone()
        };
        assert_eq!(judged(&mut thinker, "B:WK32:BK1"), "unknown");
        let file = include_bytes!("../../tablebase/data/2-pieces.wdl");
        let answer: Value = serde_json::from_str(&thinker.load_table(file.to_vec())).expect("JSON");
        assert_eq!(answer["pieces"], 2);
        assert_eq!(judged(&mut thinker, "B:WK32:BK1"), "draw");
        assert_eq!(judged(&mut thinker, "B:WK4:BK8"), "no_draw");
        assert_eq!(judged(&mut thinker, "B:WK32,K31:BK1"), "unknown");
        let damaged: Value = serde_json::from_str(&thinker.load_table(vec![1, 2, 3])).expect("JSON");
        assert!(damaged["error"].as_str().is_some_and(|error| error.ends_with('.')), "{damaged}");
    }

    #[test]
    fn what_cannot_be_read_is_answered_in_words() {
        let mut thinker = Thinker::new().expect("room");
        for request in [
            json!({"method": "analyse", "position": "hello"}),
            json!({"method": "analyse", "position": "B:W21-32:B1-12", "moves": ["1-2"]}),
            json!({"method": "analyse", "position": "B:W21-32:B1-12", "rulebook": "chess"}),
            json!({"method": "carry_out", "effect": {"type": "stop", "work": "think", "request": 1}}),
            json!({}),
        ] {
            let answer = call(&mut thinker, &request);
            assert!(answer["error"].as_str().is_some_and(|error| error.ends_with('.')), "{answer}");
        }
    }
}
