//! The setup screen: opponent, level, colour, rules, clock and opening of a new game.

mod draw;
mod rows;

use crownhead_game::{Game, Level, Moment, OpeningChoice, Player, Start, Time, View, Who};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use self::rows::Row;
use super::options::usual_level;

/// The result of the setup screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Play(Box<Start>),
    Quit,
    Help,
}

/// The state of the setup screen.
pub(crate) struct Setup {
    start: Start,
    /// The level, remembered while two players are selected.
    level: Level,
    row: Row,
    message: Option<String>,
    /// The game as it would start.
    preview: View,
    places: Vec<(Rect, Row)>,
}

/// The most characters of a FEN; no position needs more.
const MAX_FEN_CHARS: usize = 160;

impl Setup {
    pub(crate) fn new(start: Start) -> Setup {
        let level = start.players.iter().find_map(Player::level).unwrap_or_else(usual_level);
        let preview = preview(&start)
            .or_else(|_| preview(&Start::new([Player::human(""), Player::human("")], 0)))
            .expect("a usual game can begin");
        let mut setup = Setup { start, level, row: Row::Play, message: None, preview, places: Vec::new() };
        setup.look_again();
        setup
    }

    /// Shows a message until the next choice.
    pub(crate) fn say(&mut self, message: String) {
        self.message = Some(message);
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Option<Chosen> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Chosen::Quit);
        }
        match key.code {
            KeyCode::Up | KeyCode::BackTab => self.go(-1),
            KeyCode::Down | KeyCode::Tab => self.go(1),
            KeyCode::Left => self.change(false),
            KeyCode::Right => self.change(true),
            KeyCode::Enter => return self.play(),
            KeyCode::Esc => return Some(Chosen::Quit),
            KeyCode::Backspace | KeyCode::Delete => self.erase(),
            KeyCode::Char(letter) => return self.letter(letter),
            _ => {}
        }
        None
    }

    pub(crate) fn paste(&mut self, text: &str) {
        if self.row == Row::Position {
            text.trim().chars().for_each(|letter| self.type_fen(letter));
        }
    }

    pub(crate) fn mouse(&mut self, mouse: MouseEvent) -> Option<Chosen> {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let (place, row) = *self.places.iter().find(|(place, _)| place.contains(at))?;
                let was_here = self.row == row;
                self.row = row;
                if row == Row::Play {
                    return self.play();
                }
                // The first click on a row selects it; further clicks change it, backwards on its left half.
                if was_here {
                    self.change(at.x >= place.x + place.width / 2);
                }
            }
            MouseEventKind::ScrollUp => self.change(false),
            MouseEventKind::ScrollDown => self.change(true),
            _ => {}
        }
        None
    }

    fn letter(&mut self, letter: char) -> Option<Chosen> {
        match (self.row, letter) {
            (Row::Position, _) => self.type_fen(letter),
            (Row::Level, '1'..='8') => {
                self.set_level(Level::new(letter as u8 - b'0'));
                self.look_again();
            }
            (Row::Opening, '0'..='9') => self.type_opening(letter),
            (_, ' ') => self.change(true),
            (_, '?') => return Some(Chosen::Help),
            (_, 'q') => return Some(Chosen::Quit),
            _ => {}
        }
        None
    }

    fn play(&mut self) -> Option<Chosen> {
        match preview(&self.start) {
            Ok(_) => Some(Chosen::Play(Box::new(self.start.clone()))),
            Err(why) => {
                self.message = Some(why);
                None
            }
        }
    }

    /// Moves the focus to the next visible row.
    fn go(&mut self, by: isize) {
        let rows = self.rows();
        let at = rows.iter().position(|&row| row == self.row).unwrap_or(0) as isize;
        self.row = rows[(at + by).rem_euclid(rows.len() as isize) as usize];
    }

    fn type_opening(&mut self, digit: char) {
        let typed = match self.start.opening {
            Some(OpeningChoice::Number(number)) => format!("{number}{digit}"),
            _ => digit.to_string(),
        };
        let number = typed.parse().ok().filter(|number| (1..=174).contains(number));
        let digit = digit.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8);
        self.start.opening = number.or(digit).map(OpeningChoice::Number).or(self.start.opening);
        self.start.position = None;
        self.look_again();
    }

    fn type_fen(&mut self, letter: char) {
        let fen = self.start.position.get_or_insert_default();
        if fen.chars().count() < MAX_FEN_CHARS && !letter.is_control() {
            fen.push(letter);
        }
        self.start.opening = None;
        self.look_again();
    }

    fn erase(&mut self) {
        match self.row {
            Row::Position => {
                if let Some(fen) = &mut self.start.position {
                    fen.pop();
                }
                self.start.position = self.start.position.take().filter(|fen| !fen.is_empty());
            }
            Row::Opening => self.start.opening = None,
            _ => {}
        }
        self.look_again();
    }

    fn set_level(&mut self, level: Option<Level>) {
        self.level = level.unwrap_or(self.level);
        if self.start.players[1].level().is_some() {
            self.start.players[1] = Player::computer(self.level);
        }
    }

    /// Updates the preview of the board, or shows why the game is not possible.
    fn look_again(&mut self) {
        match preview(&self.start) {
            Ok(view) => {
                self.preview = view;
                self.message = None;
            }
            Err(why) => self.message = Some(why),
        }
    }
}

fn preview(start: &Start) -> Result<View, String> {
    let (game, _) = Game::start(start.clone(), Time(0)).map_err(|refusal| refusal.to_string())?;
    Ok(game.view(Who::Screen, Moment::at(Time(0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::ColourChoice;
    use crownhead_rules::{RulebookId, Side};

    fn setup() -> Setup {
        Setup::new(Start::new([Player::human(""), Player::computer(usual_level())], 1))
    }

    fn press(setup: &mut Setup, codes: &[KeyCode]) -> Option<Chosen> {
        codes.iter().fold(None, |_, &code| setup.key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn go_to(setup: &mut Setup, row: Row) {
        while setup.row != row {
            press(setup, &[KeyCode::Down]);
        }
    }

    #[test]
    fn enter_starts_at_once_with_what_is_there() {
        let mut setup = setup();
        let expected = Chosen::Play(Box::new(setup.start.clone()));
        assert_eq!(press(&mut setup, &[KeyCode::Enter]), Some(expected));
    }

    #[test]
    fn every_row_can_be_changed_and_changed_back() {
        let mut setup = setup();
        for row in setup.rows() {
            go_to(&mut setup, row);
            let before = setup.start.clone();
            press(&mut setup, &[KeyCode::Right]);
            let changed = setup.start.clone();
            press(&mut setup, &[KeyCode::Left]);
            if !matches!(row, Row::Play | Row::Position) {
                assert_ne!(changed, before, "{row:?}");
            }
            let same = (&setup.start.players, &setup.start.clock) == (&before.players, &before.clock);
            assert!(same && setup.start.rulebook == before.rulebook, "{row:?}");
        }
    }

    #[test]
    fn two_players_need_no_level_and_it_is_remembered() {
        let mut setup = setup();
        go_to(&mut setup, Row::Level);
        press(&mut setup, &[KeyCode::Char('7')]);
        go_to(&mut setup, Row::Opponent);
        press(&mut setup, &[KeyCode::Right]);
        assert!(!setup.rows().contains(&Row::Level));
        press(&mut setup, &[KeyCode::Right]);
        assert_eq!(setup.start.players[1].level(), Level::new(7));
    }

    #[test]
    fn a_colour_that_the_rules_draw_cannot_be_chosen() {
        let mut setup = setup();
        setup.start.rulebook = RulebookId::Light;
        go_to(&mut setup, Row::Colour);
        press(&mut setup, &[KeyCode::Right]);
        assert_eq!(setup.start.colour, None);
        setup.start.rulebook = RulebookId::American;
        press(&mut setup, &[KeyCode::Right]);
        assert_eq!(setup.start.colour, Some(ColourChoice::Side(Side::White)));
    }

    #[test]
    fn an_impossible_position_is_told_and_not_played() {
        let mut setup = setup();
        go_to(&mut setup, Row::Position);
        setup.paste("B:W1:B1");
        assert_eq!(press(&mut setup, &[KeyCode::Enter]), None);
        assert!(
            setup.message.as_deref().is_some_and(|why| why.starts_with("That position cannot be played"))
        );
        let _ = press(&mut setup, &[KeyCode::Backspace; 8]);
        assert_eq!(setup.message, None);
        assert!(press(&mut setup, &[KeyCode::Enter]).is_some());
    }

    #[test]
    fn an_opening_is_typed_by_its_number() {
        let mut setup = setup();
        go_to(&mut setup, Row::Opening);
        press(&mut setup, &[KeyCode::Char('4'), KeyCode::Char('6')]);
        assert_eq!(setup.start.opening, Some(OpeningChoice::Number(46)));
        assert_eq!(setup.preview.list.len(), 3);
        press(&mut setup, &[KeyCode::Char('9')]);
        assert_eq!(setup.start.opening, Some(OpeningChoice::Number(9)), "469 is too large: it begins again");
    }
}
