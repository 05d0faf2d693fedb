//! Comments on moves.

use core::fmt;
use core::ops::Deref;

/// A comment in the form that fits between braces: one line of words with single blanks between them, and parentheses
/// instead of braces, which cannot be written inside a comment.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Comment(Box<str>);

impl Comment {
    /// The comment with this text, or `None` if the text has no word.
    pub fn new(text: &str) -> Option<Comment> {
        let mut said = String::with_capacity(text.len());
        for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty())
        {
            if !said.is_empty() {
                said.push(' ');
            }
            said.extend(word.chars().map(|c| match c {
                '{' => '(',
                '}' => ')',
                other => other,
            }));
        }
        if said.is_empty() { None } else { Some(Comment(said.into())) }
    }
}

impl Deref for Comment {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_one_line_without_braces() {
        let comment = Comment::new(" {see\r\n\tgame 5} \u{7}twice ").unwrap();
        assert_eq!(&*comment, "(see game 5) twice");
        assert_eq!(Comment::new(&comment), Some(comment));
    }

    #[test]
    fn nothing_said_is_no_comment() {
        assert_eq!(Comment::new(" \n"), None);
    }
}
