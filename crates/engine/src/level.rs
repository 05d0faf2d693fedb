//! The eight levels of play (playing strengths), with their names.

use core::fmt;

/// The playing strength of the computer: 1 has just learnt the rules, 8 is full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Has just learnt the rules.
    pub const LOWEST: Level = Level(1);
    /// Full strength.
    pub const HIGHEST: Level = Level(8);

    /// The level with this number, 1 to 8.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 8 { Some(Level(number)) } else { None }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..9).map(Level)
    }

    /// 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The name for screens.
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

    /// A description in one sentence.
    pub const fn summary(self) -> &'static str {
        match self.0 {
            1 => "Has just learnt the rules and overlooks a lot.",
            2 => "Takes what is offered, and often offers something back.",
            3 => "Plays for fun and sees a move or two ahead.",
            4 => "Makes few big mistakes.",
            5 => "Knows the usual traps.",
            6 => "Calculates well and seldom errs.",
            7 => "Very hard to beat.",
            _ => "Everything it has; nothing can be taken back.",
        }
    }
}

/// The number and the name.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number(), self.name())
    }
}
