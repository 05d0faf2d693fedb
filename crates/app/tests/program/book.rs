//! `crownhead book` as a user runs it.

use std::fs;

use crate::{failure, stdout};

#[test]
fn a_book_is_written_with_the_words_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let name = out.to_str().unwrap();
    let plan = ["book", "--nodes", "10", "--free-plies", "2", "--ballot-plies", "0"];
    let told = stdout(&[&plan[..], &["--out", name]].concat());
    let (positions, rest) = told.split_once(' ').unwrap();
    // The first position, and those after its good moves.
    assert!((2..=4).contains(&positions.parse().unwrap()), "{told}");
    assert_eq!(rest, format!("positions in {name}\n"));
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.contains(&format!("\norigin crownhead {}, signature ", plan.join(" "))), "{text}");
    assert!(text.contains("\n11-15 "), "{text}");
}

#[test]
fn a_book_of_one_position_is_told_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let name = out.to_str().unwrap();
    let plan = ["book", "--nodes", "10", "--free-plies", "1", "--ballot-plies", "0", "--out", name];
    assert_eq!(stdout(&plan), format!("1 position in {name}\n"));
}

#[test]
fn bad_input_is_named() {
    for (arguments, code, complaint) in [
        (&["book"][..], 2, "--out <FILE>"),
        (&["book", "--out", "x", "--nodes", "0"], 2, "write a whole number from 1 to "),
        (
            &["book", "--out", "x", "--free-plies", "0", "--ballot-plies", "0"],
            2,
            "without any plies is empty",
        ),
        (&["book", "--out", "/no/such/folder/book.txt"], 1, "cannot write /no/such/folder/book.txt"),
    ] {
        let (ended, message) = failure(arguments);
        assert_eq!((ended, message.contains(complaint)), (Some(code), true), "{arguments:?}: {message}");
    }
}
