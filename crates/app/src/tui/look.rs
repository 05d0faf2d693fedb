//! Terminal capabilities: colour depth and character set, detected from the environment.

use clap::ValueEnum;
use ratatui::style::{Modifier, Style};

/// The style of important text.
pub(crate) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
/// The style of secondary text.
pub(crate) const DIM: Style = Style::new().add_modifier(Modifier::DIM);

/// The colours and characters that the screens use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) colours: Colours,
    pub(crate) charset: Charset,
}

/// The colour depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colours {
    /// 24-bit true colour.
    True,
    /// The 256-colour palette of xterm.
    #[value(name = "256")]
    Indexed,
    /// The 16 colours of the terminal's theme.
    #[value(name = "16")]
    Ansi,
    /// No colours; only bold, dim, underlined and reversed text.
    Mono,
}

/// The character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    Unicode,
    Ascii,
}

/// The player's choices, which override detection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) colours: Option<Colours>,
    pub(crate) charset: Option<Charset>,
}

impl Look {
    /// Detects the capabilities of the terminal from environment variables.
    pub(crate) fn detect(wish: Wish, variable: &dyn Fn(&str) -> Option<String>) -> Look {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        Look {
            colours: wish.colours.unwrap_or_else(|| colours(&set)),
            charset: wish.charset.unwrap_or_else(|| charset(&set)),
        }
    }

    /// Picks the Unicode or the ASCII variant.
    pub(crate) fn pick<T>(self, unicode: T, ascii: T) -> T {
        if self.charset == Charset::Unicode { unicode } else { ascii }
    }

    /// Does the terminal have the colours and characters for the pixel renderer?
    pub(crate) fn paints_discs(self) -> bool {
        self.charset == Charset::Unicode && matches!(self.colours, Colours::True | Colours::Indexed)
    }
}

/// Terminals that support true colour but do not always announce it.
const TRUE_COLOUR_TERMINALS: [&str; 6] = ["direct", "kitty", "alacritty", "foot", "ghostty", "wezterm"];

fn colours(set: &dyn Fn(&str) -> Option<String>) -> Colours {
    if set("NO_COLOR").is_some() {
        return Colours::Mono;
    }
    let colorterm = set("COLORTERM").unwrap_or_default();
    let says_true = colorterm == "truecolor" || colorterm == "24bit";
    match set("TERM") {
        None if cfg!(windows) => Colours::True,
        None => Colours::Mono,
        Some(term) if term == "dumb" || term.starts_with("vt") || term.ends_with("-mono") => Colours::Mono,
        Some(_) if says_true => Colours::True,
        Some(term) if TRUE_COLOUR_TERMINALS.iter().any(|name| term.contains(name)) => Colours::True,
        Some(term) if term.contains("256color") => Colours::Indexed,
        Some(_) => Colours::Ansi,
    }
}

fn charset(set: &dyn Fn(&str) -> Option<String>) -> Charset {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
    // The font of the Linux console has neither discs nor crowns.
    let has_glyphs = set("TERM").is_none_or(|term| term != "linux");
    if (is_utf8 && has_glyphs) || cfg!(windows) { Charset::Unicode } else { Charset::Ascii }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(variables: &[(&str, &str)]) -> (Colours, Charset) {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let look = Look::detect(Wish::default(), &variable);
        (look.colours, look.charset)
    }

    #[test]
    fn the_environment_tells_the_colours() {
        let colours = |variables| seen(variables).0;
        assert_eq!(colours(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Colours::True);
        assert_eq!(colours(&[("TERM", "xterm-kitty")]), Colours::True);
        assert_eq!(colours(&[("TERM", "tmux-256color")]), Colours::Indexed);
        assert_eq!(colours(&[("TERM", "xterm")]), Colours::Ansi);
        assert_eq!(colours(&[("TERM", "vt100"), ("COLORTERM", "truecolor")]), Colours::Mono);
        assert_eq!(colours(&[("TERM", "dumb")]), Colours::Mono);
    }

    #[test]
    fn no_color_is_respected_unless_it_is_empty() {
        let terminal = [("TERM", "xterm-256color"), ("NO_COLOR", "1")];
        assert_eq!(seen(&terminal).0, Colours::Mono);
        assert_eq!(seen(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]).0, Colours::Indexed);
    }

    #[test]
    fn a_locale_without_unicode_gets_ascii() {
        let charset = |variables| seen(variables).1;
        assert_eq!(charset(&[("LANG", "en_US.UTF-8")]), Charset::Unicode);
        assert_eq!(charset(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]), Charset::Ascii);
        assert_eq!(charset(&[("LANG", "de_DE.utf8"), ("TERM", "linux")]), Charset::Ascii);
        assert_eq!(charset(&[]), Charset::Ascii);
    }

    #[test]
    fn a_wish_overrides_the_environment() {
        let wish = Wish { colours: Some(Colours::Mono), charset: Some(Charset::Unicode) };
        let look = Look::detect(wish, &|_| Some("xterm-256color".to_owned()));
        assert_eq!((look.colours, look.charset), (Colours::Mono, Charset::Unicode));
    }
}
