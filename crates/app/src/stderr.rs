//! What the program says on standard error.

use std::fmt;
use std::io::{self, Write};

/// Prints a line to stderr. Unlike `eprintln!`, it does not panic if stderr is closed.
pub(crate) fn tell(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}
