//! Rule books: what varies between the five texts of the rules, which is colours, draws and looks. The moves are the
//! same in all.

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
    /// A game ends only with a win.
    WinOnly,
    /// Played on the light squares.
    Light,
    /// Squares are numbered and draws may be claimed.
    Numbered,
    /// Draws come early and automatically.
    Quick,
}

/// The rules that differ between the texts. All fields are data; the presets are in [`Rulebook::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent clauses, not a state")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rulebook {
    /// Which of the five rule books it is.
    pub id: RulebookId,
    /// The colour that moves first, [`Side::Black`] in the notation.
    pub first: Colour,
    /// The colour that moves second.
    pub second: Colour,
    /// How players get their colours from game to game.
    pub seating: Seating,
    /// A draw by repetition, if there is one.
    pub repetition: Option<Repetition>,
    /// A draw after a number of moves without progress, if there is one.
    pub move_limit: Option<MoveLimit>,
    /// May the players agree on a draw?
    pub agreed_draw: bool,
    /// May a player claim a draw that the endgame tables prove?
    pub claimed_draw: bool,
    /// May the players agree to stop without a result?
    pub may_abandon: bool,
    /// The colour of the 32 playing squares.
    pub playing_squares: SquareColour,
    /// Are square numbers shown by default?
    pub shows_numbers: bool,
    /// The sign between the squares of a jump on screen. Files always use `x`.
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

/// How players get their colours from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Seating {
    /// Chosen for the first game, swapped after each.
    ChosenThenSwapped,
    /// Drawn at random for the first game unless chosen, swapped after each.
    DrawnThenSwapped,
    /// Drawn at random for every game.
    DrawnEachGame,
}

/// A draw by repetition: the same pieces on the same squares with the same side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Repetition {
    /// How often the position must have occurred.
    pub times: u32,
    /// The progress after which earlier positions no longer count, as the text says. A position never recurs after a
    /// capture or a man's move, so on the board this only bounds how far back to look.
    pub resets: Progress,
}

/// A draw by a number of moves without progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveLimit {
    /// The number of moves of both sides together.
    pub plies: u32,
    /// The progress that restarts the count.
    pub resets: Progress,
}

/// A move that counts as progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Progress {
    /// Only a capture.
    Capture,
    /// A capture, or any move of a man.
    CaptureOrManMove,
}

impl Rulebook {
    /// All five, the default first.
    pub const ALL: [Rulebook; 5] = {
        let [a, b, c, d, e] = RulebookId::ALL;
        [Rulebook::of(a), Rulebook::of(b), Rulebook::of(c), Rulebook::of(d), Rulebook::of(e)]
    };

    /// The rule book with this identifier. The comments cite the clause of the text that a field comes from; a field
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
                may_abandon: true, // So that players can stop instead of shuffling kings for ever.
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

    /// The colour of a side on screen.
    pub const fn colour(&self, side: Side) -> Colour {
        match side {
            Side::Black => self.first,
            Side::White => self.second,
        }
    }

    /// The side with this colour, if there is one.
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
    /// All five, the default first.
    pub const ALL: [RulebookId; 5] = [
        RulebookId::American,
        RulebookId::WinOnly,
        RulebookId::Light,
        RulebookId::Numbered,
        RulebookId::Quick,
    ];

    /// The name in commands, files and URLs.
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

    /// How it differs from the others, in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            RulebookId::American => {
                "Black moves first; a position that comes up three times, or 40 moves each without progress, is a draw."
            }
            RulebookId::WinOnly => "Yellow moves first, and there are no draws: one side must win.",
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

/// The error for a name that is not that of a rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRulebook(Excerpt);

impl fmt::Display for UnknownRulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is not a rule book; there are {}",
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
