//! A game with its log and a time that the test sets.

use crownhead_game::{
    Command, Effect, Game, Level, Moment, Player, Record, Refusal, Start, Step, Time, View, Who,
};
use crownhead_rules::RulebookId;

/// A game that keeps its own log and checks after each step that the log gives the same game.
pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) log: Vec<Record>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) now: Time,
}

pub(crate) fn computer(level: u8) -> Player {
    Player::computer(Level::new(level).expect("a level of the test"))
}

/// A person with the first move against the computer.
pub(crate) fn against(level: u8) -> Start {
    Start::new([Player::human(""), computer(level)], 7)
}

/// Two people at one screen.
pub(crate) fn two() -> Start {
    Start::new([Player::human("Anna"), Player::human("Bert")], 7)
}

pub(crate) fn by(rulebook: RulebookId, start: Start) -> Start {
    Start { rulebook, ..start }
}

pub(crate) fn from_fen(fen: &str, start: Start) -> Start {
    Start { position: Some(fen.to_owned()), ..start }
}

pub(crate) fn mv(text: &str) -> Command {
    Command::Move { text: text.to_owned() }
}

impl Table {
    pub(crate) fn new(start: Start) -> Table {
        let now = Time(1_000_000);
        let (game, step) = Game::start(start, now).expect("a game that can be");
        Table { game, log: step.records, effects: step.effects, now }
    }

    pub(crate) fn send(&mut self, who: Who, command: &Command) -> Result<Step, Refusal> {
        self.send_at(who, command, Moment::at(self.now))
    }

    pub(crate) fn send_at(&mut self, who: Who, command: &Command, moment: Moment) -> Result<Step, Refusal> {
        let before = self.game.clone();
        match self.game.handle(who, command, moment) {
            Ok(step) => {
                self.log.extend(step.records.iter().cloned());
                self.effects.clone_from(&step.effects);
                assert_eq!(Game::replay(&self.log).expect("our own log"), self.game);
                Ok(step)
            }
            Err(refusal) => {
                assert_eq!(self.game, before, "a refusal changes nothing");
                Err(refusal)
            }
        }
    }

    /// A command from the screen that is carried out.
    pub(crate) fn screen(&mut self, command: &Command) -> Step {
        self.send(Who::Screen, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
    }

    /// The sentence with which the screen is refused.
    pub(crate) fn refused(&mut self, command: &Command) -> String {
        self.send(Who::Screen, command).expect_err("a refusal").to_string()
    }

    /// Moves from the screen, or from the computer when it is its turn.
    pub(crate) fn play(&mut self, moves: &[&str]) {
        for text in moves {
            match self.request() {
                Some(request) => self.computer(request, text),
                None => self.screen(&mv(text)),
            };
        }
    }

    pub(crate) fn computer(&mut self, request: u32, text: &str) -> Step {
        self.send(Who::House, &Command::ComputerMoved { request, text: text.to_owned() })
            .expect("a legal move of the computer")
    }

    /// The number of the request that the computer thinks about.
    pub(crate) fn request(&self) -> Option<u32> {
        self.game.outstanding().iter().find_map(|effect| match effect {
            Effect::Think { task } => Some(task.request),
            _ => None,
        })
    }

    pub(crate) fn view(&self) -> View {
        self.game.view(Who::Screen, Moment::at(self.now))
    }

    pub(crate) fn fen(&self) -> String {
        self.game.history().position().to_string()
    }

    pub(crate) fn after(&mut self, millis: u64) -> &mut Table {
        self.now = self.now.plus(millis);
        self
    }
}
