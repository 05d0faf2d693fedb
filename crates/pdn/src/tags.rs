//! Tags: the names and values in the header of a game.

use core::fmt;
use core::ops::Deref;
use std::borrow::Cow;

use crate::Error;

/// The name of a tag: a letter, then letters, digits and underscores. The first letter is upper case.
///
/// `FEN`, `Setup`, `Result` and `GameType` are not available as tags here; they are written from the game itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TagName(Cow<'static, str>);

/// Tags that are written from the game itself.
const RESERVED: [&str; 4] = ["FEN", "Setup", "Result", "GameType"];

impl TagName {
    /// The tournament or match.
    pub const EVENT: TagName = TagName::literal("Event");
    /// The place.
    pub const SITE: TagName = TagName::literal("Site");
    /// The date, as `2026.02.28`, with `?` for unknown parts.
    pub const DATE: TagName = TagName::literal("Date");
    /// The round of the event.
    pub const ROUND: TagName = TagName::literal("Round");
    /// Who played White.
    pub const WHITE: TagName = TagName::literal("White");
    /// Who played Black.
    pub const BLACK: TagName = TagName::literal("Black");
    /// How the game ended.
    pub const TERMINATION: TagName = TagName::literal("Termination");
    /// Who wrote the comments.
    pub const ANNOTATOR: TagName = TagName::literal("Annotator");

    /// The tags at the head of every game, in the order of the standard.
    const FIRST: [TagName; 6] =
        [TagName::EVENT, TagName::SITE, TagName::DATE, TagName::ROUND, TagName::WHITE, TagName::BLACK];

    /// A custom name, for use in a `const`.
    ///
    /// # Panics
    /// If it is not a valid name; in a `const` that is a compile error.
    pub const fn literal(name: &'static str) -> TagName {
        assert!(is_name(name.as_bytes()) && name.as_bytes()[0].is_ascii_uppercase(), "not the name of a tag");
        TagName(Cow::Borrowed(name))
    }

    /// The tag with this name.
    ///
    /// # Errors
    /// If it has characters other than letters, digits and underscores, does not begin with a letter, or is reserved
    /// for the game itself.
    pub fn new(name: &str) -> Result<TagName, Error> {
        let reserved = RESERVED.iter().any(|other| other.eq_ignore_ascii_case(name));
        if reserved || !is_name(name.as_bytes()) {
            return Err(Error::TagName(name.into()));
        }
        if let Some(first) = TagName::FIRST.into_iter().find(|first| **first == *name) {
            return Ok(first);
        }
        let mut name = name.to_owned();
        name[..1].make_ascii_uppercase();
        Ok(TagName(name.into()))
    }

    /// Is it one of the tags at the head of every game?
    pub(crate) fn is_usual(&self) -> bool {
        self.rank() < TagName::FIRST.len()
    }

    /// Its rank in the order of writing: the tags at the head of every game come first, all others after them.
    fn rank(&self) -> usize {
        TagName::FIRST.iter().position(|first| first == self).unwrap_or(TagName::FIRST.len())
    }
}

pub(crate) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_name(name: &[u8]) -> bool {
    let mut at = 0;
    while at < name.len() {
        if !is_name_byte(name[at]) {
            return false;
        }
        at += 1;
    }
    !name.is_empty() && name[0].is_ascii_alphabetic()
}

impl Deref for TagName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

/// The tags of a game. Each name occurs once, regardless of case; the standard ones come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(TagName, Box<str>)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.place(name).map(|at| &*self.0[at].1)
    }

    /// Sets the value of a tag. Control characters become blanks, and surrounding blanks are removed.
    pub fn set(&mut self, name: TagName, value: &str) {
        let value = value.replace(char::is_control, " ").trim().into();
        if let Some(at) = self.place(&name) {
            self.0[at].1 = value;
            return;
        }
        let rank = name.rank();
        let at = self.0.partition_point(|(other, _)| other.rank() <= rank);
        self.0.insert(at, (name, value));
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    }

    /// Names and values, in the order in which they are written.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&TagName, &str)> {
        self.0.iter().map(|(name, value)| (name, &**value))
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there no tags?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(other, _)| other.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_tags_come_first_whenever_they_were_set() {
        let mut tags = Tags::default();
        tags.set(TagName::ANNOTATOR, "A");
        tags.set(TagName::BLACK, "B");
        tags.set(TagName::EVENT, "E");
        let names: Vec<_> = tags.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Event", "Black", "Annotator"]);
    }

    #[test]
    fn a_tag_has_one_value_whatever_its_case() {
        let mut tags = Tags::default();
        tags.set(TagName::new("blackTitle").unwrap(), "none");
        tags.set(TagName::new("BLACKTITLE").unwrap(), " grand\nmaster ");
        assert_eq!(tags.len(), 1);
        assert_eq!(tags.get("blacktitle"), Some("grand master"));
        tags.remove("BlackTitle");
        assert!(tags.is_empty());
    }

    #[test]
    fn what_the_game_answers_itself_is_no_tag() {
        for name in ["FEN", "fen", "SetUp", "Result", "GameType", "", "1st", "Black Player", "Café"] {
            assert!(TagName::new(name).is_err(), "{name}");
        }
    }
}
