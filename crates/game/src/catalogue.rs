//! The catalogue of choices for a new game: rule books, computer levels, clock presets and three-move openings, with
//! the text that every screen shows for them.

use crownhead_rules::{OPENINGS, OpeningClass, Rulebook, Seating};
use serde::Serialize;

use crate::clock::ClockRule;
use crate::player::Level;
use crate::start::ColourChoice;
use crate::view::RulebookView;

/// Everything that a screen offers for a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Catalogue {
    /// The version of the program.
    pub version: &'static str,
    /// The five rule books, the usual one first.
    pub rulebooks: Vec<RulebookEntry>,
    /// The levels, the weakest first.
    pub levels: Vec<LevelEntry>,
    /// The suggested clocks, the fastest first.
    pub clocks: Vec<ClockEntry>,
    /// The three-move openings by number.
    pub openings: Vec<OpeningEntry>,
}

/// A rule book to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulebookEntry {
    /// The part that a screen also shows during a game.
    #[serde(flatten)]
    pub view: RulebookView,
    /// `chosen`, `drawn_unless_chosen`, or `drawn` if the choice of a colour has no effect.
    pub colours: &'static str,
    /// The sides that the first player can choose from; empty if they are always drawn.
    pub colour_choices: &'static [ColourChoice],
    /// The side of a first player who has chosen none.
    pub usual_colour: ColourChoice,
    /// Can a draw be offered?
    pub draws: bool,
    /// Can a draw be claimed?
    pub claims: bool,
    /// Can the players agree to stop without a result?
    pub abandons: bool,
    /// How a game ends, in a few paragraphs.
    pub endings: [String; 2],
}

/// A level of the computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LevelEntry {
    /// 1 to 8.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// The opponent in one sentence.
    pub summary: &'static str,
}

/// A suggested clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockEntry {
    /// The clock.
    pub clock: ClockRule,
    /// In words: “5 min + 3 s a move”.
    pub text: String,
    /// Is it a correspondence clock, which needs a game over a link?
    pub correspondence: bool,
}

/// A three-move opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningEntry {
    /// 1 to 174.
    pub number: u8,
    /// Its name, if it has one.
    pub name: Option<&'static str>,
    /// Its moves.
    pub moves: [&'static str; 3],
    /// Is it barred, because one side loses by force?
    pub barred: bool,
}

impl Catalogue {
    /// The whole catalogue.
    pub fn new() -> Catalogue {
        let opening = |opening: &crownhead_rules::Opening| OpeningEntry {
            number: opening.number,
            name: opening.name,
            moves: opening.moves,
            barred: opening.class == OpeningClass::Barred,
        };
        Catalogue {
            version: env!("CARGO_PKG_VERSION"),
            rulebooks: Rulebook::ALL.iter().map(RulebookEntry::of).collect(),
            levels: Level::all().map(LevelEntry::of).collect(),
            clocks: ClockRule::PRESETS.into_iter().map(ClockEntry::of).collect(),
            openings: OPENINGS.iter().map(opening).collect(),
        }
    }
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        Catalogue::new()
    }
}

impl RulebookEntry {
    fn of(book: &Rulebook) -> RulebookEntry {
        RulebookEntry {
            view: RulebookView::of(book),
            colours: match book.seating {
                Seating::ChosenThenSwapped => "chosen",
                Seating::DrawnThenSwapped => "drawn_unless_chosen",
                Seating::DrawnEachGame => "drawn",
            },
            colour_choices: ColourChoice::choices(book),
            usual_colour: ColourChoice::in_effect(None, book),
            draws: book.agreed_draw,
            claims: book.claimed_draw,
            abandons: book.may_abandon,
            endings: endings(book),
        }
    }
}

impl LevelEntry {
    fn of(level: Level) -> LevelEntry {
        LevelEntry { number: level.number(), name: level.name(), summary: level.summary() }
    }
}

impl ClockEntry {
    fn of(clock: ClockRule) -> ClockEntry {
        ClockEntry { clock, text: clock.to_string(), correspondence: clock.is_correspondence() }
    }
}

/// How a game ends under a rule book.
fn endings(book: &Rulebook) -> [String; 2] {
    let draws = match (book.agreed_draw, book.claimed_draw, book.may_abandon) {
        (true, true, _) => {
            "The players can agree on a draw. Either can claim one when neither side can win; the endgame tables decide."
        }
        (true, false, _) => "The players can agree on a draw.",
        (false, _, true) => "A draw cannot be offered, but the players can agree to stop without a result.",
        (false, _, false) => "A draw cannot be offered.",
    };
    [
        "You lose if you cannot move, because all your pieces are captured or blocked. You also lose if you resign, \
         leave the game or run out of time."
            .to_owned(),
        format!("{}: {} {draws}", book.id.title(), book.id.summary()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_rules::RulebookId;

    #[test]
    fn only_win_only_says_that_a_game_can_stop_without_a_result() {
        for entry in Catalogue::new().rulebooks {
            let says_so = entry.endings.concat().contains("without a result");
            assert_eq!(says_so, entry.view.id == RulebookId::WinOnly, "{}", entry.view.title);
            assert_eq!(entry.abandons, entry.view.id == RulebookId::WinOnly, "{}", entry.view.title);
        }
    }

    #[test]
    fn colours_can_be_chosen_unless_every_game_draws_them() {
        for entry in Catalogue::new().rulebooks {
            let is_drawn = entry.view.id == RulebookId::Light;
            assert_eq!(entry.colour_choices.is_empty(), is_drawn, "{}", entry.view.title);
            assert!(is_drawn || entry.colour_choices.contains(&entry.usual_colour), "{}", entry.view.title);
        }
    }

    #[test]
    fn every_suggested_clock_can_be_played_and_has_its_own_words() {
        let clocks = Catalogue::new().clocks;
        let texts: Vec<&str> = clocks.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "1 min",
                "3 min + 2 s a move",
                "5 min + 3 s a move",
                "10 min + 5 s a move",
                "20 min + 10 s a move",
                "60 min + 30 s a move",
                "1 day a move",
                "3 days a move",
                "7 days a move",
            ]
        );
        for entry in clocks {
            assert_eq!(entry.clock.check(), Ok(()), "{}", entry.text);
            assert_eq!(entry.correspondence, entry.text.contains("day"), "{}", entry.text);
        }
    }
}
