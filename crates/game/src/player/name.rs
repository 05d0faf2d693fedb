//! The name of a player: a line of text that can be seen, whoever gave it.

use serde::{Deserialize, Serialize};

/// Names are cut here; a screen has no room for more.
pub const MAX_NAME_CHARS: usize = 32;

/// A name that fits on a screen and has nothing in it that cannot be seen, wherever it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct Name(String);

/// Characters that show nothing, or turn the text around them. The property `Default_Ignorable_Code_Point` of
/// `DerivedCoreProperties.txt` in Unicode 16, which has all that is invisible of the category Cf; then what it leaves out:
/// the ends of lines and paragraphs, the blank pattern of Braille, annotations, and the layout of hieroglyphs.
const UNSEEN: [(char, char); 21] = [
    ('\u{AD}', '\u{AD}'),
    ('\u{34F}', '\u{34F}'),
    ('\u{61C}', '\u{61C}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{200B}', '\u{200F}'),
    ('\u{202A}', '\u{202E}'),
    ('\u{2060}', '\u{206F}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFF8}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E0FFF}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{FFF9}', '\u{FFFB}'),
    ('\u{13430}', '\u{1343F}'),
];

fn is_seen(c: char) -> bool {
    !c.is_control() && !UNSEEN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

impl Name {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        let seen = text.chars().filter(|&c| is_seen(c)).skip_while(|c| c.is_whitespace());
        let cut: String = seen.take(MAX_NAME_CHARS).collect();
        Name(cut.trim_end().to_owned())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name::from(text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Player;

    #[test]
    fn a_name_is_cut_and_cleaned_however_it_is_made() {
        let long = format!(" \u{7} {} ", "Ä".repeat(1_000_000));
        let human: Player =
            serde_json::from_value(serde_json::json!({"kind": "human", "name": long})).expect("a player");
        assert_eq!(human.name(), "Ä".repeat(MAX_NAME_CHARS));
        assert_eq!(Player::human(&long), human);
        assert_eq!(Player::human("\u{7}\n\t ").name(), "");
    }

    #[test]
    fn what_cannot_be_seen_is_no_part_of_a_name() {
        for unseen in [
            '\u{AD}',
            '\u{61C}',
            '\u{180E}',
            '\u{200B}',
            '\u{200D}',
            '\u{200F}',
            '\u{202E}',
            '\u{2028}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{206F}',
            '\u{2800}',
            '\u{3164}',
            '\u{FE0F}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{FFF9}',
            '\u{1D173}',
            '\u{E0001}',
            '\u{E0041}',
            '\u{E0100}',
        ] {
            assert_eq!(Name::from(format!("An{unseen}na").as_str()).as_str(), "Anna", "{unseen:?}");
            assert_eq!(Name::from(format!(" {unseen} ").repeat(40)).as_str(), "", "{unseen:?}");
        }
    }

    #[test]
    fn names_of_all_scripts_stay_as_they_are() {
        for name in ["Łukasz O’Neill", "Зоя", "नीलम", "山田 太郎", "مريم", "אורי", "😀", "e\u{301}"]
        {
            assert_eq!(Name::from(name).as_str(), name);
        }
    }
}
