//! The computer player: an engine with its endgame tables, for games, analyses and reviews.

use core::time::Duration;
use std::sync::Arc;

use crownhead_engine::{
    ClockState, Control, Engine, EngineError, Level, Limits, Opponent, SearchResult, TimeLimit,
};
use crownhead_game::{Command, Damage, Effect, Task};
use crownhead_rules::{History, Position, Rulebook};
use crownhead_tablebase::Tablebase;

use crate::Analysis;

/// An engine with its endgame tables. Its hash table is kept from one request to the next.
pub struct Computer {
    pub(crate) engine: Engine,
    pub(crate) tables: Tablebase,
}

/// Why the computer cannot carry out an effect, as a sentence for the player.
#[derive(Debug, thiserror::Error)]
pub enum ComputerError {
    /// There is not enough memory for the engine.
    #[error("The computer cannot play: {0}.")]
    Engine(#[from] EngineError),
    /// The effect was not made by a game.
    #[error("The computer cannot read the game: {0}.")]
    Damaged(#[from] Damage),
    /// The game is over.
    #[error("There is no move to think about.")]
    NoMove,
    /// The effect is for the program that runs the game.
    #[error("There is nothing to think about.")]
    NothingToDo,
}

impl Computer {
    /// An engine with one thread, a hash table of this size and these endgame tables.
    ///
    /// # Errors
    /// If there is not enough memory for the hash table.
    pub fn new(hash_bytes: usize, tables: Tablebase) -> Result<Computer, ComputerError> {
        let mut computer = Computer { engine: Engine::new(hash_bytes)?, tables: Tablebase::empty() };
        computer.set_tables(tables);
        Ok(computer)
    }

    /// Searches with this many threads from now on. With more than one, results vary from run to run.
    pub fn set_threads(&mut self, threads: usize) {
        self.engine.set_threads(threads);
    }

    /// Uses these endgame tables from now on.
    pub fn set_tables(&mut self, tables: Tablebase) {
        self.engine.set_tablebase(Some(Arc::new(tables.clone())));
        self.tables = tables;
    }

    /// The endgame tables.
    pub fn tables(&self) -> &Tablebase {
        &self.tables
    }

    /// Clears the hash table, as before a new game.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Carries out an effect of a game and returns the command that answers it.
    ///
    /// # Errors
    /// If the effect is not work for the computer, its game cannot be read, or there is no move to find.
    pub fn carry_out(&mut self, effect: &Effect, control: &dyn Control) -> Result<Command, ComputerError> {
        self.carry_out_with(effect, control, &mut |_, _| {})
    }

    /// The same, with a report after each depth while the computer thinks about its own move.
    ///
    /// # Errors
    /// As for [`carry_out`](Computer::carry_out).
    pub fn carry_out_with_report(
        &mut self,
        effect: &Effect,
        control: &dyn Control,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<Command, ComputerError> {
        let tables = self.tables.clone();
        self.carry_out_with(effect, control, &mut |position, found| {
            report(&Analysis::new(position, found, &tables));
        })
    }

    fn carry_out_with(
        &mut self,
        effect: &Effect,
        control: &dyn Control,
        report: &mut dyn FnMut(&Position, &SearchResult),
    ) -> Result<Command, ComputerError> {
        match effect {
            Effect::Think { task } => {
                let (game, opponent) = (task.history()?, opponent(task));
                let mut report = |found: &SearchResult| report(game.position(), found);
                let choice =
                    self.engine.choose_with_report(&game, &task.rulebook, &opponent, control, &mut report);
                let mv = choice.ok_or(ComputerError::NoMove)?.mv;
                Ok(Command::ComputerMoved { request: task.request, text: mv.to_string() })
            }
            Effect::FindHint { task } => {
                let choice = self.engine.hint(&task.history()?, &task.rulebook, control);
                let mv = choice.ok_or(ComputerError::NoMove)?.mv;
                Ok(Command::HintFound { request: task.request, text: mv.to_string() })
            }
            Effect::JudgeOffer { offer, task } => {
                let game = task.history()?;
                let to_mover = task.side == game.position().side_to_move();
                let answer = self.engine.answer_draw_offer(&game, &task.rulebook, to_mover, control);
                Ok(Command::ComputerAnswered {
                    request: task.request,
                    offer: *offer,
                    accept: answer.accepts(),
                })
            }
            Effect::Adjudicate { task } => Ok(task.adjudicate(|position| self.tables.is_drawn(position))),
            Effect::Stop { .. } | Effect::NewGame { .. } => Err(ComputerError::NothingToDo),
        }
    }

    /// Analyses the current position within the limits, and reports after each depth.
    pub fn analyse(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let position = game.position();
        let tables = &self.tables;
        let mut report = |found: &SearchResult| report(&Analysis::new(position, found, tables));
        let found = self.engine.search(game, rulebook, limits, control, &mut report);
        found.map_or_else(|| Analysis::of_the_end(position), |found| Analysis::new(position, &found, tables))
    }
}

fn opponent(task: &Task) -> Opponent {
    let time = task.clock.map(|clock| {
        TimeLimit::Clock(ClockState {
            remaining: Duration::from_millis(clock.left_ms),
            increment: Duration::from_millis(clock.increment_ms),
            moves: None,
        })
    });
    let level = Level::new(task.level.number()).expect("the game and the engine have the same eight levels");
    Opponent::new(level, task.seed.into(), time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_engine::Timeless;
    use crownhead_game::{Game, Moment, Player, Start, Verdict, Who};
    use crownhead_rules::RulebookId;

    fn computer() -> Computer {
        Computer::new(1 << 20, Tablebase::embedded()).expect("room for a small hash table")
    }

    fn start(players: [Player; 2], position: &str) -> (Game, Vec<Effect>) {
        let mut start = Start::new(players, 5);
        start.position = Some(position.to_owned());
        start.rulebook = RulebookId::Numbered;
        let (game, step) = Game::start(start, crownhead_game::Time(0)).expect("a game");
        (game, step.effects)
    }

    fn handled(game: &mut Game, who: Who, command: &Command) -> Vec<Effect> {
        game.handle(who, command, Moment::at(crownhead_game::Time(1))).expect("the game takes it").effects
    }

    #[test]
    fn every_level_of_the_game_plays_and_tells_what_it_thinks_on_the_way() {
        for level in 1..=7 {
            let player = Player::computer(crownhead_game::Level::new(level).expect("1 to 8"));
            let position = "B:W21-24,27,30-32:B1,4,7,9,11,12,14,16";
            let (mut game, effects) = start([player, Player::human("")], position);
            let mut depths = Vec::new();
            let mut report = |analysis: &Analysis| depths.push(analysis.depth);
            let command =
                computer().carry_out_with_report(&effects[0], &Timeless, &mut report).expect("a move");
            assert_eq!(computer().carry_out(&effects[0], &Timeless).expect("a move"), command);
            handled(&mut game, Who::House, &command);
            assert_eq!(game.history().moves().len(), 1, "level {level}");
            assert!(depths.first() == Some(&1) && depths.is_sorted(), "level {level}: {depths:?}");
        }
    }

    #[test]
    fn a_hint_and_the_answer_to_a_draw_offer_come_back_as_commands() {
        let opponent = Player::computer(crownhead_game::Level::HARDEST);
        // Black is a king up and wins, so the computer declines the draw.
        let (mut game, _) = start([opponent, Player::human("")], "W:WK32:BK14,K19");
        let effects = handled(&mut game, Who::Screen, &Command::OfferDraw);
        let answer = computer().carry_out(&effects[0], &Timeless).expect("an answer");
        assert!(matches!(answer, Command::ComputerAnswered { accept: false, .. }), "{answer:?}");
        let (mut game, _) = start([Player::human(""), Player::human("")], "B:WK32:BK14,K19");
        let effects = handled(&mut game, Who::Screen, &Command::Hint);
        let hint = computer().carry_out(&effects[0], &Timeless).expect("a hint");
        assert!(matches!(hint, Command::HintFound { .. }), "{hint:?}");
    }

    #[test]
    fn a_claim_is_adjudicated_by_the_tables() {
        for (fen, verdict) in [
            ("B:WK4:BK1", Verdict::Draw),
            ("B:WK32:BK14,K19", Verdict::NoDraw),
            ("B:W21-32:B1-12", Verdict::Unknown),
        ] {
            let (mut game, _) = start([Player::human(""), Player::human("")], fen);
            let effects = handled(&mut game, Who::Screen, &Command::ClaimDraw);
            let command = computer().carry_out(&effects[0], &Timeless).expect("a verdict");
            let Command::Adjudicated { verdict: found, .. } = command else { panic!("{command:?}") };
            assert_eq!(found, verdict, "{fen}");
        }
    }

    #[test]
    fn what_cannot_be_done_is_a_sentence() {
        let stop = Effect::Stop { work: crownhead_game::Work::Think, request: 1 };
        let error = computer().carry_out(&stop, &Timeless).expect_err("nothing to do");
        assert_eq!(error.to_string(), "There is nothing to think about.");
        let player = Player::computer(crownhead_game::Level::HARDEST);
        let (_, mut effects) = start([player, Player::human("")], "B:WK32:BK14,K19");
        let Effect::Think { task } = &mut effects[0] else { panic!("{effects:?}") };
        task.moves.push("1-2".to_owned());
        let error = computer().carry_out(&effects[0], &Timeless).expect_err("a damaged game");
        assert!(error.to_string().starts_with("The computer cannot read the game: "), "{error}");
    }
}
