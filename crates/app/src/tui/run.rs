//! The event loop of the full-screen interface: draw, wait for a message, handle it.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use ratatui::crossterm::event;

use super::app::{App, Flow, Message};
use super::look::Look;
use super::options::Options;
use super::session::now;
use super::terminal::Screen;
use super::thinker::Thinker;

/// The longest wait between two redraws.
const IDLE: Duration = Duration::from_secs(1);

/// Runs the full-screen interface.
///
/// # Errors
/// If there is no terminal, or the options do not describe a possible game.
pub(crate) fn play(options: Options) -> anyhow::Result<()> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!("the board needs a terminal; `crownhead play --plain` does without one");
    }
    let look = Look::detect(options.wish, &|name| env::var(name).ok());
    let (sender, messages) = mpsc::channel();
    let thinker = Thinker::start(options.tables.clone(), {
        let sender = sender.clone();
        move |thought| drop(sender.send(Message::Thought(thought)))
    })?;
    let mouse = options.mouse;
    let mut app = App::new(options, look, thinker, now())?;
    let mut screen = Screen::take(mouse).context("the terminal cannot show a screen")?;
    listen(sender)?;
    let done = show(&mut app, &mut screen, &messages);
    app.close();
    drop(screen);
    done
}

/// Draws, waits and handles messages until the player quits.
fn show(app: &mut App, screen: &mut Screen, messages: &Receiver<Message>) -> anyhow::Result<()> {
    loop {
        screen.terminal.draw(|frame| app.draw(frame.area(), now(), frame.buffer_mut()))?;
        let until = app.next_change(now()).map_or(IDLE, |at| Duration::from_millis(at.since(now())));
        let mut next = match messages.recv_timeout(until.min(IDLE)) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        while let Some(message) = next {
            match app.handle(message, now()) {
                Flow::GoOn => {}
                Flow::Redraw => screen.redraw()?,
                Flow::Suspend => screen.lend(suspend)?,
                Flow::Quit => return Ok(()),
            }
            next = messages.try_recv().ok();
        }
        app.tick(now());
    }
}

/// Starts the threads that turn keys, clicks and signals into messages.
fn listen(sender: Sender<Message>) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])
            .context("cannot listen to signals")?;
        let sender = sender.clone();
        thread::spawn(move || {
            if signals.forever().next().is_some() {
                let _ = sender.send(Message::End);
            }
        });
    }
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Message::Input(event)).is_err() {
                return;
            }
        }
        // Without input no key can end the program.
        let _ = sender.send(Message::End);
    });
    Ok(())
}

#[cfg(unix)]
fn suspend() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)
}

#[cfg(not(unix))]
fn suspend() -> io::Result<()> {
    Ok(())
}
