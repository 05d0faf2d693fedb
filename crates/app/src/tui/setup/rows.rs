//! The rows of the setup screen: their values, descriptions and changes.

use crownhead_game::{ClockRule, ColourChoice, Level, OpeningChoice, Player};
use crownhead_rules::{Opening, Rulebook, Side};

use super::Setup;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Opponent,
    Level,
    Colour,
    Rules,
    Clock,
    Opening,
    Position,
    Play,
}

/// The clock choices: none, or one of the presets for a game at one sitting.
fn clocks() -> Vec<Option<ClockRule>> {
    let presets = ClockRule::PRESETS.into_iter().filter(|clock| !clock.is_correspondence());
    std::iter::once(None).chain(presets.map(Some)).collect()
}

impl Row {
    pub(super) const fn label(self) -> &'static str {
        match self {
            Row::Opponent => "Against",
            Row::Level => "Level",
            Row::Colour => "Colour",
            Row::Rules => "Rules",
            Row::Clock => "Clock",
            Row::Opening => "Opening",
            Row::Position => "Position",
            Row::Play => "Play",
        }
    }
}

impl Setup {
    /// The rows that are visible now.
    pub(super) fn rows(&self) -> Vec<Row> {
        let all = [
            Row::Opponent,
            Row::Level,
            Row::Colour,
            Row::Rules,
            Row::Clock,
            Row::Opening,
            Row::Position,
            Row::Play,
        ];
        all.into_iter().filter(|&row| row != Row::Level || self.is_against_computer()).collect()
    }

    fn is_against_computer(&self) -> bool {
        self.start.players[1].level().is_some()
    }

    fn book(&self) -> Rulebook {
        Rulebook::of(self.start.rulebook)
    }

    /// The value of a row as text.
    pub(super) fn value(&self, row: Row) -> String {
        let book = self.book();
        match row {
            Row::Opponent if self.is_against_computer() => "the computer".to_owned(),
            Row::Opponent => "another player".to_owned(),
            Row::Level => self.level.to_string(),
            Row::Colour => match self.colour() {
                ColourChoice::Side(side @ Side::Black) => format!("{} (first)", book.colour(side)),
                ColourChoice::Side(side @ Side::White) => format!("{} (second)", book.colour(side)),
                ColourChoice::Random => "by lot".to_owned(),
            },
            Row::Rules => book.id.title().to_owned(),
            Row::Clock => match self.start.clock {
                None => "none".to_owned(),
                Some(clock) => clock.to_string(),
            },
            Row::Opening => match self.start.opening {
                None => "free".to_owned(),
                Some(OpeningChoice::Random) => "by lot".to_owned(),
                Some(OpeningChoice::Number(number)) => number.to_string(),
            },
            Row::Position => self.start.position.clone().unwrap_or_else(|| "usual".to_owned()),
            Row::Play => String::new(),
        }
    }

    /// The description of a row, in a sentence or two.
    pub(super) fn about(&self, row: Row) -> String {
        let book = self.book();
        match row {
            Row::Opponent if self.is_against_computer() => "It plays at eight levels.".to_owned(),
            Row::Opponent => "Two people share the screen.".to_owned(),
            Row::Level => self.level.summary().to_owned(),
            Row::Colour if ColourChoice::choices(&book).is_empty() => {
                "With these rules colours are drawn for every game.".to_owned()
            }
            Row::Colour => format!("{} moves first.", book.first),
            Row::Rules => book.id.summary().to_owned(),
            Row::Clock => "Minutes for the game, and seconds for each move.".to_owned(),
            Row::Opening => match self.start.opening {
                None => "Type a number from 1 to 174, or let it be drawn.".to_owned(),
                Some(OpeningChoice::Random) => "One of the 144 that are played over the board.".to_owned(),
                Some(OpeningChoice::Number(number)) => opening_words(number),
            },
            Row::Position => "Type or paste a FEN, such as W:W18,K22:B9,10.".to_owned(),
            Row::Play => "Enter starts the game.".to_owned(),
        }
    }

    /// The chosen colour, or the default one.
    fn colour(&self) -> ColourChoice {
        ColourChoice::in_effect(self.start.colour, &self.book())
    }

    /// Changes the row to its next or previous choice.
    pub(super) fn change(&mut self, forward: bool) {
        match self.row {
            Row::Opponent => {
                let computer = Player::computer(self.level);
                self.start.players[1] = if self.is_against_computer() { Player::human("") } else { computer };
            }
            Row::Level => {
                let number = turned(usize::from(self.level.number()) - 1, 8, forward) + 1;
                self.set_level(Level::new(number as u8));
            }
            Row::Colour => {
                let choices = ColourChoice::choices(&self.book());
                if choices.is_empty() {
                    return;
                }
                self.start.colour = Some(next(choices, &self.colour(), forward));
            }
            Row::Rules => {
                let ids = Rulebook::ALL.map(|book| book.id);
                self.start.rulebook = next(&ids, &self.start.rulebook, forward);
                // Another rule book has other colours.
                self.start.colour = None;
            }
            Row::Clock => {
                self.start.clock = next(&clocks(), &self.start.clock, forward);
            }
            Row::Opening => self.change_opening(forward),
            Row::Position | Row::Play => return,
        }
        self.look_again();
    }

    /// Cycles through free choice, a random opening and all numbered openings.
    fn change_opening(&mut self, forward: bool) {
        let at = match self.start.opening {
            None => 0,
            Some(OpeningChoice::Random) => 1,
            Some(OpeningChoice::Number(number)) => usize::from(number) + 1,
        };
        self.start.opening = match turned(at, 176, forward) {
            0 => None,
            1 => Some(OpeningChoice::Random),
            at => Some(OpeningChoice::Number((at - 1) as u8)),
        };
        self.start.position = None;
    }
}

fn opening_words(number: u8) -> String {
    let Some(opening) = Opening::numbered(number) else { return String::new() };
    let moves = opening.moves.join(" ");
    opening.name.map_or_else(|| format!("{moves}."), |name| format!("{name}: {moves}."))
}

/// The next or previous index below `count`, wrapping around.
fn turned(at: usize, count: usize, forward: bool) -> usize {
    if forward { (at + 1) % count } else { (at + count - 1) % count }
}

/// The choice after the present one, or the first if the present one is not in the list.
fn next<T: Clone + PartialEq>(choices: &[T], present: &T, forward: bool) -> T {
    let at = choices.iter().position(|choice| choice == present);
    choices[at.map_or(0, |at| turned(at, choices.len(), forward))].clone()
}
