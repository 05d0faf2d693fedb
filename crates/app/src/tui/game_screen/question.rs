//! The dialogs of the game screen and the effects of their answers.

use crownhead_game::{Command, Offer, Time};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{GameScreen, Leave};
use crate::tui::dialog::Dialog;
use crate::tui::keys::Action;
use crate::tui::words;

/// A question with its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) topic: Topic,
    headline: String,
    text: String,
    focus: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Resign,
    /// Leave the game for a new one with the same settings.
    NewGame,
    /// Leave the game for the setup screen.
    Setup,
    /// An offer of one player to the other.
    Offer(Offer),
    /// The game is over.
    WhatNext,
}

const YES: usize = 0;

impl Topic {
    const fn answers(self) -> &'static [&'static str] {
        match self {
            Topic::Resign | Topic::NewGame | Topic::Setup => &["Yes", "No"],
            Topic::Offer(_) => &["Accept", "Decline"],
            Topic::WhatNext => &["New game", "Options", "Save", "Look back", "Quit"],
        }
    }

    /// The letter keys of the answers.
    const fn letters(self) -> &'static [char] {
        match self {
            Topic::Resign | Topic::NewGame | Topic::Setup => &['y', 'n'],
            Topic::Offer(_) => &['a', 'd'],
            Topic::WhatNext => &['n', 'o', 's', 'l', 'q'],
        }
    }
}

impl Question {
    /// Does the dialog handle this key? Keys that quit the program go elsewhere.
    pub(super) fn takes(&self, key: KeyEvent) -> bool {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return false;
        }
        let is_answer = matches!(key.code, KeyCode::Char(letter) if self.topic.letters().contains(&letter));
        let moves_focus =
            matches!(key.code, KeyCode::Left | KeyCode::Right | KeyCode::Tab | KeyCode::BackTab);
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(' ') | KeyCode::Esc);
        // An offer or a confirmation blocks all other keys; the dialog at the end of a game does not.
        is_answer || moves_focus || answers || self.topic != Topic::WhatNext
    }

    pub(super) fn dialog(&self) -> Dialog<'_> {
        Dialog {
            headline: &self.headline,
            text: &self.text,
            answers: self.topic.answers(),
            focus: self.focus,
        }
    }
}

impl GameScreen {
    pub(super) fn ask(&mut self, topic: Topic, text: Option<String>) {
        let text = text.unwrap_or_default();
        self.question = Some(Question { topic, headline: String::new(), text, focus: YES });
    }

    /// Opens the dialog at the end of a game: who won, why, and what to do next.
    pub(super) fn ask_what_next(&mut self, now: Time) {
        if let Some(outcome) = self.session.view(now).outcome {
            let (headline, text) = (outcome.headline, outcome.sentence);
            self.question = Some(Question { topic: Topic::WhatNext, headline, text, focus: 0 });
        }
    }

    /// Opens the dialog for an offer to the other player at the same screen.
    pub(super) fn ask_what_is_offered(&mut self, now: Time) {
        let view = self.session.view(now);
        if view.outcome.is_some() {
            return self.ask_what_next(now);
        }
        if let Some(offer) = view.offers.iter().find(|offer| offer.answerable) {
            self.ask(Topic::Offer(offer.offer), Some(offer.sentence.clone()));
        }
    }

    pub(super) fn answer_by_key(&mut self, mut question: Question, key: KeyEvent, now: Time) {
        let answers = question.topic.answers().len();
        let chosen = match key.code {
            KeyCode::Left | KeyCode::BackTab => {
                question.focus = (question.focus + answers - 1) % answers;
                None
            }
            KeyCode::Right | KeyCode::Tab => {
                question.focus = (question.focus + 1) % answers;
                None
            }
            KeyCode::Enter | KeyCode::Char(' ') => Some(question.focus),
            KeyCode::Char(letter) => question.topic.letters().iter().position(|&known| known == letter),
            KeyCode::Esc => return self.put_off(&question, now),
            _ => None,
        };
        match chosen {
            Some(answer) => self.answer(&question, answer, now),
            None => self.question = Some(question),
        }
    }

    /// Handles a dialog that was dismissed without an answer: the safe answer, which declines an offer.
    fn put_off(&mut self, question: &Question, now: Time) {
        if let Topic::Offer(_) = question.topic {
            self.answer(question, 1, now);
        }
    }

    pub(super) fn answer(&mut self, question: &Question, answer: usize, now: Time) {
        let is_yes = answer == YES;
        match question.topic {
            Topic::Resign if is_yes => self.give(&Command::Resign, now),
            Topic::NewGame if is_yes => {
                self.give(&Command::Forfeit, now);
                self.give(&Command::Rematch, now);
            }
            Topic::Setup if is_yes => {
                self.give(&Command::Forfeit, now);
                self.leave = Some(Leave::Setup);
            }
            Topic::Resign | Topic::NewGame | Topic::Setup => {}
            Topic::Offer(offer) => self.give(&words::answer(offer, is_yes), now),
            Topic::WhatNext => {
                let actions = [Action::NewGame, Action::Setup, Action::Save, Action::Back, Action::Quit];
                if let Some(&action) = actions.get(answer) {
                    self.act(action, now);
                }
            }
        }
    }
}
