//! What the program says on standard error.

use std::fmt;
use std::io::{self, Write};

/// Says a line. That nobody hears it is no failure, which `eprintln!` would make of it.
pub(crate) fn tell(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}
