//! The engine module for the worker: the computer player behind JSON requests.

use core::time::Duration;

use crownhead_computer::review::{Accuracy, Judgement, Review, ReviewedMove, ReviewedPosition};
use crownhead_computer::{Analysis, Computer};
use crownhead_engine::{Control, Engine, Limits, TimeLimit, bench};
use crownhead_game::{Command, Effect};
use crownhead_rules::{History, Rulebook};
use crownhead_tablebase::Tablebase;
use serde::{Deserialize, Serialize};

use crate::written;

/// The requests of the page to the worker, which answers them one after the other.
#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Request {
    /// Carry out an effect of a game. The answer is the command for the game.
    CarryOut {
        /// The effect, as the game returned it.
        effect: Box<Effect>,
    },
    /// Analyse the last position of a game until a limit is reached or the search is stopped. Reports after each depth.
    Analyse(Subject),
    /// Review a game, each position within the limits. Reports after each position.
    Review(Subject),
    /// The fixed search whose node count is the engine's bench signature.
    Bench,
    /// Clear the hash table, as before a new game.
    Clear,
}

/// A game or a position, and the search limits.
#[derive(Deserialize)]
pub struct Subject {
    /// The first position, as FEN.
    position: String,
    /// The moves since.
    #[serde(default)]
    moves: Vec<String>,
    /// The name of the rule book that decides draws; `american` if left out.
    #[serde(default)]
    rulebook: Option<String>,
    /// The number of best moves wanted (multi-PV).
    #[serde(default)]
    lines: usize,
    /// Node limit.
    #[serde(default)]
    nodes: Option<u64>,
    /// Depth limit in plies.
    #[serde(default)]
    depth: Option<u32>,
    /// Time limit.
    #[serde(default)]
    time_ms: Option<u64>,
}

/// The answers of the worker.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// To `carry_out`: the command for the game.
    Command {
        /// The result of the effect.
        command: Command,
    },
    /// To `analyse`, at the end and in reports.
    Analysis(Analysis),
    /// To `review`.
    Review {
        /// Every move of the game, judged.
        moves: Vec<ReviewedMove>,
        /// The worst mistakes of the game.
        worst: Vec<WorstMove>,
        /// The accuracy of each side in percent.
        accuracy: Accuracy,
    },
    /// To `bench`.
    Bench {
        /// The bench signature.
        nodes: u64,
        /// Time taken.
        seconds: f64,
    },
    /// To `clear`.
    Nothing {},
    /// To the loading of a table file.
    Tables {
        /// All positions with up to this many pieces are covered now.
        pieces: u32,
    },
}

/// The report on a position of a game under review.
#[derive(Serialize)]
pub struct PositionReport<'a> {
    /// The number of moves that led to it.
    ply: usize,
    /// Black's winning chances, 0 to 1.
    black_chances: f64,
    /// The assessment as a sentence.
    sentence: String,
    /// The best line; empty where the game is over.
    pv: &'a [String],
}

/// One of the worst moves of a game.
#[derive(Serialize)]
pub struct WorstMove {
    /// The number of moves up to and including it.
    ply: usize,
    /// `?!`, `?` or `??`.
    glyph: &'static str,
    /// What was wrong with it.
    sentence: String,
}

/// The computer player, with the state that it keeps from one request to the next.
pub struct Thinker {
    computer: Computer,
}

/// The size of the cache for decoded tablebase blocks.
const TABLE_CACHE_BYTES: usize = 16 << 20;

impl Thinker {
    /// A computer with the hash table of the page, and no endgame tables yet.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new() -> Result<Thinker, String> {
        let tables = Tablebase::empty().with_cache(TABLE_CACHE_BYTES);
        let computer = Computer::new(Engine::PAGE_HASH_BYTES, tables).map_err(|error| error.to_string())?;
        Ok(Thinker { computer })
    }

    /// Answers a request. Both are JSON; an error is an object with a sentence under `error`. Reports are JSON too:
    /// like the answer to `analyse`, and one position each for `review`.
    pub fn call(&mut self, request: &str, control: &dyn Control, report: &mut dyn FnMut(&str)) -> String {
        let request = serde_json::from_str(request).map_err(|error| format!("That cannot be read: {error}."));
        written(request.and_then(|request| self.answer(request, control, report)))
    }

    /// Loads an endgame table file and answers as [`call`](Thinker::call) does.
    pub fn load_table(&mut self, file: Vec<u8>) -> String {
        let loaded = self.computer.tables().with(file);
        let loaded = loaded.map_err(|flaw| format!("An endgame table cannot be read: {flaw}."));
        written(loaded.map(|tables| {
            let pieces = tables.max_pieces();
            self.computer.set_tables(tables);
            Answer::Tables { pieces }
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
                let command = self.computer.carry_out(&effect, control).map_err(|error| error.to_string())?;
                Ok(Answer::Command { command })
            }
            Request::Analyse(subject) => {
                let (game, rulebook, limits) = subject.read()?;
                let mut report = |analysis: &Analysis| report(&written(Ok(analysis)));
                let analysis = self.computer.analyse(&game, &rulebook, &limits, control, &mut report);
                Ok(Answer::Analysis(analysis))
            }
            Request::Review(subject) => {
                let (game, rulebook, limits) = subject.read()?;
                let mut report = |position: &ReviewedPosition| {
                    report(&written(Ok(PositionReport::new(position, &rulebook))));
                };
                let review = self.computer.review(&game, &rulebook, &limits, control, &mut report);
                Ok(Answer::review(review, &rulebook))
            }
            Request::Bench => {
                let bench = bench(control).map_err(|error| format!("The bench cannot run: {error}."))?;
                Ok(Answer::Bench { nodes: bench.nodes, seconds: bench.time.as_secs_f64() })
            }
            Request::Clear => {
                self.computer.clear();
                Ok(Answer::Nothing {})
            }
        }
    }
}

impl Subject {
    fn read(&self) -> Result<(History, Rulebook, Limits), String> {
        let unreadable = |error: &dyn core::fmt::Display| format!("That game cannot be: {error}.");
        let start = self.position.parse().map_err(|error| format!("That position cannot be: {error}."))?;
        let mut game = History::new(start);
        for text in &self.moves {
            game.play(text).map_err(|error| unreadable(&error))?;
        }
        let rulebook = match &self.rulebook {
            Some(name) => Rulebook::of(name.parse().map_err(|error| unreadable(&error))?),
            None => Rulebook::default(),
        };
        let time = self.time_ms.map(|millis| TimeLimit::Move(Duration::from_millis(millis)));
        let limits = Limits { nodes: self.nodes, depth: self.depth, time, multi_pv: self.lines };
        Ok((game, rulebook, limits))
    }
}

impl Answer {
    fn review(review: Review, rulebook: &Rulebook) -> Answer {
        let worst = |place: usize| {
            let reviewed = &review.moves[place];
            WorstMove {
                ply: place + 1,
                glyph: reviewed.judgement.map(Judgement::glyph).unwrap_or_default(),
                sentence: reviewed.sentence(&|side| rulebook.colour(side).to_string()),
            }
        };
        let worst = review.worst().into_iter().map(worst).collect();
        Answer::Review { worst, accuracy: review.accuracy(), moves: review.moves }
    }
}

impl PositionReport<'_> {
    fn new<'a>(position: &'a ReviewedPosition, rulebook: &Rulebook) -> PositionReport<'a> {
        PositionReport {
            ply: position.ply,
            black_chances: position.black_chances(),
            sentence: position.sentence(&|side| rulebook.colour(side).to_string()),
            pv: &position.text,
        }
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
        // White can repeat the position for the third time, and is otherwise a king down.
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
        assert_eq!(analyse(&mut thinker), (json!("draw"), json!(0.0)));
    }

    #[test]
    fn a_review_reports_each_position_and_judges_each_move() {
        let request = json!({"method": "review", "position": "W:W32,27,24,22:B20,15,10,7",
            "moves": ["22-17", "7-11", "17-13"], "rulebook": "numbered", "nodes": 20_000});
        let mut reports: Vec<Value> = Vec::new();
        let mut report = |report: &str| reports.push(serde_json::from_str(report).expect("JSON"));
        let answer = Thinker::new().expect("room").call(&request.to_string(), &Timeless, &mut report);
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(
            reports.iter().map(|report| report["ply"].as_u64()).collect::<Vec<_>>(),
            [0, 1, 2, 3].map(Some)
        );
        assert!(reports[0]["black_chances"].as_f64() < Some(0.2), "{reports:?}");
        let ahead = reports[0]["sentence"].as_str();
        assert!(
            ahead.is_some_and(|words| words.starts_with("White is ")),
            "as the rule book calls it: {ahead:?}"
        );
        assert_eq!(reports[0]["pv"][0], "27-23");
        assert_eq!((&answer["worst"][0]["ply"], &answer["worst"][0]["glyph"]), (&json!(1), &json!("??")));
        assert!(
            answer["worst"][0]["sentence"].as_str().is_some_and(|words| words.contains("27-23")),
            "{answer}"
        );
        assert_eq!(answer["moves"].as_array().map(Vec::len), Some(3));
        assert!(answer["accuracy"]["white"].as_f64() < answer["accuracy"]["black"].as_f64(), "{answer}");
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
            json!({"method": "review", "position": "B:W21-32:B1-12", "moves": ["11-15", "1-2"]}),
            json!({"method": "carry_out", "effect": {"type": "stop", "work": "think", "request": 1}}),
            json!({}),
        ] {
            let answer = call(&mut thinker, &request);
            assert!(answer["error"].as_str().is_some_and(|error| error.ends_with('.')), "{answer}");
        }
    }
}
