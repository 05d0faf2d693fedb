//! A shortened quotation of invalid input, for error messages.

use alloc::boxed::Box;
use alloc::format;
use core::fmt;

/// At most 32 characters of the offending text, so that an error never grows with its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt(Box<str>);

const MAX_CHARS: usize = 32;

impl From<&str> for Excerpt {
    fn from(text: &str) -> Excerpt {
        let text = text.trim();
        match text.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => Excerpt(format!("{}…", &text[..end]).into()),
            None => Excerpt(text.into()),
        }
    }
}

/// In quotes, control characters escaped.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            f.write_str("an empty text")
        } else {
            write!(f, "“{}”", self.0.escape_debug())
        }
    }
}
