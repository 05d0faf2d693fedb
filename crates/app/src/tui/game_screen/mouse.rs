//! Mouse input of the game screen: clicks and drags.

use crownhead_game::Time;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::GameScreen;
use crate::tui::board::Board;
use crate::tui::keys::Action;

/// The clickable areas of the last drawn screen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(super) board: Option<Board>,
    /// The key hints.
    pub(super) actions: Vec<(Rect, Action)>,
    /// The moves of the list, with the number of moves that the board shows after a click.
    pub(super) moves: Vec<(Rect, usize)>,
    /// The answers of a dialog.
    pub(super) answers: Vec<Rect>,
    /// The cell that a dragged piece is over.
    pub(super) dragged_to: Option<(u16, u16)>,
}

impl GameScreen {
    pub(crate) fn mouse(&mut self, mouse: MouseEvent, now: Time) {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.press(at, now),
            MouseEventKind::Drag(MouseButton::Left) if self.places.dragged_to.is_some() => {
                self.places.dragged_to = Some((at.x, at.y));
            }
            MouseEventKind::Up(MouseButton::Left) => self.release(at, now),
            MouseEventKind::ScrollUp => self.act(Action::Back, now),
            MouseEventKind::ScrollDown => self.act(Action::Forward, now),
            _ => {}
        }
    }

    fn press(&mut self, at: Position, now: Time) {
        self.places.dragged_to = None;
        if let Some(question) = self.question.clone() {
            let answer = self.places.answers.iter().position(|place| place.contains(at));
            if let Some(answer) = answer {
                self.question = None;
                self.answer(&question, answer, now);
            }
            return;
        }
        if let Some(&(_, action)) = self.places.actions.iter().find(|(place, _)| place.contains(at)) {
            return self.act(action, now);
        }
        if let Some(&(_, plies)) = self.places.moves.iter().find(|(place, _)| place.contains(at)) {
            let end = self.session.view(now).list.len();
            return self.look_at(plies, end);
        }
        let Some(square) = self.square_at(at, now) else { return };
        self.cursor.follow_mouse(square);
        self.choose(square.number(), now);
        let is_held = self.selection.held().is_some_and(|(_, here)| here == square.number());
        self.places.dragged_to = is_held.then_some((at.x, at.y));
    }

    fn release(&mut self, at: Position, now: Time) {
        if self.places.dragged_to.take().is_none() {
            return;
        }
        let held = self.selection.held().map(|(_, here)| here);
        if let Some(square) = self.square_at(at, now).filter(|square| Some(square.number()) != held) {
            self.cursor.follow_mouse(square);
            self.choose(square.number(), now);
        }
    }

    fn square_at(&self, at: Position, now: Time) -> Option<crownhead_rules::Square> {
        let bottom = self.bottom(&self.session.view(now));
        self.places.board?.square(at.x, at.y, bottom)
    }
}
