//! Players: people and the computer with its levels, where they meet, and who gives a command.

mod grapheme;
mod name;

use core::fmt;

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

pub use name::{MAX_NAME_CHARS, Name};

/// How strongly the computer plays, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

impl Level {
    /// The hardest level, which allows no undo.
    pub const HARDEST: Level = Level(8);

    /// The level with this number, 1 to 8.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= Level::HARDEST.0 { Some(Level(number)) } else { None }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..=Level::HARDEST.0).map(Level)
    }

    /// 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its name on screen.
    pub const fn name(self) -> &'static str {
        match self.0 {
            1 => "Newcomer",
            2 => "Beginner",
            3 => "Casual",
            4 => "Steady",
            5 => "Club player",
            6 => "Expert",
            7 => "Master",
            _ => "Champion",
        }
    }

    /// The opponent in one sentence.
    pub const fn summary(self) -> &'static str {
        match self.0 {
            1 => "Has just learnt the rules and overlooks a lot.",
            2 => "Takes what is offered, and often offers something back.",
            3 => "Plays for fun and sees a move or two ahead.",
            4 => "Makes few big mistakes.",
            5 => "Knows the usual traps.",
            6 => "Calculates well and rarely makes a mistake.",
            7 => "Very hard to beat.",
            _ => "Plays at full strength; moves cannot be taken back.",
        }
    }
}

/// The number and the name.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number(), self.name())
    }
}

impl TryFrom<u8> for Level {
    type Error = String;

    fn try_from(number: u8) -> Result<Level, String> {
        Level::new(number).ok_or_else(|| format!("there is no level {number}; levels go from 1 to 8"))
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.0
    }
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person, with a name if one was given.
    Human {
        /// The name, which may be empty.
        #[serde(default)]
        name: Name,
    },
    /// The computer.
    Computer {
        /// How strongly it plays.
        level: Level,
        /// The name of the level, or empty.
        #[serde(default)]
        name: Name,
    },
}

impl Player {
    /// A person.
    pub fn human(name: &str) -> Player {
        Player::Human { name: name.into() }
    }

    /// The computer.
    pub fn computer(level: Level) -> Player {
        Player::Computer { level, name: Name::default() }
    }

    /// The name, which may be empty.
    pub fn name(&self) -> &str {
        let (Player::Human { name } | Player::Computer { name, .. }) = self;
        name.as_str()
    }

    /// The level, if it is the computer.
    pub fn level(&self) -> Option<Level> {
        match self {
            Player::Human { .. } => None,
            Player::Computer { level, .. } => Some(*level),
        }
    }
}

/// Where the players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Place {
    /// On one screen.
    #[default]
    Screen,
    /// Each on their own screen, over a link. Undo does not exist here, only takebacks that the opponent grants.
    Link {
        /// A player who is away for longer than this can be declared to have forfeited.
        away_limit_ms: u64,
    },
}

/// Who gives a command or looks at the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The user of the one screen of a local game: the person who plays the computer, or both players in turn.
    Screen,
    /// The player on a side, in a game over a link.
    Seat(Side),
    /// A spectator, who may look but not play.
    Watcher,
    /// The program that runs the game: it carries out effects, reports their results and knows the time.
    House,
}
