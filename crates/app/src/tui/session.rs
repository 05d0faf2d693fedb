//! One game under way: the game itself, its file and the computer that answers.

use std::time::{SystemTime, UNIX_EPOCH};

use crownhead_game::{Command, Effect, Event, Game, Moment, Record, Refusal, Start, Step, Time, View, Who};

use super::shelf::{Kept, Shelf, Unfinished, can_go_on};
use super::thinker::Thinker;

/// The time now.
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A game that is being played here.
pub(crate) struct Session {
    game: Game,
    log: Vec<Record>,
    shelf: Shelf,
    kept: Option<Kept>,
    thinker: Thinker,
    /// Why the game is not kept, until somebody has been told.
    trouble: Option<String>,
    /// The game that was agreed on after this one.
    next: Option<Start>,
}

impl Session {
    /// Begins a game.
    ///
    /// # Errors
    /// If there cannot be such a game.
    pub(crate) fn start(start: Start, shelf: Shelf, thinker: Thinker, now: Time) -> Result<Session, Refusal> {
        let (game, step) = Game::start(start, now)?;
        thinker.forget();
        let mut session =
            Session { game, log: Vec::new(), shelf, kept: None, thinker, trouble: None, next: None };
        session.follow(step);
        Ok(session)
    }

    /// Goes on with a game. Nobody's clock pays for the time in between.
    pub(crate) fn resume(found: Unfinished, shelf: Shelf, thinker: Thinker, now: Time) -> Session {
        let Unfinished { kept, log, game, alive } = found;
        thinker.forget();
        let mut session = Session { game, log, shelf, kept: Some(kept), thinker, trouble: None, next: None };
        let interrupted = Command::Interrupted { since: alive };
        session.command(&interrupted, now).expect("a game takes the report that it was interrupted");
        session.follow(Step { records: Vec::new(), effects: session.game.outstanding() });
        session
    }

    /// Gives a command of the players, or a report of the computer, to the game.
    ///
    /// # Errors
    /// If the game refuses it; then nothing has changed.
    pub(crate) fn command(&mut self, command: &Command, now: Time) -> Result<Vec<Event>, Refusal> {
        let who = if command.is_report() { Who::House } else { Who::Screen };
        let step = self.game.handle(who, command, Moment::at(now))?;
        let events = step.records.iter().map(|record| record.event.clone()).collect();
        self.follow(step);
        Ok(events)
    }

    /// Keeps what happened and sees to what is to be done.
    fn follow(&mut self, step: Step) {
        if let Err(error) = self.save(&step.records) {
            self.trouble = Some(format!("This game cannot be kept: {error}."));
        }
        for effect in step.effects {
            match effect {
                Effect::NewGame { start } => self.next = Some(*start),
                effect => self.thinker.carry_out(effect),
            }
        }
    }

    /// A game is kept from its first move on: before there is nothing to lose.
    fn save(&mut self, records: &[Record]) -> std::io::Result<()> {
        self.log.extend_from_slice(records);
        if let Some(kept) = &mut self.kept {
            return kept.catch_up(&self.log);
        }
        if self.log.iter().any(|record| matches!(record.event, Event::Moved { .. })) && !records.is_empty() {
            self.kept = Some(self.shelf.keep(&self.log)?);
        }
        Ok(())
    }

    /// The game that was agreed on after this one, once.
    pub(crate) fn take_next(&mut self) -> Option<Start> {
        self.next.take()
    }

    /// Why the game is not kept, once.
    pub(crate) fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn view(&self, now: Time) -> View {
        self.game.view(Who::Screen, Moment::at(now))
    }

    /// The game as it was after so many moves.
    pub(crate) fn view_at(&self, now: Time, plies: usize) -> View {
        self.game.view_at(Who::Screen, Moment::at(now), plies)
    }

    /// Notes that the game is being played, for the clocks.
    pub(crate) fn touch(&self) {
        if let Some(kept) = self.kept.as_ref().filter(|_| self.game.wake_at().is_some()) {
            kept.touch();
        }
    }

    /// Leaves the game. It stays on the shelf unless there is nothing to go on with.
    pub(crate) fn close(mut self) {
        self.thinker.stop_all();
        if let Some(kept) = self.kept.take().filter(|_| !can_go_on(&self.game)) {
            kept.throw_away();
        }
    }
}
