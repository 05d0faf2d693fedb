//! Grapheme clusters: where a name may be cut, which is not before a mark, nor inside an emoji or a flag.
//!
//! Crates that segment text by all rules of Unicode Annex 29 bring more than 30 kB of tables along, and the page loads
//! this code before the first move. As a consequence, a name that is too long may be cut inside a syllable of some
//! Indic scripts.

/// The clusters of a text, which are kept or cut off as a whole. The text must not contain control characters.
pub(super) fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let mut chars = rest.char_indices();
        let mut last = chars.next()?.1;
        let mut indicators = usize::from(is_regional_indicator(last));
        let mut belongs = |c: char| {
            let is_second_half = indicators == 1 && is_regional_indicator(last) && is_regional_indicator(c);
            let belongs = c == JOINER
                || is_mark(c)
                || is_skin_tone(c)
                || TAGS.contains(&c)
                || last == JOINER && is_pictograph(c)
                || is_second_half;
            indicators = if is_second_half { 2 } else { indicators };
            last = c;
            belongs
        };
        let end = chars.find(|&(_, c)| !belongs(c)).map_or(rest.len(), |(at, _)| at);
        let (first, after) = rest.split_at(end);
        rest = after;
        Some(first)
    })
}

/// Does the character combine with the one before, without a width of its own? The property `Grapheme_Extend`.
pub(super) fn is_mark(c: char) -> bool {
    if c < '\u{300}' {
        return false;
    }
    // The standard library knows the property but does not expose it. However, it escapes such characters at the start
    // of a text and, unlike unprintable characters, nowhere else.
    let after_letter: String = ['a', c].into_iter().collect();
    c.escape_debug().count() > 1 && after_letter.escape_debug().count() == 2
}

/// Is it an emoji that others can be joined to? The property `Extended_Pictographic`, with the gaps between ranges
/// filled.
pub(super) fn is_pictograph(c: char) -> bool {
    PICTOGRAPHS.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Is it a skin tone, which modifies the emoji before it?
pub(super) fn is_skin_tone(c: char) -> bool {
    ('\u{1F3FB}'..='\u{1F3FF}').contains(&c)
}

/// Is it a regional indicator? Two of them make a flag.
fn is_regional_indicator(c: char) -> bool {
    ('\u{1F1E6}'..='\u{1F1FF}').contains(&c)
}

pub(super) const JOINER: char = '\u{200D}';
const TAGS: core::ops::RangeInclusive<char> = '\u{E0020}'..='\u{E007F}';

/// From `emoji-data.txt` of Unicode 17.
const PICTOGRAPHS: [(char, char); 19] = [
    ('\u{A9}', '\u{A9}'),
    ('\u{AE}', '\u{AE}'),
    ('\u{203C}', '\u{203C}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2139}', '\u{2139}'),
    ('\u{2194}', '\u{21AA}'),
    ('\u{231A}', '\u{23FF}'),
    ('\u{24C2}', '\u{24C2}'),
    ('\u{25AA}', '\u{27BF}'),
    ('\u{2934}', '\u{2935}'),
    ('\u{2B05}', '\u{2B55}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303D}', '\u{303D}'),
    ('\u{3297}', '\u{3297}'),
    ('\u{3299}', '\u{3299}'),
    ('\u{1F000}', '\u{1F1E5}'),
    ('\u{1F201}', '\u{1F3FA}'),
    ('\u{1F400}', '\u{1FAFF}'),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    /// The same cases in every run; the failing one is printed.
    const SEED: u64 = 2026;

    #[test]
    fn letters_with_marks_families_and_flags_are_whole() {
        for whole in ["e\u{301}\u{323}", "👩\u{200D}👩\u{200D}👧", "🇩🇪", "👍🏽", "🏴\u{E0067}\u{E007F}"]
        {
            assert_eq!(clusters(whole).collect::<Vec<_>>(), [whole]);
            assert_eq!(whole.graphemes(true).count(), 1);
        }
        assert_eq!(clusters("🇩🇪🇫🇷🇮").collect::<Vec<_>>(), ["🇩🇪", "🇫🇷", "🇮"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 4_096,
            rng_seed: RngSeed::Fixed(SEED),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// Texts in scripts that need no further rules.
        #[test]
        fn texts_are_divided_as_the_annex_says(
            text in "[ae 日\u{301}\u{308}\u{FE0F}\u{1F469}\u{2764}\u{1F3FD}\u{1F1E9}\u{1F1EA}]{0,12}",
        ) {
            let ours: Vec<&str> = clusters(&text).collect();
            let theirs: Vec<&str> = text.graphemes(true).collect();
            prop_assert_eq!(ours, theirs);
        }
    }
}
