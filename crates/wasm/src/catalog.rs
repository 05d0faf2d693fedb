//! What there is to choose from before a game: rule books, levels, openings.

use crownhead_engine::Level;
use crownhead_game::BookView;
use crownhead_rules::{OPENINGS, OpeningClass, Rulebook, Seating, Side};
use serde::Serialize;

/// Everything that a screen offers for a new game.
#[derive(Serialize)]
pub struct Catalog {
    /// The version of the program.
    pub version: &'static str,
    /// The five rule books, the usual one first.
    pub rulebooks: Vec<BookEntry>,
    /// The levels, the weakest first.
    pub levels: Vec<LevelEntry>,
    /// The three-move openings by number.
    pub openings: Vec<OpeningEntry>,
}

/// A rule book.
#[derive(Serialize)]
pub struct BookEntry {
    /// What a screen shows of it.
    #[serde(flatten)]
    pub view: BookView,
    /// `chosen`, `drawn_unless_chosen`, or `drawn` if the choice of a colour has no effect.
    pub colours: &'static str,
    /// May a draw be offered?
    pub draws: bool,
    /// May a draw be claimed?
    pub claims: bool,
}

/// A level of the computer.
#[derive(Serialize)]
pub struct LevelEntry {
    /// 1 to 8.
    pub number: u8,
    /// What it is called.
    pub name: &'static str,
    /// The opponent in one sentence.
    pub summary: &'static str,
}

/// A three-move opening.
#[derive(Serialize)]
pub struct OpeningEntry {
    /// 1 to 174.
    pub number: u8,
    /// Its name, if it has one.
    pub name: Option<&'static str>,
    /// Its moves.
    pub moves: [&'static str; 3],
    /// Is it one of those that are lost for one side?
    pub barred: bool,
}

impl Catalog {
    /// All of it.
    pub fn new() -> Catalog {
        Catalog {
            version: env!("CARGO_PKG_VERSION"),
            rulebooks: Rulebook::ALL.iter().map(BookEntry::of).collect(),
            levels: Level::all()
                .map(|level| LevelEntry {
                    number: level.number(),
                    name: level.name(),
                    summary: level.summary(),
                })
                .collect(),
            openings: OPENINGS
                .iter()
                .map(|opening| OpeningEntry {
                    number: opening.number,
                    name: opening.name,
                    moves: opening.moves,
                    barred: opening.class == OpeningClass::Barred,
                })
                .collect(),
        }
    }
}

impl Default for Catalog {
    fn default() -> Catalog {
        Catalog::new()
    }
}

impl BookEntry {
    fn of(book: &Rulebook) -> BookEntry {
        debug_assert_eq!(book.side(book.first), Some(Side::Black));
        BookEntry {
            view: BookView::of(book),
            colours: match book.seating {
                Seating::ChosenThenSwapped => "chosen",
                Seating::DrawnThenSwapped => "drawn_unless_chosen",
                Seating::DrawnEachGame => "drawn",
            },
            draws: book.agreed_draw,
            claims: book.claimed_draw,
        }
    }
}
