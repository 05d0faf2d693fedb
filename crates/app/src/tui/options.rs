//! The options of `crownhead play`, shared by the full-screen and the line-by-line interface.

use std::path::PathBuf;

use crownhead_game::{ColourChoice, Level, Start};
use crownhead_rules::{Colour, Rulebook, RulebookId, Seating, Side};
use crownhead_tablebase::Tablebase;

use super::look::Wish;

/// The options of `crownhead play`.
#[expect(clippy::struct_excessive_bools, reason = "flags are independent of each other")]
pub(crate) struct Options {
    /// The game to play.
    pub(crate) start: Start,
    /// Did the command line choose a game, so that the setup screen is skipped?
    pub(crate) is_chosen: bool,
    /// Resume the last unfinished game.
    pub(crate) resume: bool,
    /// A PDN file to step through, and the number of the game in it.
    pub(crate) file: Option<PathBuf>,
    pub(crate) game_number: Option<usize>,
    /// The folder of unfinished games and settings.
    pub(crate) data: PathBuf,
    pub(crate) tables: Tablebase,
    pub(crate) wish: Wish,
    pub(crate) animation: bool,
    pub(crate) mouse: bool,
    pub(crate) flipped: bool,
    pub(crate) numbers: bool,
}

/// The message if `--resume` finds no unfinished game.
pub(crate) const NOTHING_TO_RESUME: &str = "there is no unfinished game; leave out --resume to start one";

/// The default level.
pub(crate) fn usual_level() -> Level {
    Level::new(3).expect("levels go from 1 to 8")
}

/// A side as given on the command line.
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
    /// The colour choice that this side means under a rule book.
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
                format!(
                    "no player is {colour} in {}; the colours are {} and {}",
                    id.title(),
                    book.first,
                    book.second
                )
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
            Err("no player is Yellow in American; the colours are Black and Red".to_owned())
        );
        assert!(choice("red", RulebookId::Light).is_err());
        assert!(choice("blue", RulebookId::American).is_err());
    }
}
