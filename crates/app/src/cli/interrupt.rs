//! Ctrl-C as a stop button, so that what has been done so far is told.

use std::fmt;
use std::io;
use std::process;
use std::thread;

use crownhead_engine::StopFlag;
use tokio::runtime;
use tokio::signal::ctrl_c;

/// What shells expect of a program that Ctrl-C ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// The user had enough before it was done. All there is to say has been said.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// The first Ctrl-C presses the button, the second one ends the program at once.
pub(super) fn stop_on_ctrl_c(button: StopFlag) -> io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().spawn(move || {
        runtime.block_on(async {
            if ctrl_c().await.is_ok() {
                button.set();
            }
            if ctrl_c().await.is_ok() {
                process::exit(EXIT_CODE.into());
            }
        });
    })?;
    Ok(())
}
