//! The name of a player: one line of visible text, from whatever source it comes.

use core::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::grapheme::{JOINER, clusters, is_mark, is_pictograph, is_skin_tone};

/// Longer names are cut; a screen has no room for them.
pub const MAX_NAME_CHARS: usize = 32;

/// A name that fits on a screen and contains no invisible characters, wherever it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct Name(String);

/// Characters that show nothing, or reverse the text around them: the property `Default_Ignorable_Code_Point` of
/// `DerivedCoreProperties.txt` in Unicode 16, which includes everything invisible in the category Cf; then what it
/// leaves out: line and paragraph separators, the blank Braille pattern, annotations, and the layout of hieroglyphs.
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

const TEXT_STYLE: char = '\u{FE0E}';
const EMOJI_STYLE: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';
/// Begins the flags of Scotland and similar ones, which continue with tags and a cancel tag.
const BLACK_FLAG: char = '\u{1F3F4}';
const TAGS: RangeInclusive<char> = '\u{E0030}'..='\u{E007A}';
const LAST_TAG: char = '\u{E007F}';
/// No flag has more tags.
const MAX_TAGS: usize = 6;

/// Characters beyond this would be cut off anyway, unless they followed hundreds of marks.
const MAX_READ_CHARS: usize = 32 * MAX_NAME_CHARS;

/// The most marks that may stand above and below one letter.
const MAX_MARKS: usize = 2;
/// Tibetan and Burmese write parts of their syllables as marks.
const MAX_MARKS_OF_SYLLABLES: usize = 4;
const TIBETAN: RangeInclusive<char> = '\u{F00}'..='\u{FFF}';
const MYANMAR: RangeInclusive<char> = '\u{1000}'..='\u{109F}';

/// The text without invisible characters, and with few marks on each letter. Characters that join emoji stay.
fn cleaned(text: &str) -> String {
    let is_tag = |c: char| TAGS.contains(&c) || c == LAST_TAG;
    let joins = |c: char| matches!(c, JOINER | TEXT_STYLE | EMOJI_STYLE) || is_tag(c);
    let seen = text.chars().filter(|&c| is_seen(c) || joins(c)).skip_while(|c| c.is_whitespace());
    let chars: Vec<char> = seen.take(MAX_READ_CHARS).collect();
    let mut kept = String::new();
    let mut marks = 0;
    // Does the text so far end with an emoji, followed at most by its variation selector and skin tone?
    let mut is_picture = false;
    let mut rest = chars.as_slice();
    while let [c, after @ ..] = rest {
        rest = after;
        let before = kept.chars().next_back();
        if is_tag(*c) {
            continue;
        }
        let stays = match *c {
            JOINER => is_picture && after.first().is_some_and(|&next| is_pictograph(next)),
            TEXT_STYLE | EMOJI_STYLE => {
                before.is_some_and(is_pictograph)
                    || before.is_some_and(is_key) && after.first() == Some(&KEYCAP)
            }
            mark if is_mark(mark) => {
                let is_syllable = TIBETAN.contains(&mark) || MYANMAR.contains(&mark);
                marks += 1;
                marks <= if is_syllable { MAX_MARKS_OF_SYLLABLES } else { MAX_MARKS }
            }
            _ => {
                marks = 0;
                true
            }
        };
        if stays {
            kept.push(*c);
            let goes_on = matches!(*c, JOINER | TEXT_STYLE | EMOJI_STYLE) || is_skin_tone(*c);
            is_picture = is_pictograph(*c) || is_picture && goes_on;
        }
        if *c == BLACK_FLAG {
            let tags = after.iter().take_while(|&&tag| TAGS.contains(&tag)).count();
            if (1..=MAX_TAGS).contains(&tags) && after.get(tags) == Some(&LAST_TAG) {
                kept.extend(&after[..=tags]);
                rest = &after[tags + 1..];
            }
        }
    }
    kept
}

/// Is there a keycap emoji of this character?
fn is_key(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '#' | '*')
}

impl Name {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        let mut chars = 0;
        let fits = |cluster: &&str| {
            chars += cluster.chars().count();
            chars <= MAX_NAME_CHARS
        };
        let cut: String = clusters(cleaned(text).trim_start()).take_while(fits).collect();
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
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;
    use crate::player::Player;

    /// The same cases in every run; the failing one is printed.
    const SEED: u64 = 2026;

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
        for name in [
            "Łukasz O’Neill",
            "Зоя",
            "नीलम",
            "क्षत्रिय",
            "山田 太郎",
            "مُحَمَّد",
            "אוֹרִי",
            "น้ำผึ้ง",
            "မင်းအောင်လှိုင်",
            "སྒྲོལ་མ",
            "\u{1112}\u{1161}\u{11AB}",
            "😀",
            "e\u{301}",
            "Vie\u{302}\u{323}t",
        ] {
            assert_eq!(Name::from(name).as_str(), name);
        }
    }

    const FAMILY: &str = "👨‍👩‍👧‍👦";
    const SCOTLAND: &str = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";

    #[test]
    fn pictures_that_are_joined_to_one_stay_whole() {
        for picture in
            [FAMILY, SCOTLAND, "🇩🇪", "👩🏽‍🚀", "❤\u{FE0F}", "❤\u{FE0F}‍🔥", "🏳\u{FE0F}‍🌈", "1\u{FE0F}\u{20E3}"]
        {
            let name = format!("A{picture}b {picture}");
            assert_eq!(Name::from(name.as_str()).as_str(), name);
        }
    }

    #[test]
    fn what_joins_pictures_is_no_part_of_a_name_elsewhere() {
        for (text, name) in [
            ("A\u{200D}n\u{FE0F}na", "Anna"),
            ("😀\u{200D}", "😀"),
            ("😀\u{200D}a", "😀a"),
            ("a\u{200D}😀", "a😀"),
            ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"),
            ("x\u{FE0F}\u{20E3}", "x\u{20E3}"),
            ("🏴\u{E0067}\u{E0062}", "🏴"),
            ("🏴\u{E007F}", "🏴"),
            ("😀\u{E0067}\u{E007F}", "😀"),
        ] {
            assert_eq!(Name::from(text).as_str(), name, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn at_most_two_marks_stand_on_a_letter() {
        for mark in ["\u{301}", "\u{489}", "\u{E47}", "\u{64E}", "\u{20DD}", "\u{1AB0}", "\u{16B30}"] {
            for between in ["", "\u{200B}", "\u{200D}", "\u{FE0F}", "\u{E0067}"] {
                let text = format!("Z{}a", format!("{mark}{between}").repeat(20));
                assert_eq!(
                    Name::from(text.as_str()).as_str(),
                    format!("Z{mark}{mark}a"),
                    "{}",
                    text.escape_unicode()
                );
            }
        }
    }

    #[test]
    fn a_cut_leaves_characters_whole() {
        let cut = |start: usize, tail: &str| {
            Name::from(format!("{}{tail}", "a".repeat(start))).as_str().chars().count()
        };
        assert_eq!(cut(25, FAMILY), 32);
        assert_eq!(cut(26, FAMILY), 26);
        assert_eq!(cut(26, SCOTLAND), 26);
        assert_eq!(cut(31, "🇩🇪"), 31);
        assert_eq!(cut(29, "🇩🇪🇩🇪"), 31);
        assert_eq!(cut(31, "e\u{301}"), 31);
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2_048,
            rng_seed: RngSeed::Fixed(SEED),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn a_name_is_a_name_whatever_it_was_made_from(
            text in "[a1 \u{7}\u{301}\u{308}\u{200B}\u{103E}\u{200D}\u{FE0F}\u{20E3}\u{2764}\u{1F468}\u{1F3FB}\u{1F1E9}\u{1F1EA}\u{1F3F4}\u{E0067}\u{E007F}]{0,60}",
        ) {
            let name = Name::from(text.as_str());
            prop_assert_eq!(&Name::from(name.as_str()), &name, "read from a log it is the same");
            prop_assert!(name.as_str().chars().count() <= MAX_NAME_CHARS);
            let whole = cleaned(&text);
            let rest = whole.trim_start().strip_prefix(name.as_str()).expect("the beginning");
            let start = whole.len() - rest.len();
            prop_assert!(whole.grapheme_indices(true).map(|(at, _)| at).chain([whole.len()]).any(|at| at == start));
        }
    }
}
