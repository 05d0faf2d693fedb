//! The state of the terminal interface: which screen is open, and the transitions between screens.

use anyhow::bail;
use crownhead_game::{Start, Time};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::choices;
use super::dialog::Dialog;
use super::game_screen::{GameScreen, Leave, Settings};
use super::help;
use super::keys::{Action, action};
use super::layout::Layout;
use super::look::Look;
use super::options::{NOTHING_TO_RESUME, Options};
use super::pdn_file;
use super::recorded::Recorded;
use super::saved_games::{SavedGames, Unfinished};
use super::session::Session;
use super::setup::{Chosen, Setup};
use super::thinker::{Thinker, Thought};
use super::viewer::{Seen, Viewer};
use super::words;

/// An event for the screens.
#[derive(Debug)]
pub(crate) enum Message {
    Input(Event),
    Thought(Thought),
    /// A signal or the end of input asks the program to end.
    End,
}

/// What the event loop does next besides drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    GoOn,
    /// Redraw everything.
    Redraw,
    /// Suspend the program (Ctrl-Z) until the shell resumes it.
    Suspend,
    Quit,
}

/// All screens.
pub(crate) struct App {
    screen: Screen,
    options: Options,
    settings: Settings,
    look: Look,
    saved_games: SavedGames,
    thinker: Thinker,
    /// An unfinished game that is offered first.
    offer: Option<Offer>,
    /// The scroll position of the help, if it is open.
    help: Option<usize>,
    /// The height of the screen when it was last drawn.
    height: u16,
    seeds: u32,
}

enum Screen {
    Setup(Box<Setup>),
    Game(Box<GameScreen>),
    Viewer(Box<Viewer>),
}

/// An unfinished game that may be resumed.
struct Offer {
    found: Unfinished,
    text: String,
    focus: usize,
    answers: Vec<Rect>,
}

const OFFER_ANSWERS: [&str; 3] = ["Go on", "Not now", "Throw it away"];

impl App {
    /// Opens the first screen, chosen by the options.
    ///
    /// # Errors
    /// If a file cannot be read, or the options do not describe a possible game.
    pub(crate) fn new(options: Options, look: Look, thinker: Thinker, now: Time) -> anyhow::Result<App> {
        let saved_games = SavedGames::in_folder(&options.data);
        let settings = Settings {
            animation: options.animation,
            numbers: options.numbers,
            flipped: options.flipped,
            thoughts: false,
        };
        let seeds = options.start.seed;
        let start = if options.is_chosen {
            options.start.clone()
        } else {
            let remembered = choices::load(&options.data);
            Start { seed: seeds, ..remembered.unwrap_or_else(|| options.start.clone()) }
        };
        let screen = Screen::Setup(Box::new(Setup::new(start)));
        let mut app = App {
            screen,
            options,
            settings,
            look,
            saved_games,
            thinker,
            offer: None,
            help: None,
            height: 0,
            seeds,
        };
        if let Some(file) = app.options.file.clone() {
            let games = pdn_file::read(&file)?;
            let number = app.options.game_number.unwrap_or(1);
            let recorded = Recorded::open(games, number).map_err(anyhow::Error::msg)?;
            app.screen = Screen::Viewer(Box::new(Viewer::new(recorded, settings)));
            return Ok(app);
        }
        app.begin(now)?;
        Ok(app)
    }

    /// Offers an unfinished game, or starts the requested one.
    fn begin(&mut self, now: Time) -> anyhow::Result<()> {
        let (mut games, troubles) = self.saved_games.unfinished();
        let latest = if games.is_empty() { None } else { Some(games.swap_remove(0)) };
        match latest {
            Some(found) if self.options.resume => self.resume(found, now),
            Some(found) => {
                let text = words::unfinished(&found, now);
                self.offer = Some(Offer { found, text, focus: 0, answers: Vec::new() });
            }
            None if self.options.resume => bail!(NOTHING_TO_RESUME),
            None if self.options.is_chosen => {
                let start = self.options.start.clone();
                self.play(start, now)?;
            }
            None => {}
        }
        match (&mut self.screen, troubles.into_iter().next()) {
            (Screen::Game(game_screen), Some(trouble)) => game_screen.say(trouble),
            (Screen::Setup(setup), Some(trouble)) => setup.say(trouble),
            (Screen::Game(_) | Screen::Setup(_) | Screen::Viewer(_), _) => {}
        }
        Ok(())
    }

    fn resume(&mut self, found: Unfinished, now: Time) {
        let session = Session::resume(found, self.saved_games.clone(), self.thinker.clone(), now);
        self.screen = Screen::Game(Box::new(GameScreen::new(session, self.settings, now)));
    }

    fn play(&mut self, start: Start, now: Time) -> anyhow::Result<()> {
        let session = Session::start(start, self.saved_games.clone(), self.thinker.clone(), now)?;
        let game_screen = GameScreen::new(session, self.settings, now);
        if let Screen::Game(left) = std::mem::replace(&mut self.screen, Screen::Game(Box::new(game_screen))) {
            left.close();
        }
        Ok(())
    }

    /// Opens the setup screen with a new seed, so that no two games have the same random choices.
    fn set_up(&mut self, mut start: Start) {
        self.seeds = self.seeds.wrapping_add(1);
        start.seed = self.seeds;
        let setup = Screen::Setup(Box::new(Setup::new(start)));
        if let Screen::Game(left) = std::mem::replace(&mut self.screen, setup) {
            self.settings = left.settings();
            left.close();
        }
    }

    /// Closes the current screen.
    pub(crate) fn close(self) {
        if let Screen::Game(game_screen) = self.screen {
            game_screen.close();
        }
    }

    pub(crate) fn handle(&mut self, message: Message, now: Time) -> Flow {
        match message {
            Message::End => Flow::Quit,
            Message::Thought(thought) => {
                if let Screen::Game(game_screen) = &mut self.screen {
                    game_screen.hear(thought, now);
                }
                Flow::GoOn
            }
            Message::Input(Event::Key(key)) if key.kind != KeyEventKind::Release => self.key(key, now),
            Message::Input(Event::Mouse(mouse)) => self.mouse(mouse, now),
            Message::Input(Event::Paste(text)) => {
                match &mut self.screen {
                    Screen::Setup(setup) => setup.paste(&text),
                    Screen::Game(game_screen) => game_screen.paste(&text),
                    Screen::Viewer(_) => {}
                }
                Flow::GoOn
            }
            Message::Input(_) => Flow::GoOn,
        }
    }

    fn key(&mut self, key: KeyEvent, now: Time) -> Flow {
        match action(key, true) {
            Some(Action::Suspend) => return Flow::Suspend,
            Some(Action::Redraw) => return Flow::Redraw,
            Some(Action::Quit) if key.code != KeyCode::Char('q') => return Flow::Quit,
            _ => {}
        }
        if let Some(first) = self.help {
            self.help = match key.code {
                KeyCode::Down => Some((first + 1).min(help::last_line(self.height))),
                KeyCode::Up => Some(first.saturating_sub(1)),
                _ => None,
            };
            return Flow::GoOn;
        }
        if self.offer.is_some() {
            return self.answer_offer_by_key(key, now);
        }
        let wants_help = key.code == KeyCode::Char('?');
        match &mut self.screen {
            Screen::Setup(setup) => {
                let chosen = setup.key(key);
                self.chosen(chosen, now)
            }
            Screen::Game(game_screen) if !wants_help => {
                game_screen.key(key, now);
                self.left(now)
            }
            Screen::Viewer(viewer) if !wants_help => {
                let seen = viewer.key(key);
                self.seen(seen)
            }
            Screen::Game(_) | Screen::Viewer(_) => {
                self.help = Some(0);
                Flow::GoOn
            }
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Time) -> Flow {
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        let at = Position::new(mouse.column, mouse.row);
        if self.help.is_some() {
            self.help = self.help.filter(|_| !is_click);
            return Flow::GoOn;
        }
        if let Some(offer) = &self.offer {
            let answer = offer.answers.iter().position(|place| place.contains(at));
            return answer.filter(|_| is_click).map_or(Flow::GoOn, |answer| self.answer_offer(answer, now));
        }
        let places = match &self.screen {
            Screen::Game(game_screen) => game_screen.places(),
            Screen::Viewer(viewer) => viewer.places(),
            Screen::Setup(_) => &[],
        };
        if is_click && places.iter().any(|(place, action)| *action == Action::Help && place.contains(at)) {
            self.help = Some(0);
            return Flow::GoOn;
        }
        match &mut self.screen {
            Screen::Setup(setup) => {
                let chosen = setup.mouse(mouse);
                self.chosen(chosen, now)
            }
            Screen::Game(game_screen) => {
                game_screen.mouse(mouse, now);
                self.left(now)
            }
            Screen::Viewer(viewer) => {
                let seen = viewer.mouse(mouse);
                self.seen(seen)
            }
        }
    }

    fn chosen(&mut self, chosen: Option<Chosen>, now: Time) -> Flow {
        match chosen {
            Some(Chosen::Quit) => return Flow::Quit,
            Some(Chosen::Help) => self.help = Some(0),
            Some(Chosen::Play(start)) => {
                // If the settings cannot be stored, the player chooses them again next time.
                let _ = choices::store(&self.options.data, &start);
                // The setup screen accepts only games that can be played.
                let _ = self.play(*start, now);
            }
            None => {}
        }
        Flow::GoOn
    }

    fn seen(&mut self, seen: Option<Seen>) -> Flow {
        match seen {
            Some(Seen::Quit) => return Flow::Quit,
            Some(Seen::Play(start)) => self.set_up(*start),
            None => {}
        }
        Flow::GoOn
    }

    /// Leaves the game if the player asked to.
    fn left(&mut self, now: Time) -> Flow {
        let Screen::Game(game_screen) = &mut self.screen else { return Flow::GoOn };
        match game_screen.take_leave() {
            Some(Leave::Quit) => return Flow::Quit,
            Some(Leave::Setup) => {
                let remembered = choices::load(&self.options.data);
                self.set_up(remembered.unwrap_or_else(|| self.options.start.clone()));
            }
            Some(Leave::Play(start)) => {
                self.settings = game_screen.settings();
                if self.play(*start, now).is_err() {
                    self.set_up(self.options.start.clone());
                }
            }
            None => {}
        }
        Flow::GoOn
    }

    fn answer_offer_by_key(&mut self, key: KeyEvent, now: Time) -> Flow {
        let Some(offer) = &mut self.offer else { return Flow::GoOn };
        let count = OFFER_ANSWERS.len();
        let answer = match key.code {
            KeyCode::Left | KeyCode::BackTab | KeyCode::Up => {
                offer.focus = (offer.focus + count - 1) % count;
                return Flow::GoOn;
            }
            KeyCode::Right | KeyCode::Tab | KeyCode::Down => {
                offer.focus = (offer.focus + 1) % count;
                return Flow::GoOn;
            }
            KeyCode::Enter | KeyCode::Char(' ') => offer.focus,
            KeyCode::Char('g' | 'y') => 0,
            KeyCode::Char('n') | KeyCode::Esc => 1,
            KeyCode::Char('q') => return Flow::Quit,
            _ => return Flow::GoOn,
        };
        self.answer_offer(answer, now)
    }

    fn answer_offer(&mut self, answer: usize, now: Time) -> Flow {
        let Some(offer) = self.offer.take() else { return Flow::GoOn };
        match answer {
            0 => {
                self.resume(offer.found, now);
                return Flow::GoOn;
            }
            2 => offer.found.kept.throw_away(),
            _ => {}
        }
        if self.options.is_chosen {
            let start = self.options.start.clone();
            if self.play(start, now).is_err() {
                self.set_up(self.options.start.clone());
            }
        }
        Flow::GoOn
    }

    /// Advances animations, clocks and pending moves.
    pub(crate) fn tick(&mut self, now: Time) {
        if let Screen::Game(game_screen) = &mut self.screen {
            game_screen.tick(now);
        }
        self.left(now);
    }

    /// The time at which the screen next changes without input.
    pub(crate) fn next_change(&self, now: Time) -> Option<Time> {
        match &self.screen {
            Screen::Game(game_screen) => game_screen.next_change(now),
            Screen::Setup(_) | Screen::Viewer(_) => None,
        }
    }

    pub(crate) fn draw(&mut self, area: Rect, now: Time, buffer: &mut Buffer) {
        self.height = area.height;
        match &mut self.screen {
            Screen::Setup(setup) => setup.draw(area, self.look, buffer),
            Screen::Game(game_screen) => game_screen.draw(area, self.look, now, buffer),
            Screen::Viewer(viewer) => viewer.draw(area, self.look, buffer),
        }
        if let Some(offer) = &mut self.offer {
            let dialog =
                Dialog { headline: "", text: &offer.text, answers: &OFFER_ANSWERS, focus: offer.focus };
            let place = Layout::new(area).map_or(area, |layout| layout.dialog_area(area));
            offer.answers = dialog.draw(place, self.look, buffer);
        }
        if let Some(first) = self.help {
            help::draw(first, area, self.look, buffer);
        }
    }
}
