//! A progress bar on standard error, where somebody sees it.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar moves on by itself.
const TICK: Duration = Duration::from_millis(200);

/// A bar drawn by a template of indicatif; an invisible one if standard error is no terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is right");
    ProgressBar::new(length).with_style(style)
}

/// A bar that moves on by itself while a step takes long.
pub(crate) fn ticking_bar(length: u64, template: &str) -> ProgressBar {
    let bar = bar(length, template);
    // It takes a thread, for nothing where nobody sees it.
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}
