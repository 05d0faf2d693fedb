//! A progress bar on standard error, where somebody sees it.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar drawn by a template of indicatif; an invisible one if standard error is no terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is right");
    ProgressBar::new(length).with_style(style)
}
