//! The PDN viewer: steps through the games of a file.

mod draw;

use crownhead_game::{ColourChoice, Player, Start};
use ratatui::crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::game_screen::Settings;
use super::keys::{Action, Arrow, action};
use super::options::usual_level;
use super::recorded::Recorded;

/// Why the player leaves the viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Start a game from the shown position.
    Play(Box<Start>),
    Quit,
}

/// The games of a file on the screen.
pub(crate) struct Viewer {
    recorded: Recorded,
    settings: Settings,
    /// The game number being typed.
    entry: String,
    message: Option<String>,
    actions: Vec<(Rect, Action)>,
    moves: Vec<(Rect, usize)>,
}

impl Viewer {
    pub(crate) fn new(recorded: Recorded, settings: Settings) -> Viewer {
        let message = recorded.trouble();
        Viewer { recorded, settings, entry: String::new(), message, actions: Vec::new(), moves: Vec::new() }
    }

    fn open_game(&mut self, number: usize) {
        self.message = match self.recorded.open_other(number) {
            Ok(()) => self.recorded.trouble(),
            Err(why) => Some(why),
        };
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Option<Seen> {
        self.act(action(key, !self.entry.is_empty())?)
    }

    pub(crate) fn act(&mut self, action: Action) -> Option<Seen> {
        self.message = None;
        let recorded = &mut self.recorded;
        let (plies, end, number) = (recorded.plies(), recorded.end(), recorded.number());
        match action {
            Action::Enter if !self.entry.is_empty() => {
                let number = std::mem::take(&mut self.entry).parse().unwrap_or(0);
                self.open_game(number);
            }
            Action::Go(Arrow::Left) | Action::Back => recorded.go_to(plies.saturating_sub(1)),
            Action::Go(Arrow::Right) | Action::Forward | Action::Enter => recorded.go_to(plies + 1),
            Action::First => recorded.go_to(0),
            Action::Last => recorded.go_to(end),
            Action::Go(Arrow::Up) if number > 1 => self.open_game(number - 1),
            Action::Go(Arrow::Down) if number < recorded.count() => self.open_game(number + 1),
            Action::Type(digit) if digit.is_ascii_digit() && self.entry.len() < 6 => self.entry.push(digit),
            Action::Erase => drop(self.entry.pop()),
            Action::Cancel if !self.entry.is_empty() => self.entry.clear(),
            Action::Flip => self.settings.flipped = !self.settings.flipped,
            Action::Numbers => self.settings.numbers = !self.settings.numbers,
            Action::PlayFromHere => return self.play_from_here(),
            Action::Quit | Action::Cancel => return Some(Seen::Quit),
            _ => {}
        }
        None
    }

    fn play_from_here(&mut self) -> Option<Seen> {
        let game = self.recorded.game();
        let position = &game.history().positions()[self.recorded.plies()];
        if !position.has_move() {
            self.message = Some("This position is over; go back a move.".to_owned());
            return None;
        }
        let mut start = Start::new([Player::human(""), Player::computer(usual_level())], 0);
        start.position = Some(position.to_string());
        start.colour = Some(ColourChoice::Side(position.side_to_move()));
        start.rulebook = game.rulebook().id;
        Some(Seen::Play(Box::new(start)))
    }

    pub(crate) fn mouse(&mut self, mouse: MouseEvent) -> Option<Seen> {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => return self.act(Action::Back),
            MouseEventKind::ScrollDown => return self.act(Action::Forward),
            MouseEventKind::Down(MouseButton::Left) => {
                if let Some(&(_, action)) = self.actions.iter().find(|(place, _)| place.contains(at)) {
                    return self.act(action);
                }
                if let Some(&(_, plies)) = self.moves.iter().find(|(place, _)| place.contains(at)) {
                    self.recorded.go_to(plies);
                }
            }
            _ => {}
        }
        None
    }

    /// The clickable hints and their areas when last drawn.
    pub(crate) fn places(&self) -> &[(Rect, Action)] {
        &self.actions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};

    const FILE: &str = "[Event \"One\"] [Black \"Ann\"] [White \"Bob\"] 1. 11-15 {the old way} 22-18 2. 15x22 1-0 \
                        [Event \"Two\"] [FEN \"W:W18:BK9\"] 1. 18-15 *";

    fn viewer() -> Viewer {
        let settings = Settings { animation: false, numbers: true, flipped: false, thoughts: false };
        Viewer::new(Recorded::open(crownhead_pdn::read_str(FILE).collect(), 1).unwrap(), settings)
    }

    fn press(viewer: &mut Viewer, codes: &[KeyCode]) -> Option<Seen> {
        codes.iter().fold(None, |_, &code| viewer.key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    #[test]
    fn a_game_is_stepped_through_and_not_beyond_its_ends() {
        let mut viewer = viewer();
        press(&mut viewer, &[KeyCode::Right; 9]);
        assert_eq!(
            (viewer.recorded.plies(), viewer.recorded.view().last_move.unwrap().mv.text),
            (3, "15x22".to_owned())
        );
        press(&mut viewer, &[KeyCode::Left]);
        assert_eq!(viewer.recorded.view().fen, "B:W18,21,23-32:B1-10,12,15");
        press(&mut viewer, &[KeyCode::Home, KeyCode::Left]);
        assert_eq!(viewer.recorded.plies(), 0);
    }

    #[test]
    fn other_games_of_the_file_are_reached_by_arrow_and_by_number() {
        let mut viewer = viewer();
        press(&mut viewer, &[KeyCode::Down, KeyCode::Down]);
        assert_eq!((viewer.recorded.number(), viewer.recorded.view().fen), (2, "W:W18:BK9".to_owned()));
        press(&mut viewer, &[KeyCode::Char('1'), KeyCode::Enter]);
        assert_eq!(viewer.recorded.number(), 1);
        press(&mut viewer, &[KeyCode::Char('7'), KeyCode::Enter]);
        assert_eq!(viewer.message.as_deref(), Some("There is no game 7; the file has 2."));
    }

    #[test]
    fn any_position_can_be_played_on() {
        let mut viewer = viewer();
        press(&mut viewer, &[KeyCode::Right]);
        let Some(Seen::Play(start)) = press(&mut viewer, &[KeyCode::Char('p')]) else { panic!("a game") };
        assert_eq!(start.position.as_deref(), Some("W:W21-32:B1-10,12,15"));
    }
}
