//! Ctrl-C handling: the first one sets a stop flag, so that a command can report its partial result.

use std::fmt;
use std::io;
use std::process;
use std::thread;

use crownhead_engine::StopFlag;
use tokio::runtime;
use tokio::signal::ctrl_c;

/// The exit code that shells expect of a program ended by SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

/// Ctrl-C ended the command early. The command has already printed its partial result.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// The first Ctrl-C sets the stop flag; the second ends the program immediately.
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
