//! The buttons of a game: which exist, which are enabled, and why the others are not. Each button asks the code that
//! would carry out its command.

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
    /// Leave this game for another one: if the button asks, send `forfeit`; then start.
    pub new_game: Button,
}

/// One button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Button {
    /// Does this kind of game, with these rules, have the button at all? If not, a screen hides it.
    pub exists: bool,
    /// Can it be pressed now?
    pub enabled: bool,
    /// Why not, in a sentence.
    pub why_not: Option<String>,
    /// The question to ask before the command is sent.
    pub confirm: Option<String>,
}

impl Game {
    pub(super) fn buttons(&self, who: Who, moment: Moment) -> Buttons {
        let you = self.eyes(who);
        let is_over_link = self.is_over_link();
        let is_player = !is_over_link || you.is_some();
        let button = |exists: bool, command: Command| {
            let why_not = self.decide(who, &command, moment).err().map(|refusal| refusal.to_string());
            Button { exists: exists && is_player, enabled: why_not.is_none(), why_not, confirm: None }
        };
        let resign = button(true, Command::Resign);
        let mut claim_forfeit = button(is_over_link, Command::ClaimForfeit);
        let mut ask_still_there = button(is_over_link, Command::AskStillThere);
        // The two share a place: the question takes it while a forfeit cannot be claimed yet.
        ask_still_there.exists &= ask_still_there.enabled && !claim_forfeit.enabled;
        claim_forfeit.exists &= !ask_still_there.exists;
        Buttons {
            undo: button(!is_over_link, Command::Undo),
            redo: button(!is_over_link, Command::Redo),
            hint: button(!is_over_link, Command::Hint),
            // Under a rule book without draws, the button is there and says so.
            offer_draw: button(true, Command::OfferDraw),
            claim_draw: button(self.rulebook().claimed_draw, Command::ClaimDraw),
            abandon: button(self.rulebook().may_abandon, Command::Abandon),
            ask_takeback: button(is_over_link, Command::AskTakeback),
            claim_forfeit,
            ask_still_there,
            rematch: button(true, Command::Rematch),
            new_game: self.new_game_button(you),
            resign: Button {
                confirm: you.filter(|_| resign.enabled).map(|side| self.resign_question(side)),
                ..resign
            },
        }
    }

    /// Leaving a game in progress forfeits it, so the button asks first.
    fn new_game_button(&self, you: Option<Side>) -> Button {
        let under_way = self.outcome.is_none() && self.history.moves().len() > self.given;
        let confirm = you.filter(|_| under_way).map(|side| self.leave_question(side));
        Button { exists: true, enabled: true, why_not: None, confirm }
    }
}
