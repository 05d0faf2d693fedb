//! Progress bars on standard error, hidden unless it is a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The redraw interval of a ticking bar.
const TICK: Duration = Duration::from_millis(200);

/// A bar with an indicatif template, hidden if standard error is not a terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is right");
    ProgressBar::new(length).with_style(style)
}

/// A bar that also redraws itself during long steps.
pub(crate) fn ticking_bar(length: u64, template: &str) -> ProgressBar {
    let bar = bar(length, template);
    // Ticking takes a thread, which a hidden bar does not need.
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
    bar
}
