//! What was asked for when the program was started, whichever way it is played.

use std::path::PathBuf;

use crownhead_game::{ColourChoice, Level, Start};
use crownhead_rules::{Colour, Rulebook, RulebookId, Seating, Side};
use crownhead_tablebase::Tablebase;

use super::look::Wish;

/// All of it.
#[expect(clippy::struct_excessive_bools, reason = "flags are independent of each other")]
pub(crate) struct Options {
    /// The game to play.
    pub(crate) start: Start,
    /// Was anything said about the game, so that nothing need be asked?
    pub(crate) is_chosen: bool,
    /// Go on with the last unfinished game.
    pub(crate) resume: bool,
    /// A file to look through, and which of its games.
    pub(crate) file: Option<PathBuf>,
    pub(crate) game_number: Option<usize>,
    /// Where unfinished games and choices are kept.
    pub(crate) data: PathBuf,
    pub(crate) tables: Tablebase,
    pub(crate) wish: Wish,
    pub(crate) animation: bool,
    pub(crate) mouse: bool,
    pub(crate) flipped: bool,
    pub(crate) numbers: bool,
}

/// What to say to somebody who wants to go on with a game, and there is none.
pub(crate) const NOTHING_TO_RESUME: &str = "there is no unfinished game; leave out --resume to start one";

/// The level of somebody who has chosen none.
pub(crate) fn usual_level() -> Level {
    Level::new(3).expect("levels go from 1 to 8")
}

/// A side as players say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SideWish {
    Random,
    Side(Side),
    Colour(Colour),
}

impl std::str::FromStr for SideWish {
    type Err = String;

    fn from_str(text: &str) -> Result<SideWish, String> {
        let colours = [Colour::Black, Colour::Red, Colour::White, Colour::Yellow];
        match text.to_lowercase().as_str() {
            "random" => Ok(SideWish::Random),
            "first" => Ok(SideWish::Side(Side::Black)),
            "second" => Ok(SideWish::Side(Side::White)),
            other => colours
                .into_iter()
                .find(|colour| colour.to_string().to_lowercase() == other)
                .map(SideWish::Colour)
                .ok_or_else(|| "say first, second, random or a colour of the rule book".to_owned()),
        }
    }
}

impl SideWish {
    /// The side that is meant in a rule book.
    ///
    /// # Errors
    /// If the rule book has no such colour, or draws colours itself.
    pub(crate) fn choice(self, id: RulebookId) -> Result<ColourChoice, String> {
        let book = Rulebook::of(id);
        if book.seating == Seating::DrawnEachGame && self != SideWish::Random {
            return Err(format!("in {} colours are drawn for every game; leave out --side", id.title()));
        }
        match self {
            SideWish::Random => Ok(ColourChoice::Random),
            SideWish::Side(side) => Ok(ColourChoice::Side(side)),
            SideWish::Colour(colour) => book.side(colour).map(ColourChoice::Side).ok_or_else(|| {
                format!("nobody is {colour} in {}; there are {} and {}", id.title(), book.first, book.second)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(text: &str, id: RulebookId) -> Result<ColourChoice, String> {
        text.parse::<SideWish>()?.choice(id)
    }

    #[test]
    fn a_colour_means_that_colour_in_the_rule_book() {
        assert_eq!(choice("red", RulebookId::American), Ok(ColourChoice::Side(Side::White)));
        assert_eq!(choice("Red", RulebookId::Numbered), Ok(ColourChoice::Side(Side::Black)));
        assert_eq!(choice("second", RulebookId::Numbered), Ok(ColourChoice::Side(Side::White)));
        assert_eq!(choice("random", RulebookId::Light), Ok(ColourChoice::Random));
    }

    #[test]
    fn a_colour_that_nobody_has_is_refused_in_words() {
        assert_eq!(
            choice("yellow", RulebookId::American),
            Err("nobody is Yellow in American; there are Black and Red".to_owned())
        );
        assert!(choice("red", RulebookId::Light).is_err());
        assert!(choice("blue", RulebookId::American).is_err());
    }
}
