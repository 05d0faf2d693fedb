//! What the screen asks, and what the answers do.

use crownhead_game::{Command, Offer, Time};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Leave, Table};
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
    /// Leave the game for another one like it.
    NewGame,
    /// Leave the game to choose another one.
    Setup,
    /// What one player proposed to the other.
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

    /// The letters that answer at once.
    const fn letters(self) -> &'static [char] {
        match self {
            Topic::Resign | Topic::NewGame | Topic::Setup => &['y', 'n'],
            Topic::Offer(_) => &['a', 'd'],
            Topic::WhatNext => &['n', 'o', 's', 'l', 'q'],
        }
    }
}

impl Question {
    /// Is the key meant for the question? Those that leave the program are not.
    pub(super) fn takes(&self, key: KeyEvent) -> bool {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return false;
        }
        let is_answer = matches!(key.code, KeyCode::Char(letter) if self.topic.letters().contains(&letter));
        let moves_focus =
            matches!(key.code, KeyCode::Left | KeyCode::Right | KeyCode::Tab | KeyCode::BackTab);
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(' ') | KeyCode::Esc);
        // A question about what was offered or asked wants an answer; over the end of a game everything else goes on.
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

impl Table {
    pub(super) fn ask(&mut self, topic: Topic, text: Option<String>) {
        let text = text.unwrap_or_default();
        self.question = Some(Question { topic, headline: String::new(), text, focus: YES });
    }

    /// The game is over: who won, why, and what to do now.
    pub(super) fn ask_what_next(&mut self, now: Time) {
        if let Some(outcome) = self.session.view(now).outcome {
            let (headline, text) = (outcome.headline, outcome.sentence);
            self.question = Some(Question { topic: Topic::WhatNext, headline, text, focus: 0 });
        }
    }

    /// One player proposed something, and the other sits at the same screen.
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

    /// No answer: the safe one.
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
