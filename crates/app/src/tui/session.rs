//! A running game: its state, its file on disk and the computer opponent.

use std::time::{SystemTime, UNIX_EPOCH};

use crownhead_game::{Command, Effect, Event, Game, Moment, Record, Refusal, Start, Step, Time, View, Who};

use super::saved_games::{Kept, SavedGames, Unfinished, can_go_on};
use super::thinker::Thinker;

/// The current time.
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A game in play.
pub(crate) struct Session {
    game: Game,
    log: Vec<Record>,
    saved_games: SavedGames,
    kept: Option<Kept>,
    thinker: Thinker,
    /// Why the game could not be saved, until it has been shown.
    trouble: Option<String>,
    /// The game that was agreed on after this one.
    next: Option<Start>,
}

impl Session {
    /// Starts a game.
    ///
    /// # Errors
    /// If `start` does not describe a possible game.
    pub(crate) fn start(
        start: Start,
        saved_games: SavedGames,
        thinker: Thinker,
        now: Time,
    ) -> Result<Session, Refusal> {
        let (game, step) = Game::start(start, now)?;
        thinker.forget();
        let mut session =
            Session { game, log: Vec::new(), saved_games, kept: None, thinker, trouble: None, next: None };
        session.follow(step);
        Ok(session)
    }

    /// Resumes a game. The time in between is charged to neither clock.
    pub(crate) fn resume(found: Unfinished, saved_games: SavedGames, thinker: Thinker, now: Time) -> Session {
        let Unfinished { kept, log, game, alive } = found;
        thinker.forget();
        let mut session =
            Session { game, log, saved_games, kept: Some(kept), thinker, trouble: None, next: None };
        let interrupted = Command::Interrupted { since: alive };
        session.command(&interrupted, now).expect("a game takes the report that it was interrupted");
        session.follow(Step { records: Vec::new(), effects: session.game.outstanding() });
        session
    }

    /// Passes a command of a player or a report of the computer to the game.
    ///
    /// # Errors
    /// If the game rejects it; then nothing has changed.
    pub(crate) fn command(&mut self, command: &Command, now: Time) -> Result<Vec<Event>, Refusal> {
        let who = if command.is_report() { Who::House } else { Who::Screen };
        let step = self.game.handle(who, command, Moment::at(now))?;
        let events = step.records.iter().map(|record| record.event.clone()).collect();
        self.follow(step);
        Ok(events)
    }

    /// Saves the records of a step and carries out its effects.
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

    /// Saves a game from its first move on; before that there is nothing to lose.
    fn save(&mut self, records: &[Record]) -> std::io::Result<()> {
        self.log.extend_from_slice(records);
        if let Some(kept) = &mut self.kept {
            return kept.catch_up(&self.log);
        }
        if self.log.iter().any(|record| matches!(record.event, Event::Moved { .. })) && !records.is_empty() {
            self.kept = Some(self.saved_games.keep(&self.log)?);
        }
        Ok(())
    }

    /// Takes the game that was agreed on after this one.
    pub(crate) fn take_next(&mut self) -> Option<Start> {
        self.next.take()
    }

    /// Takes the reason why the game could not be saved.
    pub(crate) fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn view(&self, now: Time) -> View {
        self.game.view(Who::Screen, Moment::at(now))
    }

    /// The view of the game after this many moves.
    pub(crate) fn view_at(&self, now: Time, plies: usize) -> View {
        self.game.view_at(Who::Screen, Moment::at(now), plies)
    }

    /// Records that the program is still running: a resumed game charges its clock up to this time.
    pub(crate) fn touch(&self) {
        if let Some(kept) = self.kept.as_ref().filter(|_| self.game.wake_at().is_some()) {
            kept.touch();
        }
    }

    /// Closes the game. Its file stays if the game can be resumed.
    pub(crate) fn close(mut self) {
        self.thinker.stop_all();
        if let Some(kept) = self.kept.take().filter(|_| !can_go_on(&self.game)) {
            kept.throw_away();
        }
    }
}
