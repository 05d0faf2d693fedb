//! What may be pressed, and why not. Each button asks the very code that would carry out its command.

use serde::Serialize;

use super::Side;
use crate::command::Command;
use crate::game::Game;
use crate::player::Who;
use crate::time::Moment;

/// The buttons of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "each is for the command of that name")]
pub struct Buttons {
    pub undo: Button,
    pub redo: Button,
    pub hint: Button,
    pub resign: Button,
    pub offer_draw: Button,
    pub claim_draw: Button,
    pub abandon: Button,
    pub ask_takeback: Button,
    pub claim_forfeit: Button,
    pub ask_still_there: Button,
    pub rematch: Button,
    /// Leave this game for another one: `forfeit` if it asks, then start.
    pub new_game: Button,
}

/// One button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Button {
    /// May it be pressed now?
    pub enabled: bool,
    /// Why not, in a sentence.
    pub why_not: Option<String>,
    /// What to ask before the command is sent.
    pub confirm: Option<String>,
}

impl Game {
    pub(super) fn buttons(&self, who: Who, moment: Moment) -> Buttons {
        let button = |command: Command| {
            let why_not = self.decide(who, &command, moment).err().map(|refusal| refusal.to_string());
            Button { enabled: why_not.is_none(), why_not, confirm: None }
        };
        let you = self.eyes(who);
        let resign = button(Command::Resign);
        Buttons {
            undo: button(Command::Undo),
            redo: button(Command::Redo),
            hint: button(Command::Hint),
            offer_draw: button(Command::OfferDraw),
            claim_draw: button(Command::ClaimDraw),
            abandon: button(Command::Abandon),
            ask_takeback: button(Command::AskTakeback),
            claim_forfeit: button(Command::ClaimForfeit),
            ask_still_there: button(Command::AskStillThere),
            rematch: button(Command::Rematch),
            new_game: self.new_game_button(you),
            resign: Button {
                confirm: you.filter(|_| resign.enabled).map(|side| self.resign_question(side)),
                ..resign
            },
        }
    }

    /// A game in which somebody has moved is not left without a word.
    fn new_game_button(&self, you: Option<Side>) -> Button {
        let under_way = self.outcome.is_none() && self.history.moves().len() > self.given;
        let confirm = you.filter(|_| under_way).map(|side| self.leave_question(side));
        Button { enabled: true, why_not: None, confirm }
    }
}
