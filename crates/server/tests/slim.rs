//! What the build leaves out of scripts and style sheets.

#[path = "../build/slim.rs"]
mod slim;

use slim::slim;

#[test]
fn lines_that_are_only_comment_are_left_out() {
    let text =
        "/**\n * A board.\n */\nexport class Board {\n  // why\n\n  /** one line */\n  x = 1; // here\n}\n";
    assert_eq!(slim(text), "export class Board {\n  x = 1; // here\n}\n");
    assert_eq!(slim("/* a */ .b { c: d }\n"), "/* a */ .b { c: d }\n");
}

#[test]
fn templates_are_left_as_they_are() {
    let text = "const a = `\n// no comment\n\n/* nor this\n*/\n`;\n// a comment\n";
    assert_eq!(slim(text), "const a = `\n// no comment\n\n/* nor this\n*/\n`;\n");
    assert_eq!(slim("a = `\\``;\n// b\n"), "a = `\\``;\n");
}
