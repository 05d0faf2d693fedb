//! Snapshot tests of the screens with their colours, and random input at any screen size.

use std::collections::BTreeMap;

use crownhead_game::{Player, Start, Time};
use crownhead_tablebase::Tablebase;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::{Color, Modifier};
use tempfile::TempDir;

use super::app::{App, Flow, Message};
use super::look::{Charset, Colours, Look, Wish};
use super::options::Options;
use super::thinker::Thinker;

const TRUE: Look = Look { colours: Colours::True, charset: Charset::Unicode };
const INDEXED: Look = Look { colours: Colours::Indexed, charset: Charset::Unicode };
const ANSI: Look = Look { colours: Colours::Ansi, charset: Charset::Unicode };
const MONO: Look = Look { colours: Colours::Mono, charset: Charset::Unicode };
const ASCII: Look = Look { colours: Colours::Mono, charset: Charset::Ascii };

/// Black must jump with one of two men.
const JUMPS: &str = "B:W18,19,27,K32:B11,15,K5,1";
/// A king of each side, and nothing that must jump.
const KINGS: &str = "B:WK4,21,22:BK14,1,10";

/// A simulated player with a screen and a data folder.
struct Screen {
    app: App,
    now: Time,
    /// Removed with the screen.
    data: TempDir,
}

impl Screen {
    fn open(look: Look, start: Option<Start>, animation: bool) -> Screen {
        Screen::in_folder(tempfile::tempdir().unwrap(), look, start, animation)
    }

    fn in_folder(data: TempDir, look: Look, start: Option<Start>, animation: bool) -> Screen {
        let options = Options {
            is_chosen: start.is_some(),
            start: start.unwrap_or_else(|| Start::new([Player::human(""), Player::human("")], 1)),
            resume: false,
            file: None,
            game_number: None,
            data: data.path().to_owned(),
            tables: Tablebase::embedded(),
            wish: Wish::default(),
            animation,
            mouse: true,
            flipped: false,
            numbers: !animation,
        };
        let thinker = Thinker::start(Tablebase::embedded(), |_| {}).unwrap();
        let now = Time(1_700_000_000_000);
        Screen { app: App::new(options, look, thinker, now).unwrap(), now, data }
    }

    /// A two-player game from a position, or from the start.
    fn game(look: Look, fen: Option<&str>) -> Screen {
        let mut start = Start::new([Player::human("Ann"), Player::human("Bob")], 1);
        start.position = fen.map(str::to_owned);
        Screen::open(look, Some(start), false)
    }

    fn press(&mut self, code: KeyCode) -> Flow {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.app.handle(Message::Input(Event::Key(key)), self.now)
    }

    /// Types characters; a line break is Enter.
    fn type_in(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) });
        }
    }

    fn seen(&mut self, width: u16, height: u16) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let draw = |frame: &mut ratatui::Frame<'_>| self.app.draw(frame.area(), self.now, frame.buffer_mut());
        terminal.draw(draw).unwrap().buffer.clone()
    }
}

fn text(buffer: &Buffer) -> String {
    rows(buffer, |cell| cell.symbol().to_owned())
}

fn rows(buffer: &Buffer, shown: impl Fn(&Cell) -> String) -> String {
    let row = |y| {
        let line: String = (0..buffer.area.width).map(|x| shown(&buffer[(x, y)])).collect();
        line.trim_end().to_owned()
    };
    (0..buffer.area.height).map(row).collect::<Vec<_>>().join("\n")
}

/// The text, and below it a letter for the style of every cell, with a legend. Cells with the default style stay blank.
fn painted(buffer: &Buffer) -> String {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('α'..='ω').chain('А'..='я');
    let mut styles: Vec<(Color, Color, Modifier)> = Vec::new();
    for cell in buffer.content() {
        if style(cell) != style(&Cell::EMPTY) && !styles.contains(&style(cell)) {
            styles.push(style(cell));
        }
    }
    assert!(styles.len() <= letters.clone().count(), "{} styles", styles.len());
    let legend: BTreeMap<usize, char> = letters.enumerate().take(styles.len()).collect();
    let grid = rows(buffer, |cell| {
        let at = styles.iter().position(|&known| known == style(cell));
        at.map_or(' ', |at| legend[&at]).to_string()
    });
    let meaning = |(i, (fg, bg, modifier)): (usize, &(Color, Color, Modifier))| {
        format!("{}: {fg} on {bg} {modifier:?}", legend[&i])
    };
    let meanings: Vec<String> = styles.iter().enumerate().map(meaning).collect();
    format!("{}\n\n{grid}\n\n{}", text(buffer), meanings.join("\n"))
}

/// The style of a cell. A blank has no foreground.
fn style(cell: &Cell) -> (Color, Color, Modifier) {
    (if cell.symbol() == " " { Color::Reset } else { cell.fg }, cell.bg, cell.modifier)
}

#[test]
fn the_board_in_all_colours() {
    insta::assert_snapshot!(painted(&Screen::game(TRUE, Some(JUMPS)).seen(80, 24)));
}

#[test]
fn the_board_in_256_colours() {
    insta::assert_snapshot!(painted(&Screen::game(INDEXED, Some(KINGS)).seen(80, 24)));
}

#[test]
fn the_board_in_16_colours() {
    insta::assert_snapshot!(painted(&Screen::game(ANSI, Some(JUMPS)).seen(80, 24)));
}

#[test]
fn the_board_without_colours() {
    let buffer = Screen::game(MONO, Some(JUMPS)).seen(80, 24);
    assert!(buffer.content().iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    insta::assert_snapshot!(painted(&buffer));
}

#[test]
fn the_board_in_ascii() {
    let buffer = Screen::game(ASCII, Some(KINGS)).seen(80, 24);
    assert!(text(&buffer).is_ascii());
    insta::assert_snapshot!(text(&buffer));
}

#[test]
fn a_piece_in_hand_and_where_it_can_go() {
    let mut screen = Screen::game(MONO, Some(KINGS));
    screen.press(KeyCode::Tab);
    screen.press(KeyCode::Enter);
    insta::assert_snapshot!(painted(&screen.seen(80, 24)));
}

#[test]
fn a_refusal_stands_under_the_status() {
    let mut screen = Screen::game(MONO, Some(JUMPS));
    screen.type_in("1-6\n");
    insta::assert_snapshot!(text(&screen.seen(80, 24)));
}

#[test]
fn every_size_has_its_layout() {
    let mut screen = Screen::game(MONO, None);
    screen.type_in("11-15\n22-18\n");
    for (width, height) in [(1, 1), (20, 5), (20, 13), (40, 17), (120, 40)] {
        insta::assert_snapshot!(format!("size_{width}x{height}"), text(&screen.seen(width, height)));
    }
}

#[test]
fn the_start_screen() {
    insta::assert_snapshot!(text(&Screen::open(MONO, None, false).seen(80, 24)));
}

#[test]
fn a_game_that_cannot_be_read_is_told_on_the_start_screen() {
    let screen = Screen::open(MONO, None, false);
    let saved_games = screen.data.path().join("unfinished");
    std::fs::create_dir(&saved_games).unwrap();
    std::fs::write(saved_games.join("1-0.jsonl"), "{}\n").unwrap();
    let mut again = Screen::in_folder(screen.data, MONO, None, false);
    assert!(text(&again.seen(120, 40)).contains("A saved game cannot be read: "));
}

#[test]
fn the_help() {
    let mut screen = Screen::game(ASCII, None);
    screen.type_in("?");
    insta::assert_snapshot!(text(&screen.seen(80, 24)));
}

#[test]
fn the_end_of_a_game() {
    let mut screen = Screen::game(MONO, None);
    screen.type_in("ry");
    insta::assert_snapshot!(text(&screen.seen(80, 24)));
}

#[test]
fn a_piece_on_its_way() {
    let mut start = Start::new([Player::human(""), Player::human("")], 1);
    start.position = Some("B:W15,23,32:B10".to_owned());
    let mut screen = Screen::open(MONO, Some(start), true);
    screen.type_in("10x26\n");
    // In the middle of the second jump.
    screen.now = screen.now.plus(300);
    insta::assert_snapshot!(text(&screen.seen(80, 24)));
    screen.now = screen.now.plus(200);
    screen.app.tick(screen.now);
    assert!(text(&screen.seen(80, 24)).contains("Red to move."));
}

#[test]
fn no_size_is_too_strange() {
    for look in [TRUE, ANSI, MONO, ASCII] {
        let mut screens =
            [Screen::game(look, Some(JUMPS)), Screen::open(look, None, false), Screen::game(look, None)];
        screens[2].type_in("r?");
        for (width, height) in
            (0..150).step_by(13).flat_map(|width| (0..60).step_by(7).map(move |height| (width, height)))
        {
            for screen in &mut screens {
                screen.seen(width, height);
            }
        }
    }
}

/// Pseudorandom numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn event(&mut self) -> Event {
        const KEYS: [KeyCode; 15] = [
            KeyCode::Enter,
            KeyCode::Enter,
            KeyCode::Tab,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Esc,
            KeyCode::Backspace,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Home,
            KeyCode::End,
        ];
        let (column, row) = (self.below(90) as u16, self.below(30) as u16);
        let kind = match self.below(8) {
            0 => MouseEventKind::Down(MouseButton::Left),
            1 => MouseEventKind::Drag(MouseButton::Left),
            2 => MouseEventKind::Up(MouseButton::Left),
            3 if self.below(4) == 0 => MouseEventKind::ScrollUp,
            3 | 4 => {
                let letter = char::from(b' ' + self.below(95) as u8);
                return Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
            }
            5 if self.below(9) == 0 => return Event::Paste("9-14 \u{1b}[2J\u{0} é".to_owned()),
            _ => {
                let code = KEYS[self.below(KEYS.len() as u64) as usize];
                return Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
            }
        };
        Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    }
}

#[test]
fn no_keys_and_clicks_are_too_strange() {
    let sizes = [(80, 24), (20, 13), (40, 17), (7, 3)];
    for seed in 0..4 {
        println!("seed {seed}");
        let mut chance = Chance(seed);
        let mut screen = Screen::game(MONO, None);
        for _ in 0..1_000 {
            let (width, height) = sizes[if chance.below(20) == 0 { chance.below(4) as usize } else { 0 }];
            // Do not save files in the working directory of the tests.
            if text(&screen.seen(width, height)).contains("Save as: ") {
                screen.press(KeyCode::Esc);
            }
            let event = chance.event();
            if screen.app.handle(Message::Input(event), screen.now) == Flow::Quit {
                screen = Screen::game(MONO, None);
            }
            screen.now = screen.now.plus(chance.below(400));
            screen.app.tick(screen.now);
        }
    }
}
