//! Draws the game screen.

use crownhead_game::{Button, Time, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::GameScreen;
use super::picture::PULSE_STEP_MS;
use crate::tui::hints;
use crate::tui::keys::Action;
use crate::tui::layout::{Layout, TooSmall};
use crate::tui::look::{BOLD, DIM, Look};
use crate::tui::panel::Panel;
use crate::tui::words;

const SPINNER: [&str; 8] = ["⣷", "⣯", "⣟", "⡿", "⢿", "⣻", "⣽", "⣾"];
const ASCII_SPINNER: [&str; 8] = ["|", "/", "-", "\\", "|", "/", "-", "\\"];
const SPINNER_MS: u64 = 100;
/// The frame interval of animations.
const FRAME_MS: u64 = 30;
/// The redraw interval of a clock with little time left.
const TENTH_MS: u64 = 100;
const SECOND_MS: u64 = 1_000;
const SHORT_OF_TIME_MS: u64 = 10_000;

/// Draws the message that the screen is too small, as long as the screen allows.
pub(crate) fn draw_too_small(needed: TooSmall, area: Rect, look: Look, buffer: &mut Buffer) {
    let times = look.pick("×", "x");
    let text = format!(
        "Crownhead needs {}{times}{} cells; this window has {}{times}{}.",
        needed.width, needed.height, area.width, area.height
    );
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

impl GameScreen {
    pub(crate) fn draw(&mut self, area: Rect, look: Look, now: Time, buffer: &mut Buffer) {
        self.places.actions.clear();
        self.places.moves.clear();
        self.places.answers.clear();
        self.places.board = None;
        let layout = match Layout::new(area) {
            Ok(layout) => layout,
            Err(needed) => return draw_too_small(needed, area, look, buffer),
        };
        let view = self.view(now);
        self.places.board = Some(layout.board);
        layout.board.draw(&self.scene(&view, now), look, buffer);
        draw_title(&view, layout.title, buffer);
        self.places.moves =
            Panel { view: &view, bottom: self.bottom(&view), look }.draw(layout.sides, buffer);
        self.draw_status(&view, layout.status, look, now, buffer);
        self.draw_entry(layout.entry, look, buffer);
        self.places.actions = hints::draw(&possible(&view), layout.hints, buffer);
        // A dialog waits for the end of the animation.
        if let Some(question) = self.question.as_ref().filter(|_| self.animation.is_none()) {
            self.places.answers = question.dialog().draw(layout.dialog_area(area), look, buffer);
        }
    }

    fn draw_status(&self, view: &View, area: Rect, look: Look, now: Time, buffer: &mut Buffer) {
        let status = if self.looking.is_some() {
            format!("After move {} of {}. Esc returns to the game.", view.shown, view.list.len())
        } else if view.thinking {
            let frame = (now.0 / SPINNER_MS) as usize % SPINNER.len();
            format!("{} {}", look.pick(SPINNER[frame], ASCII_SPINNER[frame]), view.status)
        } else {
            view.status.clone()
        };
        let more = self.message.clone().or_else(|| {
            let thought = self.thought.clone().filter(|_| self.settings.thoughts && view.thinking);
            thought.or_else(|| words::hint(view)).or_else(|| view.notice.clone())
        });
        let is_narrow = usize::from(area.width) < Span::raw(&status).width() + 20;
        let lines = match more {
            Some(more) if is_narrow => vec![Line::raw(more)],
            Some(more) => vec![Line::styled(status, BOLD), Line::raw(more)],
            None => vec![Line::styled(status, BOLD)],
        };
        Paragraph::new(lines).wrap(Wrap { trim: true }).render(area, buffer);
    }

    fn draw_entry(&self, area: Rect, look: Look, buffer: &mut Buffer) {
        let (label, text) = match &self.file_name {
            Some(name) => ("Save as: ", name),
            None => ("Move: ", &self.entry),
        };
        let caret = Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED));
        let line = if text.is_empty() && self.file_name.is_none() {
            let long = look.pick("↑↓←→ and Enter, or type 11-15", "arrows and Enter, or type 11-15");
            Line::styled(if Span::raw(long).width() <= area.width.into() { long } else { "type 11-15" }, DIM)
        } else {
            Line::from(vec![Span::styled(label, DIM), Span::styled(text.as_str(), BOLD), caret])
        };
        line.render(area, buffer);
    }

    /// The time at which the screen next changes without input.
    pub(crate) fn next_change(&self, now: Time) -> Option<Time> {
        let view = self.session.view(now);
        let glows = self.settings.animation && view.your_turn && !view.must_jump.is_empty();
        let clock = [&view.players.black, &view.players.white]
            .into_iter()
            .filter_map(|seat| seat.clock.filter(|clock| clock.running))
            .map(|clock| {
                let step = if clock.left_ms < SHORT_OF_TIME_MS { TENTH_MS } else { SECOND_MS };
                now.plus(clock.left_ms % step + 1)
            })
            .min();
        [
            self.animation.as_ref().map(|_| now.plus(FRAME_MS)),
            self.held_back.as_ref().map(|(due, _)| *due),
            view.thinking.then(|| now.plus(SPINNER_MS - now.0 % SPINNER_MS)),
            glows.then(|| now.plus(PULSE_STEP_MS - now.0 % PULSE_STEP_MS)),
            clock,
            view.wake_at,
        ]
        .into_iter()
        .flatten()
        .min()
    }
}

fn draw_title(view: &View, area: Rect, buffer: &mut Buffer) {
    let title =
        vec![Span::styled("Crownhead", BOLD), Span::styled(format!("  {}", view.rulebook.title), DIM)];
    Line::from(title).render(area, buffer);
}

/// The actions that are possible now, most important first.
fn possible(view: &View) -> Vec<(&'static str, &'static str, Action)> {
    let offered = |button: &Button| button.enabled;
    let buttons = &view.buttons;
    let mut hints = vec![("?", "help", Action::Help)];
    let mut offer = |is_offered: bool, key, word, action| {
        if is_offered {
            hints.push((key, word, action));
        }
    };
    offer(true, "q", "quit", Action::Quit);
    offer(true, "n", "new", Action::NewGame);
    offer(offered(&buttons.undo), "u", "undo", Action::Undo);
    offer(offered(&buttons.hint), "h", "hint", Action::Hint);
    offer(offered(&buttons.offer_draw), "d", "draw", Action::OfferDraw);
    offer(offered(&buttons.claim_draw), "c", "claim", Action::ClaimDraw);
    offer(offered(&buttons.abandon), "a", "abandon", Action::Abandon);
    offer(offered(&buttons.resign), "r", "resign", Action::Resign);
    offer(true, "f", "flip", Action::Flip);
    offer(true, "s", "save", Action::Save);
    offer(true, "o", "options", Action::Setup);
    hints
}
