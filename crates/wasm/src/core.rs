//! The core module for the main thread: the open games and the catalogue of the page, behind JSON requests.

mod messages;

use std::collections::BTreeMap;

use crownhead_game::{
    Catalogue, Command, Game, LogError, Moment, PieceView, Record, Step, Who, clock_text, recorded_log,
};
use crownhead_rules::{Position, Rank, Square};

use crate::{file, written};
pub use messages::{Answer, Log, NewGame, Request, Saved};

/// The open games.
#[derive(Default)]
pub struct Core {
    games: BTreeMap<u32, Game>,
}

impl Core {
    /// Answers a request. Both are JSON; an error is an object with a sentence under `error`.
    pub fn call(&mut self, request: &str) -> String {
        let request = serde_json::from_str(request).map_err(|error| format!("That cannot be read: {error}."));
        written(request.and_then(|request| self.answer(request)))
    }

    /// Answers a request.
    ///
    /// # Errors
    /// If there is no such game, or a log or a position cannot be read.
    pub fn answer(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Catalog => Ok(Answer::Catalog(Catalogue::new())),
            Request::Terms { start } => Ok(Answer::Text { text: start.terms() }),
            Request::ClockText { left_ms } => Ok(Answer::Text { text: clock_text(left_ms) }),
            Request::Start(NewGame { game, start, who, moment, .. }) => {
                let (opened, step) = Game::start(start, moment.now).map_err(|refusal| refusal.to_string())?;
                Ok(self.open(game, opened, who, moment, step))
            }
            Request::Study(NewGame { game, start, moves, who, moment }) => {
                let position = start.position.unwrap_or_else(|| Position::start().to_string());
                let records = recorded_log(start.rulebook, start.players, position, moves, moment.now);
                let opened = Game::replay(&records).map_err(|error| unreadable(&error))?;
                Ok(self.open(game, opened, who, moment, Step { records, effects: Vec::new() }))
            }
            Request::Replay(Log { game, snapshot, records, who, moment }) => {
                let opened = match snapshot {
                    Some(snapshot) => Game::restore(&snapshot).and_then(|game| absorbed(game, &records)),
                    None => Game::replay(&records),
                };
                let opened = opened.map_err(|error| unreadable(&error))?;
                let effects = opened.outstanding();
                Ok(self.open(game, opened, who, moment, Step { records: Vec::new(), effects }))
            }
            Request::Absorb(Log { game, records, who, moment, .. }) => {
                let next = absorbed(self.game(game)?.clone(), &records);
                let next = next.map_err(|error| unreadable(&error))?;
                let effects = next.outstanding();
                Ok(self.open(game, next, who, moment, Step { records: Vec::new(), effects }))
            }
            Request::Command { game, command, who, moment } => {
                let game = self.game(game)?;
                Ok(carried_out(game, &command, who, moment))
            }
            Request::View { game, commands, who, moment, plies } => {
                let (game, refusal) = self.game(game)?.preview(who, &commands, moment);
                let view = Box::new(game.view_at(who, moment, plies.unwrap_or(usize::MAX)));
                let refusal = refusal.map(|refusal| refusal.to_string());
                Ok(Answer::Game { view, records: Vec::new(), effects: Vec::new(), refusal })
            }
            Request::Close(Saved { game, .. }) => {
                self.games.remove(&game);
                Ok(Answer::Nothing {})
            }
            Request::Position { fen } => read_position(&fen),
            Request::WritePdn(Saved { game, date }) => {
                Ok(Answer::Text { text: self.game(game)?.to_pdn(date.as_deref()).to_string() })
            }
            Request::ReadPdn { text } => Ok(Answer::Games { games: file::read(&text)? }),
        }
    }

    /// Stores a game under its number and answers with its view.
    fn open(&mut self, number: u32, game: Game, who: Who, moment: Moment, step: Step) -> Answer {
        let view = Box::new(game.view(who, moment));
        self.games.insert(number, game);
        Answer::Game { view, records: step.records, effects: step.effects, refusal: None }
    }

    fn game(&mut self, number: u32) -> Result<&mut Game, String> {
        self.games.get_mut(&number).ok_or_else(|| format!("There is no game {number} open."))
    }
}

fn unreadable(error: &LogError) -> String {
    format!("This game cannot be read: {error}.")
}

/// The game after applying further records.
fn absorbed(mut game: Game, records: &[Record]) -> Result<Game, LogError> {
    records.iter().try_for_each(|record| game.absorb(record))?;
    Ok(game)
}

fn carried_out(game: &mut Game, command: &Command, who: Who, moment: Moment) -> Answer {
    let hand = if command.is_report() { Who::House } else { who };
    let (step, refusal) = match game.handle(hand, command, moment) {
        Ok(step) => (step, None),
        Err(refusal) => (Step::default(), Some(refusal.to_string())),
    };
    let view = Box::new(game.view(who, moment));
    Answer::Game { view, records: step.records, effects: step.effects, refusal }
}

fn read_position(fen: &str) -> Result<Answer, String> {
    let position: Position = fen.parse().map_err(|error| format!("That position cannot be: {error}."))?;
    let piece = |square: Square| {
        let piece = position.piece_at(square)?;
        let (king, square) = (piece.rank == Rank::King, square.number());
        Some(PieceView { square, side: piece.side, king, why_not: None })
    };
    let pieces = Square::all().filter_map(piece).collect();
    Ok(Answer::Position { fen: position.to_string(), pieces, playable: position.has_move() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn call(core: &mut Core, request: &Value) -> Value {
        serde_json::from_str(&core.call(&request.to_string())).expect("answers are JSON")
    }

    fn started(core: &mut Core) -> Value {
        let players = json!([{"kind": "human"}, {"kind": "computer", "level": 3, "name": "Casual"}]);
        let start = json!({"players": players, "seed": 1});
        call(
            core,
            &json!({"method": "start", "game": 1, "start": start, "who": "screen", "moment": {"now": 5}}),
        )
    }

    /// The request of a player at the screen.
    fn looked_at(mut request: Value) -> Value {
        request["who"] = json!("screen");
        request["moment"] = json!({"now": 9});
        request
    }

    fn command(core: &mut Core, command: &Value) -> Value {
        let moment = json!({"now": 9});
        call(
            core,
            &json!({"method": "command", "game": 1, "command": command, "who": "screen", "moment": moment}),
        )
    }

    #[test]
    fn a_game_is_played_and_read_back() {
        let mut core = Core::default();
        let mut log = started(&mut core)["records"].as_array().expect("records").clone();
        let moved = command(&mut core, &json!({"type": "move", "move": "11-15"}));
        log.extend(moved["records"].as_array().expect("records").clone());
        let request = &moved["effects"][0]["request"];
        let answer = json!({"type": "computer_moved", "request": request, "move": "22-18"});
        let answered = command(&mut core, &answer);
        assert_eq!(answered["view"]["status"], "You must jump: 15.");
        log.extend(answered["records"].as_array().expect("records").clone());
        let replay =
            json!({"method": "replay", "game": 2, "records": log, "who": "screen", "moment": {"now": 9}});
        assert_eq!(call(&mut core, &replay)["view"], answered["view"]);
    }

    #[test]
    fn a_game_goes_on_from_a_snapshot_and_the_records_after_it() {
        let mut core = Core::default();
        let start = json!({"players": [{"kind": "human"}, {"kind": "human"}], "seed": 1});
        let log = call(&mut core, &looked_at(json!({"method": "start", "game": 1, "start": start})));
        let records: Vec<Record> = serde_json::from_value(log["records"].clone()).expect("records");
        let snapshot = Game::replay(&records).expect("a game").snapshot();
        let moved = command(&mut core, &json!({"type": "move", "move": "11-15"}));
        let restore =
            json!({"method": "replay", "game": 2, "snapshot": snapshot, "records": moved["records"]});
        assert_eq!(call(&mut core, &looked_at(restore))["view"], moved["view"]);
        let mut damaged = serde_json::to_value(&snapshot).expect("JSON");
        damaged["seq"] = json!(0);
        let restore = json!({"method": "replay", "game": 3, "snapshot": damaged});
        assert_eq!(
            call(&mut core, &looked_at(restore))["error"],
            "This game cannot be read: the snapshot is damaged: the number of records does not fit the moves."
        );
    }

    #[test]
    fn a_refused_command_says_why_and_shows_the_game() {
        let mut core = Core::default();
        started(&mut core);
        let refused = command(&mut core, &json!({"type": "move", "move": "11-8"}));
        assert_eq!(refused["refusal"], "Square 8 is taken.");
        assert_eq!(refused["view"]["status"], "Your move.");
    }

    #[test]
    fn what_cannot_be_read_is_answered_in_words() {
        let mut core = Core::default();
        for request in [
            "",
            "{",
            "[]",
            r#"{"method":"dance"}"#,
            r#"{"method":"view","game":1,"who":"screen","moment":{"now":0}}"#,
        ] {
            let answer: Value = serde_json::from_str(&core.call(request)).expect("JSON");
            assert!(
                answer["error"].as_str().is_some_and(|error| error.ends_with('.')),
                "{request}: {answer}"
            );
        }
        let fen = json!({"method": "position", "fen": "B:W1:B32"});
        assert_eq!(
            call(&mut core, &fen)["error"],
            "That position cannot be: Black has a man on 32, where it would have become a king."
        );
    }

    #[test]
    fn a_game_goes_out_as_pdn_and_comes_back() {
        let mut core = Core::default();
        started(&mut core);
        command(&mut core, &json!({"type": "move", "move": "11-15"}));
        command(&mut core, &json!({"type": "resign"}));
        let written = call(&mut core, &json!({"method": "write_pdn", "game": 1, "date": "2026.02.28"}));
        let text = written["text"].as_str().expect("a file");
        assert!(text.contains("[Black \"Black\"]") && text.contains("[White \"Casual\"]"), "{text}");
        let read = call(&mut core, &json!({"method": "read_pdn", "text": text}));
        let game = &read["games"][0];
        assert_eq!((&game["result"], &game["plies"][0]["move"]), (&json!("0-1"), &json!("11-15")));
        assert_eq!(game["date"], "2026.02.28");
        assert_eq!((&game["warnings"], &game["rulebook"]), (&json!([]), &json!("american")));
        let noted = text.replace("Crownhead, American", "Crownhead, Numbered");
        let read = call(&mut core, &json!({"method": "read_pdn", "text": noted}));
        assert_eq!(read["games"][0]["rulebook"], "numbered");
    }

    #[test]
    fn a_game_that_is_studied_goes_on_where_a_draw_would_have_ended_it() {
        let round = ["1-6", "32-27", "6-1", "27-32"];
        let moves: Vec<&str> = round.iter().copied().cycle().take(16).collect();
        // These rules draw the colours, but the file says which player had which.
        for seed in 1..5 {
            let players = json!([{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]);
            let start =
                json!({"rulebook": "light", "players": players, "position": "B:WK32:BK1", "seed": seed});
            let study = json!({"method": "study", "game": 1, "start": start, "moves": moves});
            let answer = call(&mut Core::default(), &looked_at(study));
            assert_eq!(answer["view"]["list"].as_array().map(Vec::len), Some(16), "{answer}");
            assert_eq!(answer["view"]["players"]["black"]["name"], "Ann");
            assert_eq!(answer["records"].as_array().map(Vec::len), Some(17));
        }
        let start = json!({"players": [{"kind": "human"}, {"kind": "human"}], "seed": 1});
        let wrong = json!({"method": "study", "game": 1, "start": start, "moves": ["11-15", "1-5"]});
        let error = call(&mut Core::default(), &looked_at(wrong))["error"].clone();
        assert!(error.as_str().is_some_and(|error| error.starts_with("This game cannot be read")), "{error}");
    }

    #[test]
    fn a_text_without_games_is_refused_in_words() {
        let answer = call(&mut Core::default(), &json!({"method": "read_pdn", "text": "Dear Sir"}));
        assert!(answer["error"].as_str().is_some_and(|error| error.ends_with('.')), "{answer}");
    }

    #[test]
    fn the_catalog_has_five_rule_books_eight_levels_and_the_openings() {
        let catalog = call(&mut Core::default(), &json!({"method": "catalog"}));
        let count = |key: &str| catalog[key].as_array().map(Vec::len);
        assert_eq!([count("rulebooks"), count("levels"), count("openings")], [Some(5), Some(8), Some(174)]);
        assert_eq!(catalog["rulebooks"][1]["black"], "yellow");
    }
}
