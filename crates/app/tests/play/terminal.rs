//! A real pseudo-terminal with the program in it, and somebody who types and looks.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Whoever waits longer than this for something on the screen waits in vain.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often somebody who waits looks again.
const GLANCE: Duration = Duration::from_millis(10);

/// A terminal window.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    parser: Arc<Mutex<vt100::Parser>>,
}

/// What the window says about itself.
pub(crate) const TRUE_COLOUR: [(&str, &str); 3] =
    [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")];

fn size(width: u16, height: u16) -> PtySize {
    PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a window has cells")
}

impl Terminal {
    /// Opens a window and runs a program in it, with nothing in its environment but this.
    pub(crate) fn open(
        (width, height): (u16, u16),
        program: &Path,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Terminal {
        let pty = native_pty_system().openpty(size(width, height)).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pty.slave.spawn_command(command).expect("the program starts");
        drop(pty.slave);
        let parser = Arc::new(Mutex::new(vt100::Parser::new(cells(height), cells(width), 0)));
        let mut output = pty.master.try_clone_reader().expect("what the program writes");
        thread::spawn({
            let parser = Arc::clone(&parser);
            move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    parser.lock().unwrap_or_else(PoisonError::into_inner).process(&bytes[..count]);
                }
            }
        });
        let keyboard = pty.master.take_writer().expect("a keyboard");
        Terminal { master: pty.master, keyboard, child, parser }
    }

    fn parser(&self) -> MutexGuard<'_, vt100::Parser> {
        self.parser.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The screen as it is now.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.parser().screen().clone()
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen().contents()
    }

    /// Presses keys.
    pub(crate) fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the program reads keys");
        self.keyboard.flush().expect("the program reads keys");
    }

    /// Waits until the screen is as it should be.
    pub(crate) fn wait(&self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(&self.screen()) {
            assert!(Instant::now() < deadline, "waited in vain for {what}; the screen is\n{}", self.text());
            thread::sleep(GLANCE);
        }
    }

    /// Waits for a text on the screen.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Changes the size of the window.
    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.parser().screen_mut().set_size(cells(height), cells(width));
        self.master.resize(size(width, height)).expect("the window changes its size");
    }

    /// The column and row of a text on the screen, from 0.
    pub(crate) fn find(&self, text: &str) -> Option<(u16, u16)> {
        let screen = self.screen();
        let width = screen.size().1.get();
        screen.rows(0, width).zip(0..).find_map(|(line, row)| {
            let at = line.find(text)?;
            Some((line[..at].chars().count() as u16, row))
        })
    }

    /// Presses, drags or releases the mouse, as xterm tells it.
    pub(crate) fn mouse(&mut self, what: Mouse, (column, row): (u16, u16)) {
        let (code, end) = match what {
            Mouse::Down => (0, 'M'),
            Mouse::Drag => (32, 'M'),
            Mouse::Up => (0, 'm'),
            Mouse::WheelUp => (64, 'M'),
        };
        self.send(&format!("\x1b[<{code};{};{}{end}", column + 1, row + 1));
    }

    pub(crate) fn click(&mut self, place: (u16, u16)) {
        self.mouse(Mouse::Down, place);
        self.mouse(Mouse::Up, place);
    }

    /// Ends the program at once, whatever it is doing.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the program can be killed");
        self.child.wait().expect("the program is gone");
    }

    /// Waits for the end of the program.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the program can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end; the screen is\n{}", self.text());
            thread::sleep(GLANCE);
        }
    }
}

/// What can be done with a mouse.
#[derive(Clone, Copy)]
pub(crate) enum Mouse {
    Down,
    Drag,
    Up,
    WheelUp,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
