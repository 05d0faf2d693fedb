//! `cargo xtask picture`: plays a game in a real pseudo-terminal and keeps the screen as `docs/images/terminal.svg`.

mod svg;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::steps;

const PROGRAM: &str = "target/debug/crownhead";
const PICTURE: &str = "docs/images/terminal.svg";
/// Room for squares three cells high, and for the widest panel beside them.
const SIZE: PtySize = PtySize { rows: 32, cols: 98, pixel_width: 0, pixel_height: 0 };
/// Whoever waits longer than this for the screen waits in vain.
const PATIENCE: Duration = Duration::from_mins(1);
/// A game up to a position with a king on each side and a man that must jump.
const MOVES: &str = "9-14 22-18 6-9 25-22 12-16 24-20 8-12 28-24 1-6 29-25 3-8 24-19 9-13 18x9 5x14 22-18 14-17 \
                     21x14 10x17 26-22 17x26 31x22 13-17 22x13 11-15 19x1 7-10 20x11 8x29 13-9 12-16 27-24 4-8 \
                     24-20 8-11 32-27 2-7 1-6 10-15 27-24 16-19";
/// To pick up the man and type its jump, without the last Enter.
const LAST_KEYS: &str = "\t\r23x16";
/// What the screen shows then.
const LAST_WORDS: &str = "Move: 23x16";

/// Builds the program, plays, and writes the picture.
pub(crate) fn take() -> anyhow::Result<()> {
    steps::cargo("program", &["build", "--package", "crownhead"], &[])?;
    let data = std::env::temp_dir().join(format!("crownhead-picture-{}", std::process::id()));
    let taken = play(&data);
    // Nobody needs the game any more.
    let _ = fs::remove_dir_all(&data);
    fs::write(PICTURE, svg::of(&taken?)).with_context(|| format!("cannot write {PICTURE}"))?;
    println!("xtask: {PICTURE} is drawn");
    Ok(())
}

/// The screen after the moves, with a piece in hand.
fn play(data: &Path) -> anyhow::Result<vt100::Screen> {
    let pty = native_pty_system().openpty(SIZE)?;
    let mut command = CommandBuilder::new(fs::canonicalize(PROGRAM)?);
    command.args(["play", "--players", "2", "--side", "second", "--no-animation", "--data"]);
    command.arg(data);
    for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LC_ALL", "C.UTF-8")] {
        command.env(name, value);
    }
    command.env_remove("NO_COLOR");
    let mut child = pty.slave.spawn_command(command)?;
    drop(pty.slave);
    let mut keyboard = pty.master.take_writer()?;
    let mut window = Window { output: read(pty.master.try_clone_reader()?), parser: parser()? };
    window.wait_for("Black to move.")?;
    write!(keyboard, "{}\r{LAST_KEYS}", MOVES.replace(' ', "\r"))?;
    window.wait_for(LAST_WORDS)?;
    child.kill()?;
    child.wait()?;
    Ok(window.parser.screen().clone())
}

fn parser() -> anyhow::Result<vt100::Parser> {
    let cells = |count: u16| count.try_into().context("a window has cells");
    Ok(vt100::Parser::new(cells(SIZE.rows)?, cells(SIZE.cols)?, 0))
}

/// What the program writes, as it comes.
fn read(mut reader: Box<dyn Read + Send>) -> Receiver<Vec<u8>> {
    let (sender, output) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            if sender.send(bytes[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    output
}

struct Window {
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
}

impl Window {
    fn wait_for(&mut self, text: &str) -> anyhow::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !self.parser.screen().contents().contains(text) {
            let Ok(bytes) = self.output.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            else {
                bail!("waited in vain for {text}; the screen is\n{}", self.parser.screen().contents());
            };
            self.parser.process(&bytes);
        }
        Ok(())
    }
}
