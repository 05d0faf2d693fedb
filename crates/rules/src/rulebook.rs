//! What varies between the five texts that describe the game: colours, draws and looks. Moves never vary.

use core::fmt;
use core::str::FromStr;

use crate::Side;
use crate::excerpt::Excerpt;

/// One of the five rule books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum RulebookId {
    /// The common American rules, with draws as in tournaments.
    American,
    /// Somebody wins, or the game goes on.
    WinOnly,
    /// Played on the light squares.
    Light,
    /// Squares are numbered and draws may be claimed.
    Numbered,
    /// Draws come early and by themselves.
    Quick,
}

/// The rules that differ from one text to another. All fields are data; the presets are in [`Rulebook::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent clauses, not a state")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rulebook {
    /// Which of the five it is.
    pub id: RulebookId,
    /// The colour that moves first, [`Side::Black`] in the notation.
    pub first: Colour,
    /// The colour that moves second.
    pub second: Colour,
    /// How the players come to their colours, game after game.
    pub seating: Seating,
    /// The same position this often is a draw.
    pub repetition: Option<Repetition>,
    /// So many moves without progress are a draw.
    pub move_limit: Option<MoveLimit>,
    /// May the players agree on a draw?
    pub agreed_draw: bool,
    /// May a player claim a draw that the endgame tables prove?
    pub claimed_draw: bool,
    /// May both leave a game without a result?
    pub may_abandon: bool,
    /// How the 32 squares of the game are painted.
    pub playing_squares: SquareColour,
    /// Are the numbers of the squares shown unless switched off?
    pub shows_numbers: bool,
    /// The sign between the squares of a jump on screen. Files always have `x`.
    pub jump_sign: char,
}

/// The colour of a set of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "colours are what they are called")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Colour {
    Black,
    Red,
    White,
    Yellow,
}

/// The colour of the squares that the game is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "dark and light say it")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SquareColour {
    Dark,
    Light,
}

/// Who has which colour, from one game to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Seating {
    /// Chosen for the first game, exchanged after each.
    ChosenThenSwapped,
    /// Drawn by lot for the first game unless chosen, exchanged after each.
    DrawnThenSwapped,
    /// Drawn by lot for every game.
    DrawnEachGame,
}

/// A draw by repetition: the same pieces on the same squares with the same side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Repetition {
    /// How often the position must have come up.
    pub times: u32,
    /// What makes earlier positions count no longer, as the text says it. Neither a captured piece nor a man's step ever
    /// comes back, so on the board this only says how far back one has to look.
    pub resets: Progress,
}

/// A draw by a number of moves without progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveLimit {
    /// The moves of both sides together.
    pub plies: u32,
    /// What starts the count again.
    pub resets: Progress,
}

/// A move after which a game is no longer where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Progress {
    /// Only a capture.
    Capture,
    /// A capture, or any move of a man.
    CaptureOrManMove,
}

impl Rulebook {
    /// All five, the usual one first.
    pub const ALL: [Rulebook; 5] = {
        let [a, b, c, d, e] = RulebookId::ALL;
        [Rulebook::of(a), Rulebook::of(b), Rulebook::of(c), Rulebook::of(d), Rulebook::of(e)]
    };

    /// The rule book with this name. The comments cite the clause of the text that a field comes from; a field
    /// without one is as in American.
    pub const fn of(id: RulebookId) -> Rulebook {
        let usual = Rulebook {
            id,
            first: Colour::Black,                // 4: “Black moves first.”
            second: Colour::Red,                 // 1: “one set of pieces is black and the other red”
            seating: Seating::ChosenThenSwapped, // No text says otherwise; players take turns to be first.
            // WCDF: a third occurrence; 40 moves of each side in which no man advanced and no piece was taken.
            repetition: Some(Repetition { times: 3, resets: Progress::CaptureOrManMove }),
            move_limit: Some(MoveLimit { plies: 80, resets: Progress::CaptureOrManMove }),
            agreed_draw: true, // WCDF: at any time.
            claimed_draw: false,
            may_abandon: false,
            playing_squares: SquareColour::Dark, // 2, 5: “Moves are allowed only on the dark squares”
            shows_numbers: false,
            jump_sign: 'x',
        };
        match id {
            RulebookId::American => usual,
            RulebookId::WinOnly => Rulebook {
                first: Colour::Yellow, // 1.2: “the player with the Yellow men”
                second: Colour::Red,
                seating: Seating::DrawnThenSwapped, // 1.1: “the players decide by random selection”
                // 1.11: “There is only one possible state: the win.”
                repetition: None,
                move_limit: None,
                agreed_draw: false,
                may_abandon: true, // So that nobody has to shuffle kings for ever.
                ..usual
            },
            RulebookId::Light => Rulebook {
                seating: Seating::DrawnEachGame, // “colors are randomly chosen at the beginning of the game”
                playing_squares: SquareColour::Light, // “can only ever occupy white squares”
                ..usual
            },
            RulebookId::Numbered => Rulebook {
                first: Colour::Red, // “The player who controls Red pieces moves first.”
                second: Colour::White,
                claimed_draw: true, // “If neither player can accomplish the above, the game is a draw.”
                shows_numbers: true, // “dark squares which are numbered”
                jump_sign: '-',     // “red can 'jump' 14-21”
                ..usual
            },
            RulebookId::Quick => Rulebook {
                // “three times without any men captured in between”
                repetition: Some(Repetition { times: 3, resets: Progress::Capture }),
                // “100 moves (50 for each player) with no piece captured”
                move_limit: Some(MoveLimit { plies: 100, resets: Progress::Capture }),
                agreed_draw: false, // “The game can end in four different ways”, and this is none of them.
                ..usual
            },
        }
    }

    /// What a side is called on screen.
    pub const fn colour(&self, side: Side) -> Colour {
        match side {
            Side::Black => self.first,
            Side::White => self.second,
        }
    }

    /// The side that has this colour, if one has.
    pub fn side(&self, colour: Colour) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.colour(side) == colour)
    }
}

impl Default for Rulebook {
    fn default() -> Rulebook {
        Rulebook::of(RulebookId::American)
    }
}

impl RulebookId {
    /// All five, the usual one first.
    pub const ALL: [RulebookId; 5] = [
        RulebookId::American,
        RulebookId::WinOnly,
        RulebookId::Light,
        RulebookId::Numbered,
        RulebookId::Quick,
    ];

    /// The name in commands, files and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            RulebookId::American => "american",
            RulebookId::WinOnly => "win-only",
            RulebookId::Light => "light",
            RulebookId::Numbered => "numbered",
            RulebookId::Quick => "quick",
        }
    }

    /// The name on screen.
    pub const fn title(self) -> &'static str {
        match self {
            RulebookId::American => "American",
            RulebookId::WinOnly => "Win only",
            RulebookId::Light => "Light squares",
            RulebookId::Numbered => "Numbered",
            RulebookId::Quick => "Quick draw",
        }
    }

    /// What is special about it, in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            RulebookId::American => {
                "Black moves first; a position that comes up three times, or 40 moves each without progress, is a draw."
            }
            RulebookId::WinOnly => "Yellow moves first, and there are no draws: somebody wins.",
            RulebookId::Light => "Played on the light squares, with colours drawn for every game.",
            RulebookId::Numbered => {
                "Red moves first on numbered squares; a draw can be claimed when neither side can win."
            }
            RulebookId::Quick => {
                "The same position three times, or 50 moves each without a capture, ends the game in a draw."
            }
        }
    }
}

impl fmt::Display for RulebookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RulebookId {
    type Err = UnknownRulebook;

    fn from_str(name: &str) -> Result<RulebookId, UnknownRulebook> {
        RulebookId::ALL.into_iter().find(|id| id.name() == name).ok_or_else(|| UnknownRulebook(name.into()))
    }
}

/// There is no rule book of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRulebook(Excerpt);

impl fmt::Display for UnknownRulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is no rule book; there are {}",
            self.0,
            RulebookId::ALL.map(RulebookId::name).join(", ")
        )
    }
}

impl core::error::Error for UnknownRulebook {}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "Black",
            Colour::Red => "Red",
            Colour::White => "White",
            Colour::Yellow => "Yellow",
        })
    }
}

impl Progress {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Progress::Capture => "a capture",
            Progress::CaptureOrManMove => "a capture or a move of a man",
        }
    }
}
