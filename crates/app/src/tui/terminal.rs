//! Terminal setup and teardown: raw mode, alternate screen and mouse, restored on exit, error and panic.

use std::io::{self, Write, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Position, Rect};

use super::thinker;

/// Is the terminal in raw mode now? Makes sure that it is restored only once.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The screen. Dropping it restores the terminal.
pub(crate) struct Screen {
    pub(crate) terminal: Terminal<CrosstermBackend<io::Stdout>>,
    mouse: bool,
}

impl Screen {
    /// Sets up the terminal: alternate screen, raw mode, and mouse capture if wanted.
    pub(crate) fn take(mouse: bool) -> io::Result<Screen> {
        watch_panics();
        enter(mouse)?;
        match Terminal::new(CrosstermBackend::new(stdout())) {
            Ok(terminal) => Ok(Screen { terminal, mouse }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Restores the terminal while `meanwhile` runs, then sets it up again.
    pub(crate) fn lend(&mut self, meanwhile: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        give_back();
        let done = meanwhile();
        enter(self.mouse)?;
        self.redraw()?;
        done
    }

    /// Forgets the contents of the screen, so that everything is redrawn. [`Terminal::clear`] would query the cursor
    /// position, and the answer would get lost among the keys.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    if mouse {
        execute!(stdout(), EnableMouseCapture)?;
    }
    Ok(())
}

fn give_back() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // If a step fails, the rest is still tried: there is no way left to report it.
    let _ = execute!(stdout(), DisableMouseCapture, DisableBracketedPaste, LeaveAlternateScreen);
    let _ = execute!(stdout(), ratatui::crossterm::cursor::Show);
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// Restores the terminal before a panic message is printed, so that it can be read. A panic in the computer's thread is
/// caught there and shown on the screen.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() == Some(thinker::THREAD_NAME) {
                return;
            }
            give_back();
            tell(info);
        }));
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    /// Set in the child process of the test, which runs in its own terminal and panics there.
    const ON_PURPOSE: &str = "CROWNHEAD_TEST_PANIC";

    #[test]
    fn a_panic_gives_the_terminal_back() {
        if std::env::var_os(ON_PURPOSE).is_some() {
            let _screen = Screen::take(true).unwrap();
            panic!("on purpose");
        }
        let pty = native_pty_system().openpty(PtySize::default()).unwrap();
        let before = pty.master.get_termios().unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--exact", "tui::terminal::tests::a_panic_gives_the_terminal_back", "--nocapture"]);
        command.env(ON_PURPOSE, "1");
        let mut child = pty.slave.spawn_command(command).unwrap();
        let mut reader = pty.master.try_clone_reader().unwrap();
        let reading = thread::spawn(move || {
            let mut bytes = Vec::new();
            // Reading fails once the other end is closed.
            let _ = reader.read_to_end(&mut bytes);
            bytes
        });
        assert!(!child.wait().unwrap().success());
        assert_eq!(pty.master.get_termios().unwrap(), before);
        drop(pty);
        let bytes = reading.join().unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (page, after) = text.split_once("\x1b[?1049l").expect("the page is left");
        assert!(page.contains("\x1b[?1049h") && after.contains("on purpose"), "{text}");
        let mut parser = vt100::Parser::default();
        parser.process(&bytes);
        let screen = parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}
