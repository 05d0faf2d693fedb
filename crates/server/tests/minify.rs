//! What the build leaves out of scripts and style sheets.

#[path = "../build/minify.rs"]
mod minify;

use minify::{css, javascript};

#[test]
fn comments_and_whitespace_leave_scripts() {
    let text =
        "/**\n * A board.\n */\nexport class Board {\n  // why\n\n  /** one line */\n  x = 1; // here\n}\n";
    assert_eq!(javascript(text).expect("a module"), "export class Board{x=1}");
}

#[test]
fn modules_still_import_and_export() {
    let text =
        "import { load } from \"./wasm.js\";\nexport const url = new URL(\"./a.wasm\", import.meta.url);\n";
    let minified = javascript(text).expect("a module");
    assert!(minified.starts_with("import{load}from\"./wasm.js\";export const url=new URL("), "{minified}");
    assert!(minified.contains("import.meta.url"), "{minified}");
}

#[test]
fn strings_and_templates_keep_what_looks_like_a_comment() {
    let text =
        "const a = `\n// text\n\n/* text\n*/ \\` ${1 /* gone */}`;\nconst b = \"/* text */\"; // gone\n";
    let minified = javascript(text).expect("a module");
    assert!(minified.contains("`\n// text\n\n/* text\n*/ \\` ${1}`"), "{minified}");
    assert!(minified.contains("/* text */") && !minified.contains("gone"), "{minified}");
}

#[test]
fn a_script_that_cannot_be_parsed_is_an_error() {
    assert!(javascript("export const = 1;").is_err());
}

#[test]
fn style_sheets_keep_the_spaces_that_mean_something() {
    let text = "/* a */\n.pills :checked + span { width: calc(100% - 2px); }\n@media (a: b) and (c: d) { .e { f: g } }\n";
    assert_eq!(
        css(text).expect("a style sheet").trim(),
        ".pills :checked+span{width:calc(100% - 2px);}@media (a:b) and (c:d){.e{f:g}}"
    );
}
