//! Who plays: people and the computer, and where they sit.

mod grapheme;
mod name;

use core::fmt;

use crownhead_rules::Side;
use serde::{Deserialize, Serialize};

pub use name::{MAX_NAME_CHARS, Name};

/// How strong the computer plays, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

impl Level {
    /// The hardest one, at which nothing is taken back.
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

/// One of the two who play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person, with a name if one was given.
    Human {
        /// May be empty.
        #[serde(default)]
        name: Name,
    },
    /// The computer.
    Computer {
        /// How strong it plays.
        level: Level,
        /// What the level is called, or nothing.
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

    /// The name, if it has one.
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

/// How the players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Place {
    /// At one screen.
    #[default]
    Screen,
    /// Each at their own, over a link. There is no undo here, only takebacks that the other grants.
    Link {
        /// Who is gone for longer may be declared to have forfeited.
        away_limit_ms: u64,
    },
}

/// Whose hand gives a command, or whose eyes look at the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Whoever is at the one screen of a local game: the person who plays the computer, or both players in turn.
    Screen,
    /// The player of a side, in a game over a link.
    Seat(Side),
    /// Somebody who may look and not touch.
    Watcher,
    /// The program that runs the game: it carries out effects, reports their results and knows the time.
    House,
}
