//! The game screen: handles the players' input and the computer's answers.

mod animation;
mod cursor;
mod draw;
mod mouse;
mod picture;
mod question;

use crownhead_game::{Command, Event, Selection, Start, Time, Touch, View};
use crownhead_rules::Side;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

pub(crate) use self::draw::draw_too_small;
pub(crate) use self::picture::resting;

use self::animation::Animation;
use self::cursor::Cursor;
use self::mouse::Places;
use self::question::{Question, Topic};
use super::keys::{Action, action};
use super::pdn_file;
use super::scene::Figure;
use super::session::Session;
use super::thinker::Thought;

/// The shortest time between the player's move and the computer's, so that the eye can follow.
const LEAST_THINKING_MS: u64 = 350;
/// The interval at which the program records that it is still running.
const TOUCH_MS: u64 = 5_000;
/// The most characters of a typed move; no move is longer.
const MAX_ENTRY_CHARS: usize = 40;

/// The suggested name of a PDN file, in the current folder.
const SUGGESTED_FILE: &str = "crownhead.pdn";

/// The display settings of the game screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "switches are independent of each other")]
pub(crate) struct Settings {
    pub(crate) animation: bool,
    pub(crate) numbers: bool,
    /// Is the board flipped?
    pub(crate) flipped: bool,
    /// Is the computer's best line shown while it thinks?
    pub(crate) thoughts: bool,
}

/// Why the player leaves the game screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    Quit,
    /// To set up another game.
    Setup,
    /// To play this game.
    Play(Box<Start>),
}

/// The game screen with its session, input state and animation.
pub(crate) struct GameScreen {
    session: Session,
    settings: Settings,
    selection: Selection,
    cursor: Cursor,
    /// The move being typed.
    entry: String,
    /// The file name being typed.
    file_name: Option<String>,
    message: Option<String>,
    /// The number of moves on the board while looking back.
    looking: Option<usize>,
    animation: Option<Animation>,
    /// The computer's move and the time at which to show it.
    held_back: Option<(Time, Command)>,
    /// When the game last changed.
    changed: Time,
    /// The computer's current principal variation.
    thought: Option<String>,
    question: Option<Question>,
    leave: Option<Leave>,
    places: Places,
    touched: Time,
}

impl GameScreen {
    pub(crate) fn new(session: Session, settings: Settings, now: Time) -> GameScreen {
        let mut screen = GameScreen {
            cursor: Cursor::on(&session.view(now)),
            session,
            settings,
            selection: Selection::default(),
            entry: String::new(),
            file_name: None,
            message: None,
            looking: None,
            animation: None,
            held_back: None,
            changed: now,
            thought: None,
            question: None,
            leave: None,
            places: Places::default(),
            touched: now,
        };
        screen.ask_what_is_offered(now);
        screen
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Shows a message that is not about the game.
    pub(crate) fn say(&mut self, message: String) {
        self.message = Some(message);
    }

    /// Closes the game.
    pub(crate) fn close(self) {
        self.session.close();
    }

    /// Takes the player's request to leave the game screen, if there is one.
    pub(crate) fn take_leave(&mut self) -> Option<Leave> {
        self.leave.take()
    }

    pub(crate) fn key(&mut self, key: KeyEvent, now: Time) {
        if self.file_name.is_some() {
            self.edit_file_name(key);
        } else if let Some(question) = self.question.take_if(|question| question.takes(key)) {
            self.answer_by_key(question, key, now);
        } else if let Some(action) = action(key, !self.entry.is_empty()) {
            self.act(action, now);
        }
    }

    /// Handles pasted text as a typed move.
    pub(crate) fn paste(&mut self, text: &str) {
        let target = self.file_name.as_mut().unwrap_or(&mut self.entry);
        target.extend(text.trim().chars().filter(|letter| !letter.is_control()).take(MAX_ENTRY_CHARS));
    }

    /// Handles a message from the computer's thread.
    pub(crate) fn hear(&mut self, thought: Thought, now: Time) {
        match thought {
            Thought::Line(line) => self.thought = Some(line),
            Thought::Failed(why) => self.message = Some(why),
            Thought::Answer(command @ Command::ComputerMoved { .. }) if self.settings.animation => {
                let arrived = self.animation.as_ref().map_or(now, Animation::end);
                let due = self.changed.plus(LEAST_THINKING_MS).max(arrived);
                self.held_back = Some((due, command));
            }
            Thought::Answer(command) => self.give(&command, now),
        }
    }

    /// Advances animations, clocks and pending moves.
    pub(crate) fn tick(&mut self, now: Time) {
        if self.animation.as_ref().is_some_and(|animation| now >= animation.end()) {
            self.animation = None;
        }
        if let Some((_, command)) = self.held_back.take_if(|(due, _)| now >= *due) {
            self.give(&command, now);
        }
        if self.session.game().wake_at().is_some_and(|at| now >= at) {
            self.give(&Command::Tick, now);
        }
        if now.since(self.touched) >= TOUCH_MS {
            self.session.touch();
            self.touched = now;
        }
    }

    pub(crate) fn act(&mut self, action: Action, now: Time) {
        self.message = None;
        let view = self.session.view(now);
        match action {
            Action::Go(arrow) => self.cursor.go(arrow, self.bottom(&view)),
            Action::NextPiece | Action::PreviousPiece => {
                let squares = self.ways(&view);
                self.cursor.hop(&squares, self.bottom(&view), action == Action::NextPiece);
            }
            Action::Enter if !self.entry.is_empty() => {
                let text = std::mem::take(&mut self.entry);
                self.give(&Command::Move { text }, now);
            }
            Action::Enter if self.looking.is_some() => self.looking = None,
            Action::Enter => {
                self.cursor.show();
                self.choose(self.cursor.square().number(), now);
            }
            Action::Cancel => self.cancel(now),
            Action::Type(letter) if self.entry.len() < MAX_ENTRY_CHARS => self.entry.push(letter),
            Action::Erase => drop(self.entry.pop()),
            Action::Undo => self.give(&Command::Undo, now),
            Action::Redo => self.give(&Command::Redo, now),
            Action::Hint => self.give(&Command::Hint, now),
            Action::OfferDraw => self.give(&Command::OfferDraw, now),
            Action::ClaimDraw => self.give(&Command::ClaimDraw, now),
            Action::Abandon => self.give(&Command::Abandon, now),
            Action::Resign => match view.buttons.resign.why_not {
                Some(why) => self.message = Some(why),
                None => self.ask(Topic::Resign, view.buttons.resign.confirm),
            },
            Action::NewGame if view.outcome.is_some() => self.give(&Command::Rematch, now),
            Action::NewGame => self.leave_for(Topic::NewGame, &view),
            Action::Setup => self.leave_for(Topic::Setup, &view),
            Action::Flip => self.settings.flipped = !self.settings.flipped,
            Action::Numbers => self.settings.numbers = !self.settings.numbers,
            Action::Thoughts => self.settings.thoughts = !self.settings.thoughts,
            Action::Save => self.file_name = Some(SUGGESTED_FILE.to_owned()),
            Action::Back | Action::Forward | Action::First | Action::Last => self.look(action, &view),
            Action::Quit => self.leave = Some(Leave::Quit),
            Action::Type(_) | Action::PlayFromHere | Action::Help | Action::Suspend | Action::Redraw => {}
        }
    }

    /// Passes a command to the game, or shows why the game rejects it.
    fn give(&mut self, command: &Command, now: Time) {
        let before = self.session.view(now);
        match self.session.command(command, now) {
            Ok(events) => self.follow(&events, &before, now),
            Err(refusal) => self.message = Some(refusal.to_string()),
        }
        if let Some(trouble) = self.session.take_trouble() {
            self.message = Some(trouble);
        }
        if let Some(start) = self.session.take_next() {
            self.leave = Some(Leave::Play(Box::new(start)));
        }
    }

    /// Updates the screen after events.
    fn follow(&mut self, events: &[Event], before: &View, now: Time) {
        if events.is_empty() {
            return;
        }
        for event in events {
            match event {
                Event::Moved { .. } => self.animate(before, now),
                Event::TakenBack { .. } | Event::Redone { .. } => {
                    self.animation = None;
                    self.question = None;
                }
                Event::Ended { .. } => self.ask_what_next(now),
                _ => continue,
            }
            self.changed = now;
            self.held_back = None;
            self.thought = None;
            self.looking = None;
            self.entry.clear();
            self.selection.clear();
        }
        self.ask_what_is_offered(now);
    }

    fn animate(&mut self, before: &View, now: Time) {
        let view = self.session.view(now);
        let Some(last) = view.last_move.as_ref().filter(|_| self.settings.animation) else { return };
        let from = last.mv.path.first();
        let piece = before.pieces.iter().find(|piece| Some(&piece.square) == from);
        let seen = if before.your_turn { self.selection.landings() } else { 0 };
        self.animation = piece
            .map(|piece| Animation::new(&last.mv, Figure { side: piece.side, king: piece.king }, seen, now));
    }

    /// Chooses a square of the board.
    fn choose(&mut self, square: u8, now: Time) {
        if self.looking.take().is_some() {
            return;
        }
        let view = self.session.view(now);
        self.message = None;
        match self.selection.touch(&view, square) {
            Touch::Changed => self.animation = None,
            Touch::Nothing => {}
            Touch::Refused(why) => self.message = Some(why),
            Touch::Complete(text) | Touch::Illegal(text) => self.give(&Command::Move { text }, now),
        }
    }

    fn cancel(&mut self, now: Time) {
        if !self.entry.is_empty() {
            self.entry.clear();
        } else if self.looking.is_some() {
            self.looking = None;
        } else if let Some(why) = self.selection.cancel(&self.session.view(now)) {
            self.message = Some(why);
        }
    }

    /// Looks back at earlier positions, or forward again.
    fn look(&mut self, action: Action, view: &View) {
        let end = view.list.len();
        let at = self.looking.unwrap_or(end);
        let at = match action {
            Action::Back => at.saturating_sub(1),
            Action::Forward => at + 1,
            Action::First => 0,
            _ => end,
        };
        self.look_at(at, end);
    }

    fn look_at(&mut self, plies: usize, end: usize) {
        self.animation = None;
        self.looking = (plies < end && self.selection.landings() == 0).then_some(plies);
    }

    fn leave_for(&mut self, topic: Topic, view: &View) {
        match &view.buttons.new_game.confirm {
            Some(question) => self.ask(topic, Some(question.clone())),
            None => self.leave = Some(Leave::Setup),
        }
    }

    fn edit_file_name(&mut self, key: KeyEvent) {
        let Some(name) = &mut self.file_name else { return };
        match key.code {
            KeyCode::Esc => self.file_name = None,
            KeyCode::Backspace => drop(name.pop()),
            KeyCode::Char(letter) => name.push(letter),
            KeyCode::Enter => {
                let saved = pdn_file::save(self.session.game(), name.as_ref());
                self.message = Some(saved.unwrap_or_else(|why| why));
                self.file_name = None;
            }
            _ => {}
        }
    }

    /// The game as it is on the screen now.
    fn view(&self, now: Time) -> View {
        match self.looking {
            Some(plies) => self.session.view_at(now, plies),
            None => self.session.view(now),
        }
    }

    fn bottom(&self, view: &View) -> Side {
        if self.settings.flipped { !view.bottom } else { view.bottom }
    }

    /// The stops of the Tab key: the movable pieces, or the destinations of the selected piece.
    fn ways(&self, view: &View) -> Vec<u8> {
        match self.selection.state(view) {
            Some(state) => state.targets.iter().map(|target| target.square).collect(),
            None => view.moves.iter().map(|piece| piece.from).collect(),
        }
    }

    /// The clickable hints and their areas when last drawn.
    pub(crate) fn places(&self) -> &[(Rect, Action)] {
        &self.places.actions
    }
}
